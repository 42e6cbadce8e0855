"""The control group of one bot: what both versions share."""

import contextlib
import errno
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import trio

from bullring.arena.sandbox.cgroups import cgroupfs
from bullring.errors import HostError

REMOVE_LIMIT = 5.0
"""Seconds that killed processes have to be gone; one that hangs in the kernel must not hang the arena."""

_ROUNDS = 100
"""How often it is looked for new processes; without a freezer, what forks fast enough could go on for ever."""


class Cgroup(ABC):
    """The control group of one bot. All but `remove` returns at once."""

    freeze_word: ClassVar[bytes]
    thaw_word: ClassVar[bytes]

    def __init__(self, folders: Mapping[str, Path], switch: Path | None) -> None:
        """`folders` by controller; `switch` is the file by which it is frozen."""
        self._of = dict(folders)
        self.folders = list(dict.fromkeys(folders.values()))
        self.join_paths = [folder / "cgroup.procs" for folder in self.folders]
        """A program that writes "0" to each of these files puts itself into the group."""
        # Freezing happens at every decision: the file is opened once.
        self._switch = os.open(switch, os.O_WRONLY) if switch is not None else None
        self._gone = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.folders[0]}>"

    @property
    def freezes(self) -> bool:
        """Whether it can be frozen."""
        return self._switch is not None

    def add(self, pid: int) -> None:
        """Move a process in. What it has already started stays where it is.

        The kernel lets the caller wait for that, some 10 ms if no process was moved lately. Where that would be a stall in
        somebody's thinking time, a program has to join by itself (`join_paths`) before it becomes the bot.
        """
        try:
            for path in self.join_paths:
                cgroupfs.write(path, str(pid))
        except ProcessLookupError:
            return  # it has ended already
        except OSError as error:
            raise HostError(
                f"process {pid} cannot be moved to the control group {path.parent}: {error.strerror}"
            ) from error

    def freeze(self) -> None:
        """Let nothing in it run until `thaw`. What is on another core at this moment stops a little later (`frozen`)."""
        self._turn(self.freeze_word)

    def thaw(self) -> None:
        """Let it run again."""
        self._turn(self.thaw_word)

    @abstractmethod
    def frozen(self) -> bool:
        """Whether everything in it stands still by now."""

    def pids(self) -> list[int]:
        """The processes in it."""
        return sorted({pid for folder in self.folders for pid in cgroupfs.members(folder)})

    def oom_kills(self) -> int:
        """How many of its processes the kernel killed because the group hit its own limit."""
        return self._all_oom_kills() if self._hit_its_memory_limit() else 0

    def host_oom_kills(self) -> int:
        """How many the kernel killed because the machine, or a group above, had no memory left: no fault of the bot."""
        return 0 if self._hit_its_memory_limit() else self._all_oom_kills()

    @abstractmethod
    def throttled(self) -> float:
        """Seconds, summed over the cores, that it stood still because it had used its share of the processor."""

    def kill(self) -> None:
        """Kill everything in it. More than once does no harm."""
        if not self._gone:
            self._kill()

    async def remove(self) -> None:
        """Kill what is in it, wait until that is gone, and remove the group. Raises `HostError` if it cannot be done."""
        with trio.CancelScope(shield=True):
            for pause in _pauses(REMOVE_LIMIT):
                if self.try_remove():
                    return
                await trio.sleep(pause)
        raise HostError(self.why_not_removed())

    def try_remove(self) -> bool:
        """One attempt at removing it, without waiting."""
        if not self._gone:
            self._kill()
            try:
                for folder in self.folders:
                    cgroupfs.drop(folder)
            except OSError:
                return False  # killed, and not yet gone
            self._gone = True
            if self._switch is not None:
                os.close(self._switch)
                self._switch = None
        return True

    @abstractmethod
    def _all_oom_kills(self) -> int: ...

    @abstractmethod
    def _hit_its_memory_limit(self) -> bool: ...

    def _kill(self) -> None:
        # Frozen, nothing can fork away; what was in the midst of forking shows up in the next round. In version 1 the
        # killed die when they are thawed, before they run again.
        self.freeze()
        doomed: set[int] = set()
        try:
            for _ in range(_ROUNDS):
                new = set(self.pids()) - doomed
                if not new:
                    break
                for pid in new:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
                doomed |= new
        finally:
            self.thaw()

    def _turn(self, word: bytes) -> None:
        if self._switch is not None:
            try:
                os.write(self._switch, word)
            except OSError as error:
                if error.errno == errno.ENODEV:
                    return  # the group has been removed, as a sweep does
                raise HostError(
                    f"the control group {self.folders[0]} does not take {word!r}: {error.strerror}"
                ) from error

    def why_not_removed(self) -> str:
        """For the `HostError`."""
        left = ", ".join(map(str, self.pids())) or "none that can be seen"
        return (
            f"the control group {self.folders[0]} cannot be removed within {REMOVE_LIMIT:g} s; processes in it: {left}"
        )


def remove_cgroups(groups: Iterable[Cgroup]) -> None:
    """Remove all of them, where nothing else waits: before or after a run. Raises `HostError` if one cannot be removed."""
    left = list(groups)
    for pause in _pauses(REMOVE_LIMIT):
        left = [group for group in left if not group.try_remove()]
        if not left:
            return
        time.sleep(pause)
    raise HostError(left[0].why_not_removed())


def _pauses(limit: float) -> Iterator[float]:
    """How long to wait before the next attempt: short at first, and no longer than `limit` altogether."""
    until = time.monotonic() + limit
    pause = 0.0005
    while time.monotonic() < until:
        yield pause
        pause = min(2 * pause, 0.05)
