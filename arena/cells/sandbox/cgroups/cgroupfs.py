"""The file systems of cgroups: where they are mounted, which cgroup we are in, and their small files."""

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

from bullring.arena.cells.sandbox import identity

CONTROLLERS = ("memory", "pids", "cpu", "freezer", "pressure")
"""The controllers that we use. In version 2 the freezer is not a controller, but part of every cgroup, and so is what we call
pressure: the file cpu.pressure. Only version 2 has that, but its hierarchy can be mounted besides those of version 1."""

LOCK_LIMIT = 5.0
"""Seconds to wait for another referee that is changing the same cgroup."""

_BRANCH = re.compile(rf"bullring-({identity.NAME})-\d+", re.ASCII)
_made = itertools.count(1)


@dataclass(frozen=True)
class Mount:
    """One mounted hierarchy of cgroups."""

    folder: Path
    root: str
    """The cgroup mounted at `folder`: "/" unless only a part of the hierarchy is mounted."""
    controllers: frozenset[str]
    """Controllers of a version 1 hierarchy. In version 2 they are listed in a file of each cgroup."""
    version: int

    def group(self, path: str) -> Path | None:
        """The folder of the cgroup that the kernel calls `path`, or None if it is not visible in this mount."""
        inside = os.path.relpath(path, self.root)
        return None if inside.startswith("..") or path.startswith("/..") else self.folder / inside


def mounts(text: str | None = None) -> list[Mount]:
    """All mounted hierarchies. `text` replaces the contents of /proc/self/mountinfo."""
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
    """The folder of a process's cgroup for each version 1 controller in `CONTROLLERS`; the key of version 2 is "".

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
    """The folder of our own cgroup for each controller of version 1, or under the key "" for version 2."""
    folders = folders_of(Path("/proc/self/cgroup").read_text())
    return {name: folder for name, folder in folders.items() if (name == "") == (version == 2)}


def branch_name() -> str:
    """A new name for the folder in which this referee creates its cgroups. It shows others which referee they belong to."""
    return f"bullring-{identity.me()}-{next(_made)}"


def is_branch(name: str) -> bool:
    """Whether a folder of this name belongs to a referee, alive or dead."""
    return _BRANCH.fullmatch(name) is not None


def is_orphaned(folder: Path) -> bool:
    """Whether this folder was left by a dead referee of our user and pid namespace."""
    match = _BRANCH.fullmatch(folder.name)
    if match is None or identity.alive(match[1]):
        return False
    with contextlib.suppress(OSError):
        return folder.stat().st_uid == os.geteuid()
    return False


def branches_below(folder: Path) -> Iterator[Path]:
    """Yield the folders of all referees, at any depth."""
    todo = [folder]
    while todo:
        for child in subgroups(todo.pop()):
            if is_branch(child.name):
                yield child
            else:
                todo.append(child)


def subgroups(folder: Path) -> list[Path]:
    """The cgroups directly below; empty if the folder is gone."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        return sorted(Path(entry) for entry in entries if entry.is_dir(follow_symlinks=False))
    return []


def make(folder: Path) -> None:
    """Create a cgroup. Raises `FileExistsError` if it exists."""
    folder.mkdir()


def drop(folder: Path) -> None:
    """Remove an empty cgroup, if it still exists."""
    with contextlib.suppress(FileNotFoundError):
        folder.rmdir()


def write(path: Path, text: str) -> None:
    """Write to a file of a cgroup. The file must exist, because only the kernel creates these files."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    except OSError as error:
        error.filename = str(path)
        raise
    finally:
        os.close(fd)


def words(path: Path) -> list[str]:
    """The words of a file; empty if it does not exist."""
    try:
        return path.read_text().split()
    except OSError as error:
        # Reading a file of a cgroup that has just been removed fails with ENODEV.
        if error.errno in (errno.ENOENT, errno.ENODEV):
            return []
        raise


def counts(path: Path) -> dict[str, int]:
    """Parse a file of lines such as "oom_kill 2"; empty if it does not exist."""
    fields = words(path)
    return {name: int(value) for name, value in zip(fields[::2], fields[1::2], strict=False)}


def number(path: Path) -> int:
    """The number in a file; 0 if the file does not exist."""
    return int((words(path) or ["0"])[0])


class Counts:
    """The files of a version 2 cgroup that tell what an `Account` holds. They stay open. All methods may raise `OSError`."""

    def __init__(self, folder: Path) -> None:
        self._pressure = os.open(folder / "cpu.pressure", os.O_RDONLY | os.O_CLOEXEC)
        self._stat = os.open(folder / "cpu.stat", os.O_RDONLY | os.O_CLOEXEC)

    def waited_us(self) -> int:
        """The time in which its processes were ready and none of them ran."""
        for line in os.pread(self._pressure, 512, 0).splitlines():
            if line.startswith(b"full "):
                return int(line.rpartition(b"=")[2])
        raise OSError(errno.ENODATA, "cpu.pressure has no line full, which Linux has from 5.13 on")

    def used_us(self) -> tuple[int, int]:
        """The time in which its processes ran, and the part of it in the kernel."""
        words = os.pread(self._stat, 512, 0).split()
        return int(words[words.index(b"usage_usec") + 1]), int(words[words.index(b"system_usec") + 1])

    def close(self) -> None:
        """Close the files."""
        os.close(self._pressure)
        os.close(self._stat)


def members(folder: Path) -> list[int]:
    """The processes in a cgroup that are in our pid namespace: for others the kernel writes 0."""
    return [pid for pid in map(int, words(folder / "cgroup.procs")) if pid]


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other referees from changing this cgroup in the meantime. Raises `OSError` if one holds the lock for too long."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        until = time.monotonic() + LOCK_LIMIT
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                # The holder may be stopped, or may not even be a referee.
                if time.monotonic() > until:
                    raise
            time.sleep(0.001)
        yield
    finally:
        os.close(fd)


def text(error: Exception) -> str:
    """Describe an error for people: "/sys/fs/cgroup/x: Permission denied"."""
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, error.strerror) if part)


def _unescaped(field: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)
