"""Which bots are quick: known from their last decisions, so that nobody waits for a slow one."""

from collections import Counter

from bullring.ladder.keeping.rows import SeatRow
from bullring.ladder.knowing.timing import quantile

QUICK_US = 2000
"""The median time of a decision up to which a bot is quick."""

ENOUGH = 100
"""Decisions that say how quick a bot is."""

LOOK_AGAIN = 10
"""Of the matches of a quick bot each such one is looked at again."""


class Speeds:
    """What is known of the speed of the bots; a bot is slow until it is known to be quick."""

    def __init__(self) -> None:
        self._times: dict[int, Counter[int]] = {}
        """By bot, how long its last decisions took."""
        self._quick: set[int] = set()

    def is_quick(self, bot: int) -> bool:
        """Whether its decisions are quick, as far as is known."""
        return bot in self._quick

    def learn(self, seat: SeatRow, played: int) -> None:
        """Take the times of a match, which is number `played` of the run; look again from time to time."""
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
