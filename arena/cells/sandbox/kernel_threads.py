"""The time that threads of the kernel had a core, as far as they are visible and bound to it."""

import contextlib
import os
import re
import time
from functools import cache
from pathlib import Path

LOOK_EVERY = 0.5
"""Seconds between two looks for new threads. The kernel starts few."""

READ_EVERY = 0.0005
"""Seconds for which what was read serves again. In a loop of many matches, accounts are read all the time."""

_BOUND = re.compile(rb".*/(\d+)(?::.*)?")
"""Names such as ksoftirqd/1 and kworker/1:0-events."""

_ALL = Path("/proc/2/task/2/children")
"""All threads of the kernel are children of its thread 2, which containers do not see."""


class KernelThreads:
    """The threads of the kernel that are bound to one core. Their files stay open."""

    def __init__(self, core: int) -> None:
        self._core = core
        self._files: dict[int, int] = {}
        """A descriptor of the schedstat of each thread, by process id."""
        self._seen: dict[int, int] = {}
        self._known: set[int] = set()
        """Threads that were looked at, bound to this core or not."""
        self._used_ns = 0
        self._looked = 0.0
        self._read = 0.0
        try:
            self._visible = Path("/proc/2/comm").read_bytes() == b"kthreadd\n"
        except OSError:
            self._visible = False
        self._look()
        self.used_us()
        self._used_ns = 0

    def used_us(self) -> int:
        """Microseconds of the core that they have used, from an arbitrary origin."""
        now = time.monotonic()
        if now - self._read < READ_EVERY:
            return self._used_ns // 1000
        self._read = now
        if self._visible and now - self._looked > LOOK_EVERY:
            self._look()
        for pid, fd in list(self._files.items()):
            try:
                ran = int(os.pread(fd, 64, 0).split(maxsplit=1)[0])
            except (OSError, IndexError, ValueError):
                os.close(self._files.pop(pid))
                continue
            self._used_ns += ran - self._seen.get(pid, 0)
            self._seen[pid] = ran
        return self._used_ns // 1000

    def _look(self) -> None:
        self._looked = time.monotonic()
        if not self._visible:
            return
        try:
            pids = set(map(int, _ALL.read_bytes().split()))
        except (OSError, ValueError):
            return
        for pid in pids - self._known:
            with contextlib.suppress(OSError):
                name = _BOUND.fullmatch(Path(f"/proc/{pid}/comm").read_bytes().strip())
                if name is not None and int(name[1]) == self._core:
                    self._files[pid] = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
                    self._seen.pop(pid, None)  # an ended thread may have had the same number
        self._known = pids


@cache
def of_core(core: int) -> KernelThreads:
    """The threads of the kernel that are bound to this core."""
    return KernelThreads(core)
