"""The file systems of the kernel's control groups: where they are mounted, where we are in them, and their small files."""

import contextlib
import errno
import fcntl
import itertools
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.sandbox import identity

CONTROLLERS = ("memory", "pids", "cpu", "freezer")
"""What we want of control groups. In version 2 the freezer is no controller, but part of every group."""

LOCK_LIMIT = 5.0
"""Seconds to wait for another referee that is changing the same group."""

_BRANCH = re.compile(rf"bullring-({identity.NAME})-\d+", re.ASCII)
_made = itertools.count(1)


@dataclass(frozen=True)
class Mount:
    """One hierarchy of groups, as we see it."""

    folder: Path
    root: str
    """Which group of the hierarchy `folder` is: "/" unless only a part of it is mounted."""
    controllers: frozenset[str]
    """Those of version 1 that live here; version 2 tells them in a file of each group."""
    version: int

    def group(self, path: str) -> Path | None:
        """The folder of the group that the kernel calls `path`, if it can be seen here."""
        inside = os.path.relpath(path, self.root)
        return None if inside.startswith("..") or path.startswith("/..") else self.folder / inside


def mounts(text: str | None = None) -> list[Mount]:
    """All hierarchies that are mounted here; `text` stands for /proc/self/mountinfo."""
    found = []
    for line in (Path("/proc/self/mountinfo").read_text() if text is None else text).splitlines():
        left, _, right = line.partition(" - ")
        kind, _, options = right.partition(" ")
        if kind in ("cgroup", "cgroup2"):
            root, folder = (_unescaped(field) for field in left.split()[3:5])
            ours = frozenset(options.split(" ", 1)[1].split(",")) & frozenset(CONTROLLERS)
            version = 2 if kind == "cgroup2" else 1
            found.append(Mount(Path(folder), root, ours if version == 1 else frozenset(), version))
    return found


def folders_of(groups: str, mountinfo: str | None = None) -> dict[str, Path]:
    """The folder of the group a process is in, for each controller of version 1 that we want; that of version 2 is called "".

    `groups` is the text of its /proc/PID/cgroup.
    """
    path_of = {
        name: path
        for _, names, path in (line.split(":", 2) for line in groups.splitlines())
        for name in names.split(",")
    }
    found: dict[str, Path] = {}
    for mount in mounts(mountinfo):
        for name in [""] if mount.version == 2 else mount.controllers:
            folder = mount.group(path_of[name]) if name in path_of else None
            if folder is not None:
                found.setdefault(name, folder)
    return found


def own_cgroups(version: int) -> dict[str, Path]:
    """The folder of the group this process is in, for each controller of version 1; version 2 has one, called ""."""
    folders = folders_of(Path("/proc/self/cgroup").read_text())
    return {name: folder for name, folder in folders.items() if (name == "") == (version == 2)}


def branch_name() -> str:
    """A new name for the folder in which a referee makes its groups. It tells whose they are, when they are found by others."""
    return f"bullring-{identity.me()}-{next(_made)}"


def is_branch(name: str) -> bool:
    """Whether a folder of this name belongs to a referee, alive or dead."""
    return _BRANCH.fullmatch(name) is not None


def is_orphaned(folder: Path) -> bool:
    """Whether this is what a dead referee left, one of our user in our pid namespace."""
    match = _BRANCH.fullmatch(folder.name)
    if match is None or identity.alive(match[1]):
        return False
    with contextlib.suppress(OSError):
        return folder.stat().st_uid == os.geteuid()
    return False


def branches_below(folder: Path) -> Iterator[Path]:
    """The folders of all referees, however deep."""
    todo = [folder]
    while todo:
        for child in subgroups(todo.pop()):
            if is_branch(child.name):
                yield child
            else:
                todo.append(child)


def subgroups(folder: Path) -> list[Path]:
    """The groups right below; none if it is gone."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return sorted(Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False))
    return []


def make(folder: Path) -> None:
    """Make a group. Raises `FileExistsError` if it is there."""
    folder.mkdir()


def drop(folder: Path) -> None:
    """Remove an empty group, unless it is gone."""
    with contextlib.suppress(FileNotFoundError):
        folder.rmdir()


def write(path: Path, text: str) -> None:
    """Write to a file of a group. It must be there: these files are the kernel's."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(fd)


def words(path: Path) -> list[str]:
    """The words of a file, none if it is not there."""
    try:
        return path.read_text().split()
    except OSError as error:
        # A file of a group that has just been removed answers with ENODEV.
        if error.errno in (errno.ENOENT, errno.ENODEV):
            return []
        raise


def counts(path: Path) -> dict[str, int]:
    """The numbers of a file of lines such as "oom_kill 2"; nothing if it is not there."""
    fields = words(path)
    return {name: int(value) for name, value in zip(fields[::2], fields[1::2], strict=False)}


def number(path: Path) -> int:
    """The number that stands in a file; 0 if it is not there."""
    return int((words(path) or ["0"])[0])


def members(folder: Path) -> list[int]:
    """The processes in a group, as far as our pid namespace has a number for them: the kernel writes 0 for the others."""
    return [pid for pid in map(int, words(folder / "cgroup.procs")) if pid]


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other referees from changing this group meanwhile. Raises `OSError` if one does so for too long."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        until = time.monotonic() + LOCK_LIMIT
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                # Who holds it may be stopped, or be no referee at all.
                if time.monotonic() > until:
                    raise
            time.sleep(0.001)
        yield
    finally:
        os.close(fd)


def text(error: Exception) -> str:
    """What failed, for people: "/sys/fs/cgroup/x: Permission denied"."""
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, error.strerror) if part)


def _unescaped(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)
