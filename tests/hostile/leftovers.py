"""Traces that a contest might leave on the machine: compared before and after, none may be added."""

import contextlib
import fcntl
import gc
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.cells.sandbox.container.config import REFEREE
from bullring.arena.cells.sandbox.container.engine import find_socket
from bullring.arena.cells.sandbox.identity import me
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.tiers import TIERS


@dataclass(frozen=True)
class Surroundings:
    """All that is ours, by kind. What others do on this machine meanwhile is not looked at."""

    processes: frozenset[str]
    mounts: frozenset[str]
    cgroups: frozenset[str]
    containers: frozenset[str]
    files: frozenset[str]
    memory_segments: frozenset[str]
    descriptors: frozenset[str]
    flags: frozenset[str]

    @classmethod
    def seen(cls, tier: str, token: str, referee: str = "") -> "Surroundings":
        """As they are now. `token` stands on the command line and in the paths of all that belongs to the contest.

        `referee` is us, if not named.
        """
        referee = referee or me()
        gc.collect()  # connections in cycles of garbage are closed sometime, perhaps between two looks
        return cls(
            frozenset(f"{pid}" for pid in processes_of(token) + _children()),
            frozenset(line for line in _lines("/proc/self/mountinfo") if token in line or referee in line),
            frozenset(_cgroups(referee)),
            frozenset(_containers(referee) if TIERS[tier].takes_images else ()),
            frozenset(_files()),
            frozenset(line for kind in ("shm", "sem", "msg") for line in _lines(f"/proc/sysvipc/{kind}")),
            frozenset(descriptors()),
            frozenset(f"{fd}:{fcntl.fcntl(fd, fcntl.F_GETFL)}" for fd in range(3)),
        )

    def more_than(self, before: "Surroundings") -> list[str]:
        """The traces that were not there before."""
        found = []
        for kind in self.__dataclass_fields__:
            left = getattr(self, kind) - getattr(before, kind)
            if left:
                shown = [_command(entry) for entry in left] if kind == "processes" else sorted(left)
                found.append(f"left behind, {kind}: {shown}")
        return found


def processes_of(token: str) -> list[int]:
    """Processes with this word on their command line that are no zombies, the launchers of bots left out."""
    found = []
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit() and int(entry) != os.getpid():
            words = _cmdline(entry)
            if token in words and "bot.py" in words and "--" not in words and "-m" not in words:
                found.append(int(entry))
    return found


def _children() -> list[int]:
    """Our own, zombies, too. Not the helpers of an engine that we started ourselves: those are given to us when they end."""
    return [pid for pid in tree.children(os.getpid()) if "containerd-shim" not in "".join(_lines(f"/proc/{pid}/stat"))]


def _cmdline(pid: str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").split("\0")
    except OSError:
        return []


def _command(pid: str) -> str:
    """A process for people: number, state, program, command line; a zombie has no command line."""
    stat = "".join(_lines(f"/proc/{pid}/stat")).rpartition(")")
    return f"{stat[0]}) {stat[2].split()[0] if stat[2] else 'gone'} {' '.join(_cmdline(pid))}".strip()


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text().splitlines()
    except OSError:
        return []


def _cgroups(referee: str) -> list[str]:
    """Groups that carry the referee's name."""
    return [folder for folder, _, _ in os.walk("/sys/fs/cgroup") if referee in folder]


def _containers(referee: str) -> list[str]:
    import docker  # it takes half a second

    engine = docker.APIClient(base_url=f"unix://{find_socket()}")
    try:
        found = engine.containers(all=True, filters={"label": f"{REFEREE}={referee}"})
        return [f"{container['Names']} {container['Status']}" for container in found]
    finally:
        engine.close()


def _files() -> list[str]:
    """Places where programs leave files: temporary folders, shared memory."""
    places = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/dev", "/run", "/")
    return [str(path) for place in places if Path(place).is_dir() for path in Path(place).iterdir() if _ours(path.name)]


def _ours(name: str) -> bool:
    return any(word in name for word in ("a-bot-was-here", "word-to-myself", me()))


def descriptors() -> Iterator[str]:
    """Our open descriptors, without those of the kernel's threads, of which this process keeps one for each (`kernel_threads`)."""
    for fd in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):  # that of this listing
            if fd.readlink().name != "schedstat":
                yield fd.name
