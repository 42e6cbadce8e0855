"""The account of a program from its threads' own counts, where no cgroup counts for it. All times are whole nanoseconds.

The kernel tells everybody of each thread how long it ran, and how long it was ready to run without a processor (its run delay, in
the file schedstat; kernel documentation, "Scheduler Statistics"). A program makes its threads' delays grow by running other threads
of its own, so what those ran is taken off: a thread that was ready for 100 ms of which others of the program ran for 30 ms proves
70 ms in which strangers had the core. While a thread queues and does not run, all time in which no other one ran is proven.
That is true whatever the program does. Looks are frequent, because where one thread hands over to another, what each of them proves
adds up only from one look to the next.

The one way out would be to run processes that nobody sees, because they are gone before the next look and their parent waits for
none. So once a process is gone, nothing counts as waiting for a while.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import inf
from pathlib import Path
from typing import Protocol

import trio

from bullring.arena.cells.sandbox import kernel_threads, proc
from bullring.arena.cells.sandbox.account import Account

LOOK_EVERY, REST = 0.005, 0.02
"""Seconds between two looks at programs that are being judged, and between two questions whether there are any."""

LOOKING = 0.05
"""Most of a core that looks at one program take. One with very many threads is looked at more seldom."""

JUDGED_FOR = 10.0
"""Seconds after a close reading of its account during which a program is looked at, if no other one says that nothing is judged."""

DISTRUST_NS = 2_000_000_000
"""Time for which nothing counts as waiting after a process of the program has gone."""

_TICK_NS = 10**9 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Look:
    """The counts of a program at one moment."""

    at_ns: int
    """The time before its counts were read."""
    done_ns: int
    """The time after that. On a busy machine much may happen in between."""
    used_ns: int = 0
    """The processor time of all its processes, of those that are gone, too."""
    threads: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """For each thread, by its id: how long it ran, and for how long it was ready to run before it did."""
    ready: frozenset[int] = frozenset()
    """Threads that are running or ready to run at this moment."""


class Waiting:
    """The time that a program has proven to have waited: the least in which one of its threads was ready and none ran. Pure."""

    def __init__(self) -> None:
        self.waited_ns = 0
        self._last: Look | None = None
        self._anchors: dict[int, int] = {}
        """For each thread, what was proven before it was last seen asleep, less its balance of that moment (see `learn`)."""

    def learn(self, look: Look, *, trusted: bool = True) -> None:
        """Take in the next look. Without trust, nothing was waited for until then."""
        before, self._last = self._last, look
        # Since it was asleep, a thread has proven as much as its balance has grown: its delay, less what others of the program ran.
        balances = {thread: delay - (look.used_ns - ran) for thread, (ran, delay) in look.threads.items()}
        if before is None or not trusted:
            self._anchors = {thread: self.waited_ns - balance for thread, balance in balances.items()}
            return
        new = self.waited_ns + before.used_ns
        if any(before.threads[thread][0] == look.threads[thread][0] for thread in before.ready & look.ready):
            # It has not run, so it was ready all the time, and cannot have slept. Its delay does not tell that yet.
            self.waited_ns += max(0, look.at_ns - before.done_ns - (look.used_ns - before.used_ns))
        anchors = {thread: self._anchors.get(thread, new) for thread in balances}
        self.waited_ns = max([self.waited_ns, *(anchors[thread] + balance for thread, balance in balances.items())])
        self._anchors = anchors | {thread: self.waited_ns - balances[thread] for thread in balances.keys() - look.ready}


@dataclass(slots=True)
class _Process:
    """The counts of a process at the last look."""

    ran_ns: int
    """The processor time of all threads that it ever had."""
    of_children_ns: int
    """That of the children that it has waited for, in whole ticks."""
    system_ns: int


class Threads:
    """The processes and threads of a running program: those that descend from some of its processes."""

    def __init__(self, roots: Callable[[], Iterable[int]], core: int) -> None:
        self._roots = roots
        self._core = core
        self._processes: dict[tuple[int, int], _Process] = {}
        """By process id and start time."""
        self._children: dict[int, list[int]] = {}
        """By thread. A thread that has not run since the last look has made none."""
        self._threads: Mapping[int, tuple[int, int]] = {}
        self._ready: frozenset[int] = frozenset()
        self._gone_ns = self._used_ns = self._system_ns = 0
        self._distrust_until = 0
        self._waiting = Waiting()
        self._asked = self._next = -inf

    def is_judged(self) -> bool:
        """Whether its account was read closely last, a short time ago."""
        return time.monotonic() < self._asked + JUDGED_FOR

    def look_if_due(self) -> None:
        """Look, unless the last look was at once before, for the time that it took."""
        began = time.monotonic()
        if began >= self._next:
            self.look()
            self._next = began + (time.monotonic() - began) / LOOKING

    def account(self, *, closely: bool = True) -> Account:
        """Look, and return the account so far; once the program is gone, the last one."""
        self._asked = time.monotonic() if closely else -inf
        self.look()
        kernel_us = kernel_threads.of_core(self._core).used_us()
        waited_us, system_us, used_us = (ns // 1000 for ns in (self._waiting.waited_ns, self._system_ns, self._used_ns))
        return Account(waited_us, kernel_us, system_us, used_us, bool(self._ready))

    def look(self) -> None:
        """Read all counts."""
        now = time.monotonic_ns()
        processes = dict[tuple[int, int], _Process]()
        threads = dict[int, tuple[int, int]]()
        children = dict[int, list[int]]()
        ready = set[int]()
        todo, seen = [*self._roots()], set[int]()
        while todo:
            pid = todo.pop()
            if pid in seen:
                continue
            seen.add(pid)
            try:
                # The processor time first: the kernel brings the counts of a running thread up to date when that is asked.
                ran_ns = time.clock_gettime_ns(~pid << 3 | 2)
                for name in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  # only the names are needed
                    thread = int(name)
                    try:
                        ran, delay = map(int, proc.read(f"/proc/{pid}/task/{name}/schedstat").split()[:2])
                        threads[thread] = ran, delay
                        if proc.fields(f"/proc/{pid}/task/{name}/stat")[0] == b"R":
                            ready.add(thread)
                        found = self._children.get(thread)
                        if found is None or self._threads.get(thread) != threads[thread]:
                            found = [*map(int, proc.read(f"/proc/{pid}/task/{name}/children").split())]
                    except OSError:
                        continue  # it has ended
                    children[thread] = found
                    todo += found
                # proc_pid_stat(5), after the name: state, ..., stime, cutime, cstime, ..., starttime.
                fields = proc.fields(f"/proc/{pid}/stat")
            except OSError:
                continue  # it is gone
            system, *of_children = (int(ticks) * _TICK_NS for ticks in fields[12:15])
            processes[pid, int(fields[19])] = _Process(ran_ns, sum(of_children), system + of_children[1])
        if not processes:
            self._ready = frozenset()
            return
        gone = self._processes.keys() - processes.keys()
        if gone:
            self._distrust_until = now + DISTRUST_NS
            self._gone_ns += sum(self._processes[key].ran_ns for key in gone)
        every = processes.values()
        # What is gone is in the count of whoever has waited for it, if anybody has.
        of_gone = max(self._gone_ns, sum(each.of_children_ns for each in every))
        self._used_ns = max(self._used_ns, sum(each.ran_ns for each in every) + of_gone)
        self._system_ns = max(self._system_ns, sum(each.system_ns for each in every))
        self._processes, self._threads, self._children, self._ready = processes, threads, children, frozenset(ready)
        look = Look(now, time.monotonic_ns(), self._used_ns, threads, self._ready)
        self._waiting.learn(look, trusted=now >= self._distrust_until)


class Counted(Protocol):
    """A cell whose account may be that of its threads."""

    frozen: bool
    threads: Threads | None


async def watch(cells: Iterable[Counted]) -> None:
    """Look at programs that are being judged, all the time."""
    judged = list[Threads]()
    while True:
        await trio.sleep(LOOK_EVERY if judged else REST)
        judged = [
            one.threads for one in cells if one.threads is not None and not one.frozen and one.threads.is_judged()
        ]
        for each in judged:
            each.look_if_due()


@cache
def counted() -> bool:
    """Whether the kernel counts the run delay of threads. If not, it writes zeros, or nothing."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text("ascii").split()[2]) > 0
    except (OSError, IndexError, ValueError):
        return False
