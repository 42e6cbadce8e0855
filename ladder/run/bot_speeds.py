"""The speeds of a run's bots, from the store at first and then from its own matches."""

from collections.abc import Iterable

from bullring.ladder.standings.pace import REMEMBERED, Pace
from bullring.ladder.store.store import Store

START = 0.1
"""Seconds that starting a process takes, as long as none has been started."""

NEVER = float("inf")

_WEIGHT = 1 / 16
"""The weight of the last start, and of the last match."""


class Paces:
    """The paces of all bots, by their ids."""

    def __init__(self, store: Store) -> None:
        self.start = START
        """Seconds that starting a process takes: a mean over the last starts of all bots."""
        self._store = store
        self._paces: dict[int, Pace] = {}
        self._seconds: dict[int, float] = {}
        """For how long each bot is waited for in a match: a mean over its last ones."""
        self._used: dict[int, float] = {}
        """The processor time of each bot in a match, in seconds: a mean over its last ones."""

    def of(self, bot: int) -> Pace:
        """The pace of a bot."""
        pace = self._paces.get(bot)
        if pace is None:
            pace = self._paces[bot] = Pace()
            for seat, row in reversed([*self._store.recent(bot, 0, REMEMBERED)]):
                pace.learn(seat.spent.wall_us, min(other.spent.wall_us for other in row.seats), seat.decisions)
                self._count(bot, seat.spent.wall_us, seat.spent.cpu_us)
        return pace

    def computes(self, bot: int) -> bool:
        """Whether it has a processor for at least half of the time for which it is waited for, and so takes it from others."""
        return 2 * self._used.get(bot, 0.0) >= self._seconds.get(bot, NEVER)

    def costs(self, bots: Iterable[int]) -> dict[int, float]:
        """The machine seconds of a match of each of these bots that has played: while one thinks, a core is its own."""
        return {bot: self._seconds[bot] for bot in bots if bot in self._seconds}

    def _count(self, bot: int, wall_us: int, cpu_us: int) -> None:
        for means, us in ((self._seconds, wall_us), (self._used, cpu_us)):
            before = means.get(bot)
            means[bot] = us / 1e6 if before is None else before + _WEIGHT * (us / 1e6 - before)

    def learn(self, bot: int, wall_us: int, cpu_us: int, least_us: int, decisions: int, start_us: int) -> None:
        """Add what a bot did in a match: see `Pace` and `arena.match.cost.Spent`.

        `start_us`: how long the process that was started for it took, or 0.
        """
        self.of(bot).learn(wall_us, least_us, decisions)
        self._count(bot, wall_us, cpu_us)
        if start_us:
            self.start += _WEIGHT * (start_us / 1e6 - self.start)
