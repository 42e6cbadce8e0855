"""The watch of one referee process: the time, whose turn it is to think, and stalls of the machine."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable

import trio

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.match.clock.judge import NEVER, STALL_MARGIN_US
from bullring.arena.match.clock.waves import Waves
from bullring.arena.settings.limits import MICRO

HEARTBEAT_US = 20_000
"""Interval at which the watch looks at the time."""

AT_ONCE_US = 500
MOST_READS = 5
"""The longest time between an account and its moment, and the most attempts to get them that close."""


class Stalls:
    """The times when this process could not run though no other program had its core: the machine stood still.

    A busy machine is another matter: what others used is counted for each bot by itself (`account`). And so is work of our own,
    which bots can make for us: with fifty processes each they would have matches void that they lose.
    """

    def __init__(self, busy_us: Callable[[], int] = lambda: 0) -> None:
        """`busy_us` tells for how long this process ran, or was ready to while others had the processor, from any origin."""
        self._busy_us = busy_us
        self._beats: deque[tuple[int, int]] = deque([(-NEVER, busy_us())], maxlen=256)
        """The times of the watch's looks, each with the `busy_us` of that time."""
        self._stalls: deque[tuple[int, int]] = deque(maxlen=256)

    def beat(self, due_us: int, now_us: int) -> None:
        """Note that something due at `due_us` happened at `now_us`."""
        lag = now_us - due_us - self._busy_since(due_us)
        self._beats.append((now_us, self._busy_us()))
        if lag > STALL_MARGIN_US:
            self._stalls.append((now_us, lag))

    def between(self, since_us: int, deadline_us: int, now_us: int) -> int:
        """The microseconds that the machine is known to have stood still between `since_us` and `now_us`.

        Being late for the deadline now is evidence as well, because the watch may not have run yet.
        """
        noticed = sum([min(lag, at - since_us) for at, lag in self._stalls if at > since_us])
        late = now_us - deadline_us
        if late > STALL_MARGIN_US:
            late -= self._busy_since(deadline_us)
        return max(noticed, late if late > STALL_MARGIN_US else 0)

    def _busy_since(self, moment_us: int) -> int:
        """Microseconds for which this process ran or was ready to since the last look before a moment."""
        before = next((busy for at, busy in reversed(self._beats) if at <= moment_us), self._beats[0][1])
        return self._busy_us() - before


class Watch:
    """The watch of a referee process. Start `run` in the process's nursery."""

    def __init__(self, queued_us: Callable[[], int] = lambda: 0, ran_us: Callable[[], int] = lambda: 0) -> None:
        """`ran_us` tells for how many microseconds this process ran, from any origin."""
        self.queued_us = queued_us
        """Microseconds for which it was ready to run while others had the processor, from any origin."""
        self.stalls = Stalls(lambda: queued_us() + ran_us())
        self.waves = Waves()

    async def run(self) -> None:
        """Look at the time at short intervals until cancelled."""
        while True:
            due = now_us() + HEARTBEAT_US
            await trio.sleep_until(due / MICRO)
            now = now_us()
            self.stalls.beat(due, now)
            self.waves.look(now)


def now_us() -> int:
    """The current time of trio's clock, in microseconds."""
    return round(trio.current_time() * MICRO)


def at_once(account: Callable[[], Account | None]) -> tuple[int, Account | None]:
    """An account and its moment.

    On a busy machine this process may lose the processor between reading the one and the other, and then they do not belong
    together: what a bot waits for meanwhile would be taken for its thinking. So they are read again until they come at once.
    """
    before = now_us()
    for _ in range(MOST_READS):
        found = account()
        after = now_us()
        if after - before <= AT_ONCE_US:
            break
        before = after
    return after, found


def asked_at(before_us: int, after_us: int, *, exact: bool) -> int:
    """The moment that counts as that of a question written between these two.

    The clock starts when it is written. But a bot on our own core may run before we get to look at the time. Where no account of
    the moment before tells what it used meanwhile (`exact`), its clock has to start before.
    """
    return after_us if exact or after_us - before_us <= AT_ONCE_US else before_us


def queued_us() -> int:
    """Microseconds for which this thread was ready to run while others had the processor; always 0 if the kernel does not count.

    From the file schedstat of the thread (kernel documentation, "Scheduler Statistics").
    """
    thread = threading.get_native_id()
    try:
        if thread not in _schedstats:
            _schedstats[thread] = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        return int(os.pread(_schedstats[thread], 64, 0).split()[1]) // 1000
    except (OSError, IndexError, ValueError):
        if thread in _schedstats:  # it was of an ended thread of the same number
            os.close(_schedstats.pop(thread))
        return 0


def ran_us() -> int:
    """Microseconds for which this thread ran."""
    return time.thread_time_ns() // 1000


_schedstats: dict[int, int] = {}
"""A descriptor of the schedstat of each thread that asked: they are read at every slow decision, and opening takes long."""
