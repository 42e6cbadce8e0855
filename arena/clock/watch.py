"""The watch of one referee process: the current time, due deadlines, and the times when the process itself stood still."""

from collections import deque
from collections.abc import Callable

import trio

from bullring.arena.clock.judge import STALL_MARGIN_US
from bullring.arena.clock.limits import MICRO

HEARTBEAT_US = 20_000
"""Interval at which the watch looks at the time."""

NEVER = 1 << 62
"""A time that never comes."""


class Deadlines:
    """The deadlines of the matches in this process that are asleep.

    In a loop full of busy matches, a sleeping one runs only after all the others. So every running match checks these deadlines
    and wakes the matches that are due.
    """

    def __init__(self) -> None:
        self.earliest_us = NEVER
        """No sleeper is due before this time."""
        self._sleepers: dict[Callable[[], None], int] = {}

    def sleep(self, wake: Callable[[], None], deadline_us: int) -> None:
        """Have `wake` called soon after the deadline, unless `awake` is called first."""
        self._sleepers[wake] = deadline_us
        if deadline_us < self.earliest_us:
            self.earliest_us = deadline_us

    def awake(self, wake: Callable[[], None]) -> None:
        """Cancel the call of `wake`."""
        self._sleepers.pop(wake, None)

    def look(self, now_us: int) -> None:
        """Wake all sleepers that are due."""
        for wake in [wake for wake, deadline in self._sleepers.items() if deadline <= now_us]:
            del self._sleepers[wake]
            wake()
        self.earliest_us = min(self._sleepers.values(), default=NEVER)


class Stalls:
    """The times when this process could not run: a busy or sleeping machine must not be blamed on a bot."""

    def __init__(self) -> None:
        self._stalls: deque[tuple[int, int]] = deque(maxlen=256)

    def add(self, due_us: int, lag_us: int) -> None:
        """Note that something due at `due_us` happened `lag_us` later."""
        self._stalls.append((due_us, lag_us))

    def between(self, since_us: int, deadline_us: int, now_us: int) -> int:
        """How many microseconds the machine is known to have stood still between `since_us` and `now_us`.

        Being late for the deadline now is evidence as well, because the watch may not have run yet.
        """
        noticed = sum([min(lag, due + lag - since_us) for due, lag in self._stalls if due + lag > since_us])
        late = now_us - deadline_us
        return max(noticed, late if late > STALL_MARGIN_US else 0)


class Watch:
    """The watch of a referee process. Start `run` in the process's nursery."""

    def __init__(self) -> None:
        self.stalls = Stalls()
        self.deadlines = Deadlines()

    async def run(self) -> None:
        """Look at the time at short intervals until cancelled; a late look is a stall."""
        while True:
            due = now_us() + HEARTBEAT_US
            await trio.sleep_until(due / MICRO)
            lag = now_us() - due
            if lag > STALL_MARGIN_US:
                self.stalls.add(due, lag)


def now_us() -> int:
    """The current time of trio's clock, in microseconds."""
    return round(trio.current_time() * MICRO)
