"""The toolchain of a build, as far as it can be told without running it: which files would build, and when they were put there.

A version that a compiler prints tells less: not that of the linker or of a library that it finds, and a `make` does not tell which
compiler it will call. So counted are the programs that the command names, the folders of their installations, the system's
folders of programs, and the state of the system's packages: any update of the system counts as another toolchain, which costs a
build that was not needed, and never gives one that should have been made.
"""

import hashlib
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bullring.arena.cells.sandbox.installations import PATH
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.visible import visible_to
from bullring.errors import CellError

PACKAGES = (
    *(
        "/var/lib/dpkg/status",
        "/var/lib/rpm/rpmdb.sqlite",
        "/var/lib/rpm/Packages",
        "/usr/lib/sysimage/rpm/rpmdb.sqlite",
    ),
    *("/var/lib/pacman/local", "/lib/apk/db/installed", "/run/current-system"),
)
"""What changes with the packages of Debian, Fedora, SUSE, Arch, Alpine and NixOS."""

_DEPTH = 2
"""Folders below that of an installation that are looked at: that of Python's packages is so deep."""

_MOST = 2000
"""Most folders that are looked at."""


def toolchain(command: tuple[str, ...], folder: Path) -> str:
    """A hash that changes when what a command in a bot's folder resolves to is updated. Raises `CellError` if it is not there."""
    visible = visible_to(Program(command, folder))
    seen = hashlib.sha256(f"{machine()} {sys.version}".encode())
    try:
        fixed = [*visible.programs, *PATH.split(":"), *PACKAGES]
        for path in (*fixed, *(inner for shown in visible.shown for inner in _folders(str(shown)))):
            seen.update(f"{path} {_state(path)}\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        raise CellError(f"its toolchain cannot be examined: {error}") from None
    return seen.hexdigest()


def machine() -> str:
    """The kind of this machine, such as "x86_64 debian 12": what is built on one kind may not run on another."""
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    return f"{platform.machine()} {release.get('ID', 'linux')} {release.get('VERSION_ID', '')}".strip()


def _state(path: str) -> str:
    """The state of a file or folder: what it is replaced by differs."""
    with suppress(OSError):
        found = os.stat(path)  # noqa: PTH116  # thousands of them
        return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"
    return ""


def _folders(top: str) -> Iterator[str]:
    """A path, and the folders close below it."""
    level = [top]
    left = _MOST
    for depth in range(_DEPTH + 1):
        yield from level
        left -= len(level)
        if depth < _DEPTH and left > 0:
            level = [inner for path in level for inner in _inner(path)][:left]


def _inner(folder: str) -> list[str]:
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    return []
