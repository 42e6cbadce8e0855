"""The number of tables of quick bots that a referee process plays side by side.

While the bots of one table think, others are served. But tables of bots that compute queue for the same cores: turns become slow,
bots are frozen and thawed one after another, and find their caches cold. So where a turn takes `TURN_US` of processor time, there
are as many tables as keep the cores busy: fewer as long as no core idles, more as long as some do.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from bullring.ladder.run.workers.messages import Seat

MOST = 8
"""Most tables side by side, and as many as there are of bots that need next to no time."""

TURN_US = 200.0
"""Microseconds of processor time that all bots of a table use for a turn together."""

LAST = 64
"""Last matches of which that is the mean, later ones counting more: many, because a bot is seldom measured (`pool.WEIGH_EVERY`)."""

EVERY = 0.5
"""Seconds between two looks at the cores."""

BUSY, IDLE = 0.1, 0.25
"""Shares of the time of the cores in which they idle: below the first there are too many tables, above the second too few."""


class Beside:
    """Decides anew all the time how many tables there are."""

    def __init__(self) -> None:
        self._turn_us = TURN_US  # bots that are not known may compute
        self._keep_busy = 1
        """The tables that keep the cores busy."""
        self._looked = 0.0
        """The time of the last look, in seconds."""
        self._times = _times()

    @property
    def tables(self) -> int:
        """The most tables to play now."""
        return MOST if self._turn_us < TURN_US else self._keep_busy

    def learn(self, seats: Sequence[Seat]) -> None:
        """Learn from a match."""
        turn_us = sum(seat.cpu_us for seat in seats) / max(1, *(seat.decisions for seat in seats))
        self._turn_us += (turn_us - self._turn_us) / LAST

    def look(self, now: float, tables: int) -> None:
        """Look at the cores, if the last look was long enough ago. `now` in seconds; `tables` is how many are played."""
        if tables < self.tables:  # what idles now waits for orders
            self._times, self._looked = _times(), now
        if now - self._looked < EVERY:
            return
        before, self._times, self._looked = self._times, _times(), now
        all_, idle = (after - earlier for after, earlier in zip(self._times, before, strict=True))
        if not all_ or idle > IDLE * all_:
            self._keep_busy = min(MOST, 2 * self._keep_busy)
        elif idle < BUSY * all_:
            self._keep_busy = max(1, self._keep_busy // 2)


def _times() -> tuple[int, int]:
    """The time that has passed on the cores this process may use, and the part in which they were idle; both 0 if unknown."""
    try:
        lines = Path("/proc/stat").read_text("ascii").splitlines()
        found = {name: list(map(int, times)) for name, *times in map(str.split, lines) if name.startswith("cpu")}
        mine = [found[f"cpu{number}"][:8] for number in os.sched_getaffinity(0)]
    except (OSError, ValueError, KeyError):
        return 0, 0
    return sum(map(sum, mine)), sum(idle + waiting for _, _, _, idle, waiting, *_ in mine)
