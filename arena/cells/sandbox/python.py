"""The Python of bots: a virtual environment without any package, made of the Python that ours is made of.

So a bot sees no package of Bullring's own environment, nor of the machine's Python: both change with updates. Packages that it
brings are in its folder, in `PACKAGES`.
"""

import grp
import hashlib
import os
import pwd
import stat
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from bullring.arena.cells.files.remove import remove_tree
from bullring.errors import CellError

PACKAGES = ".packages"
"""The folder with the Python packages that a bot brings, in its own folder."""

BASE = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
"""The program of the Python that ours is made of."""


def cache_folder() -> Path:
    """The folder ``bullring`` in the user's cache folder. What is in it may be removed while nothing is played."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path.home() / ".cache") / "bullring"


def others_may_change(path: Path) -> bool:
    """Whether somebody else, who is not root, may change a folder, or what it leads to. Raises `OSError`."""
    found = path.stat()
    if found.st_uid not in (0, os.geteuid()):
        return True
    if found.st_mode & stat.S_ISVTX:  # others can add to it, and change nothing
        return False
    return bool(found.st_mode & stat.S_IWOTH or (found.st_mode & stat.S_IWGRP and not _is_of_one(found.st_gid)))


def _is_of_one(group: int) -> bool:
    """Whether nobody else is in a group: that of the name of this user, which many systems let write to what the user makes."""
    try:
        user, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == user.pw_gid and entry.gr_name == user.pw_name and {*entry.gr_mem} <= {user.pw_name}


def environment() -> Path:
    """The folder of the environment, made if it is missing. Raises `CellError`."""
    settings = f"home = {os.path.dirname(BASE)}\ninclude-system-site-packages = false\n"  # noqa: PTH120  # as text
    name = hashlib.sha256(f"{BASE}\n{sys.version}\n{settings}".encode()).hexdigest()[:16]
    folder = cache_folder().resolve() / "python" / name
    if (folder / "pyvenv.cfg").is_file():
        for path in (folder, folder / "bin", folder.parent, folder.parent.parent):
            if others_may_change(path):
                raise CellError(
                    f"others may change {path}, and could replace the Python of bots; set XDG_CACHE_HOME to a folder of your own"
                )
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            new.chmod(0o755)
            (new / "bin").mkdir()
            for each in ("python3", "python"):
                (new / "bin" / each).symlink_to(BASE)
            (new / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages").mkdir(parents=True)
            (new / "pyvenv.cfg").write_text(settings, "utf-8")
            with suppress(OSError):  # somebody else was quicker
                new.rename(folder)
        finally:
            remove_tree(new)
    except OSError as error:
        raise CellError(
            f"{error.filename or folder} cannot be made: {error.strerror or error}; the Python of bots is there, so set"
            " XDG_CACHE_HOME to a folder of your own"
        ) from None
    return folder


def program() -> str:
    """The path of the program. Raises `CellError`."""
    return str(environment() / "bin" / "python3")
