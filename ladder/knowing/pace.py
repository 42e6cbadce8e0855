"""Whether a bot makes its tables wait, learnt from its last matches."""

from collections import deque
from collections.abc import Mapping

from bullring.ladder.knowing.timing import quantile

QUICK_US = 2000.0
"""Largest median time for a decision, in microseconds, in a match that was quick for a bot."""

QUICK_MEAN_US = 20_000.0
"""Largest mean time for a decision in such a match. What a bot asks for besides, such as a new process for each match, counts as
if it had thought for as long."""

SLOW_MEAN_US = 100_000.0
"""Mean time for a decision above which one match is enough to call a bot slow."""

REMEMBERED = 8
"""Last matches that count."""


class Pace:
    """The pace of a bot. It is slow if one of its last matches was very slow, or half of them, and at least two, were not quick.

    So a moment in which the machine was busy makes nobody slow.
    """

    def __init__(self) -> None:
        self._last: deque[bool | None] = deque(maxlen=REMEMBERED)
        """Its last matches: quick (True), not quick (False), very slow (None)."""

    @property
    def known(self) -> bool:
        """Whether it has played."""
        return bool(self._last)

    @property
    def quick(self) -> bool:
        """Whether nobody has to wait for it. A bot that is not known counts as quick."""
        slow = self._last.count(False)
        return None not in self._last and (slow < 2 or 2 * slow < len(self._last))

    def learn(self, wall_us: int, times: Mapping[int, int]) -> None:
        """Add a match: the time for which it was waited for, and counts of its decisions by time bucket (`timing`)."""
        mean = wall_us / max(1, sum(times.values()))
        median = quantile(times, 0.5) or 0.0
        self._last.append(None if mean > SLOW_MEAN_US else median <= QUICK_US and mean <= QUICK_MEAN_US)
