"""The watch of one referee process: what time it is, whose deadline is due, and when the process itself stood still."""

from collections import deque
from collections.abc import Callable

import trio

from bullring.arena.clock.judge import STALL_MARGIN_US
from bullring.arena.clock.limits import MICRO

HEARTBEAT_US = 20_000
"""How often the watch looks at the time."""

NEVER = 1 << 62
"""A moment that does not come."""


class Deadlines:
    """The deadlines for which the matches of this process are asleep.

    A loop full of busy matches comes round to a sleeping one only after all the others had their turn. So every match that
    runs looks here and wakes those whose time has come.
    """

    def __init__(self) -> None:
        self.earliest_us = NEVER
        """No sleeper is due before this moment."""
        self._sleepers: dict[Callable[[], None], int] = {}

    def sleep(self, wake: Callable[[], None], deadline_us: int) -> None:
        """Have `wake` called soon after the deadline, unless `awake` is called before."""
        self._sleepers[wake] = deadline_us
        if deadline_us < self.earliest_us:
            self.earliest_us = deadline_us

    def awake(self, wake: Callable[[], None]) -> None:
        """Do not call `wake` any more."""
        self._sleepers.pop(wake, None)

    def look(self, now_us: int) -> None:
        """Wake all whose time has come."""
        for wake in [wake for wake, deadline in self._sleepers.items() if deadline <= now_us]:
            del self._sleepers[wake]
            wake()
        self.earliest_us = min(self._sleepers.values(), default=NEVER)


class Stalls:
    """When this process did not get to run: a busy or sleeping machine must not be blamed on a bot."""

    def __init__(self) -> None:
        self._stalls: deque[tuple[int, int]] = deque(maxlen=256)

    def add(self, due_us: int, lag_us: int) -> None:
        """Something that was due at a moment happened so much later."""
        self._stalls.append((due_us, lag_us))

    def between(self, since_us: int, deadline_us: int, now_us: int) -> int:
        """Microseconds that the machine is known to have stood still between `since_us` and `now_us`.

        How late it is now for the deadline is evidence, too: the watch may not have had its turn yet.
        """
        noticed = sum([min(lag, due + lag - since_us) for due, lag in self._stalls if due + lag > since_us])
        late = now_us - deadline_us
        return max(noticed, late if late > STALL_MARGIN_US else 0)


class Watch:
    """One for each referee process. `run` belongs into its nursery."""

    def __init__(self) -> None:
        self.stalls = Stalls()
        self.deadlines = Deadlines()

    async def run(self) -> None:
        """Look at the time at short intervals until cancelled; a look that comes late is a stall."""
        while True:
            due = now_us() + HEARTBEAT_US
            await trio.sleep_until(due / MICRO)
            lag = now_us() - due
            if lag > STALL_MARGIN_US:
                self.stalls.add(due, lag)


def now_us() -> int:
    """The present moment in microseconds of trio's clock."""
    return round(trio.current_time() * MICRO)
