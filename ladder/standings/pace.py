"""Whether a bot makes its tables wait, learnt from its last matches."""

from collections import deque

QUICK_US = 2000.0
"""Microseconds by which the mean time of a quick bot for a decision may exceed that of the quickest at its table. The time of that
one is the machine's, and may pass once more, as it varies much beside other loads. Anything else that a bot asks for, such as a
process for each match, counts as if it had thought as long."""

QUICK_MEAN_US = 100_000.0
"""Largest mean time of a quick bot, however slow the others were."""

SLOW_US = 100_000.0
"""If it exceeds that of the quickest by more than this, one match is enough to call a bot slow."""

REMEMBERED = 8
"""Last matches that count."""


class Pace:
    """The pace of a bot. It is slow if one of its last matches was very slow, or half of them, and at least two, were not quick."""

    def __init__(self) -> None:
        self._last: deque[bool | None] = deque(maxlen=REMEMBERED)
        """Its last matches: quick (True), not quick (False), very slow (None)."""

    @property
    def known(self) -> bool:
        """Whether it has played."""
        return bool(self._last)

    @property
    def quick(self) -> bool:
        """Whether others do not have to wait for it. A bot that is not known counts as quick."""
        slow = self._last.count(False)
        return None not in self._last and (slow < 2 or 2 * slow < len(self._last))

    def learn(self, wall_us: int, least_us: int, decisions: int) -> None:
        """Add a match: the time for which it was waited for, the least such time at the table, and how often it was asked."""
        mean, least = (time / max(1, decisions) for time in (wall_us, least_us))
        own = mean - least
        self._last.append(None if own > SLOW_US else own <= max(QUICK_US, least) and mean <= QUICK_MEAN_US)
