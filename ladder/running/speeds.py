"""Which bots are quick, judged by their last decisions, so that nobody waits for a slow one."""

from collections import Counter

from bullring.ladder.keeping.rows import SeatRow
from bullring.ladder.knowing.timing import quantile

QUICK_US = 2000
"""Largest median time of a decision, in microseconds, for a bot to count as quick."""

ENOUGH = 100
"""Number of decisions needed to judge the speed of a quick bot again."""

LOOK_AGAIN = 10
"""Of a quick bot's matches, only those whose number in the run is a multiple of this are examined."""


class Speeds:
    """The known speeds of the bots; a bot counts as slow until it is known to be quick."""

    def __init__(self) -> None:
        self._times: dict[int, Counter[int]] = {}
        """Counts of the last decisions by time bucket, by bot."""
        self._quick: set[int] = set()

    def is_quick(self, bot: int) -> bool:
        """Whether the bot is known to be quick."""
        return bot in self._quick

    def learn(self, seat: SeatRow, played: int) -> None:
        """Add the times of a match, which is number `played` of the run."""
        if seat.bot in self._quick and played % LOOK_AGAIN:
            return
        times = self._times.setdefault(seat.bot, Counter())
        times.update(seat.times)
        if times.total() < ENOUGH and seat.bot in self._quick:
            return
        median = quantile(times, 0.5)
        if median is not None and median <= QUICK_US:
            self._quick.add(seat.bot)
        else:
            self._quick.discard(seat.bot)
        times.clear()
