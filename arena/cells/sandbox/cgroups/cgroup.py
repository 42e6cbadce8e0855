"""The cgroup of one bot: what both versions share."""

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

from bullring.arena.cells.sandbox import kernel_threads
from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cgroups import cgroupfs
from bullring.errors import HostError

REMOVE_LIMIT = 5.0
"""Seconds to wait for killed processes to disappear. One that hangs in the kernel must not hang the arena."""

_ROUNDS = 100
"""Most searches for new processes. Without a freezer, a program that forks fast enough could otherwise keep us here forever."""


class Cgroup(ABC):
    """The cgroup of one bot. All methods except `remove` return at once."""

    freeze_word: ClassVar[bytes]
    thaw_word: ClassVar[bytes]

    def __init__(self, folders: Mapping[str, Path], switch: Path | None) -> None:
        """`folders` are by controller; `switch` is the file that freezes it, or None."""
        self._of = dict(folders)
        self.folders = list(dict.fromkeys(folders.values()))
        self.join_paths = [folder / "cgroup.procs" for folder in self.folders]
        """A program that writes "0" to each of these files joins the cgroup."""
        # Kept open, because freezing happens at every decision. That of a container may not be ours to write to.
        ours = switch is not None and os.access(switch, os.W_OK)
        self._switch = os.open(switch, os.O_WRONLY | os.O_CLOEXEC) if switch is not None and ours else None
        self._counts = cgroupfs.Counts(folders["pressure"]) if "pressure" in folders else None
        self._gone = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.folders[0]}>"

    @property
    def freezes(self) -> bool:
        """Whether it can be frozen."""
        return self._switch is not None

    @property
    def counts(self) -> bool:
        """Whether it has accounts."""
        return self._counts is not None

    def add(self, pid: int) -> None:
        """Move a process in. Processes that it has already started stay outside.

        This takes some 10 ms if no process was moved recently. Where that would be a stall in somebody's thinking time, the process
        has to join by itself (`join_paths`) before it becomes the bot.
        """
        try:
            for path in self.join_paths:
                cgroupfs.write(path, str(pid))
        except ProcessLookupError:
            return  # has ended already
        except OSError as error:
            raise HostError(f"process {pid} cannot be moved to the cgroup {path.parent}: {error.strerror}") from error

    def freeze(self) -> None:
        """Stop everything in it until `thaw`. Processes running on another core stop a little later (see `frozen`)."""
        self._turn(self.freeze_word)

    def thaw(self) -> None:
        """Let it run again."""
        self._turn(self.thaw_word)

    @abstractmethod
    def frozen(self) -> bool:
        """Whether everything in it has stopped."""

    def pids(self) -> list[int]:
        """The processes in it."""
        return sorted({pid for folder in self.folders for pid in cgroupfs.members(folder)})

    def oom_kills(self) -> int:
        """The number of its processes that the kernel killed because the cgroup hit its own memory limit."""
        return self.all_oom_kills() if self._hit_its_memory_limit() else 0

    def host_oom_kills(self) -> int:
        """The number that the kernel killed because the machine or a cgroup above ran out of memory: not the bot's fault."""
        return 0 if self._hit_its_memory_limit() else self.all_oom_kills()

    def account(self, core: int) -> Account | None:
        """The kernel's account of the processes in it, all of which are bound to this core. None if there are no counts."""
        if self._counts is None:
            return None
        try:
            used, system = self._counts.used_us()
            return Account(self._counts.waited_us(), kernel_threads.of_core(core).used_us(), system, used)
        except OSError:
            return None  # it has been removed

    def kill(self) -> None:
        """Kill everything in it. May be called again."""
        if not self._gone:
            self._kill()

    async def remove(self) -> None:
        """Kill everything in it, wait until that is gone, and remove the cgroup. Raises `HostError` if that fails."""
        with trio.CancelScope(shield=True):
            for pause in _pauses(REMOVE_LIMIT):
                if self.try_remove():
                    return
                await trio.sleep(pause)
        raise HostError(self.why_not_removed())

    def try_remove(self) -> bool:
        """Try once to remove it, without waiting. Returns whether it is gone."""
        if not self._gone:
            self._kill()
            try:
                for folder in self.folders:
                    cgroupfs.drop(folder)
            except OSError:
                return False  # processes are killed, but not gone yet
            self._gone = True
            self.close()
        return True

    def close(self) -> None:
        """Close its files. The cgroup stays."""
        if self._switch is not None:
            os.close(self._switch)
            self._switch = None
        if self._counts is not None:
            self._counts.close()
            self._counts = None

    @abstractmethod
    def all_oom_kills(self) -> int:
        """The number of its processes that the kernel killed for memory, for any reason."""

    @abstractmethod
    def _hit_its_memory_limit(self) -> bool: ...

    def _kill(self) -> None:
        # Frozen processes cannot fork; a fork that was under way shows up in the next search. In version 1, killed processes
        # die when they are thawed, before they run again.
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
                    return  # the cgroup has been removed, for example by a sweep
                raise HostError(f"the cgroup {self.folders[0]} does not accept {word!r}: {error.strerror}") from error

    def why_not_removed(self) -> str:
        """The text of the `HostError`, with the processes that are left."""
        left = ", ".join(map(str, self.pids())) or "none visible"
        return f"the cgroup {self.folders[0]} could not be removed within {REMOVE_LIMIT:g} s; processes in it: {left}"


def remove_cgroups(cgroups: Iterable[Cgroup]) -> None:
    """Remove cgroups. Blocks, so only for use before or after a run. Raises `HostError` if one cannot be removed."""
    left = list(cgroups)
    for pause in _pauses(REMOVE_LIMIT):
        left = [cgroup for cgroup in left if not cgroup.try_remove()]
        if not left:
            return
        time.sleep(pause)
    raise HostError(left[0].why_not_removed())


def _pauses(limit: float) -> Iterator[float]:
    """Yield the seconds to wait before each next attempt: short at first, at most `limit` altogether."""
    until = time.monotonic() + limit
    pause = 0.0005
    while time.monotonic() < until:
        yield pause
        pause = min(2 * pause, 0.05)
