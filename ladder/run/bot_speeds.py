"""The speeds of a run's bots, from the store at first and then from its own matches."""

from collections.abc import Iterable

from bullring.ladder.standings.pace import REMEMBERED, Pace, load
from bullring.ladder.store.store import Store

START = 0.1
"""Seconds that starting a process takes, as long as none has been started."""

_WEIGHT = 1 / 16
"""The weight of the last start."""


class Paces:
    """The paces of all bots, by their ids."""

    def __init__(self, store: Store) -> None:
        self.start = START
        """Seconds that starting a process takes: a mean over the last starts of all bots."""
        self._store = store
        self._paces: dict[int, Pace] = {}

    def of(self, bot: int) -> Pace:
        """The pace of a bot."""
        pace = self._paces.get(bot)
        if pace is None:
            pace = self._paces[bot] = Pace()
            for seat, row in reversed([*self._store.recent(bot, 0, REMEMBERED)]):
                least_us = min(other.spent.wall_us for other in row.seats)
                pace.learn(seat.spent.wall_us, seat.spent.cpu_us, least_us, seat.decisions)
        return pace

    def load(self, bots: Iterable[int]) -> float:
        """The part of a core that a table of these bots takes."""
        return load([self.of(bot) for bot in bots])

    def costs(self, bots: Iterable[int]) -> dict[int, float]:
        """The machine seconds of a match of each of these bots that has played: while one thinks, a core is its own."""
        return {bot: self._paces[bot].seconds for bot in bots if bot in self._paces and self._paces[bot].known}

    def learn(self, bot: int, wall_us: int, cpu_us: int, least_us: int, decisions: int, start_us: int) -> None:
        """Add what a bot did in a match: see `Pace` and `arena.match.cost.Spent`.

        `start_us`: how long the process that was started for it took, or 0.
        """
        self.of(bot).learn(wall_us, cpu_us, least_us, decisions)
        if start_us:
            self.start += _WEIGHT * (start_us / 1e6 - self.start)
