"""Schedules: choose one line-up after another from what is known so far.

All formats count what was played and is being played, so an interrupted run simply goes on.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from typing import Protocol

Lineup = tuple[int, ...]
"""The ids of bots."""

RANDOM_SHARE = 0.2
"""Share of a ladder's tables drawn at random, so that all bots stay comparable."""

SPREAD = 350.0
"""Uncertainty of a bot without a match, in Elo. It shrinks with the square root of the number of matches plus one."""


@dataclass(frozen=True)
class Standing:
    """What a schedule knows about one bot."""

    rating: float | None
    """In Elo; None before its first finished match."""
    matches: int
    """Number of matches played and being played."""

    @property
    def uncertainty(self) -> float:
        """Roughly in Elo; only proportions matter."""
        return SPREAD / sqrt(self.matches + 1)


class Schedule(Protocol):
    """One of the formats."""

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        """The next line-up of bots in `standings`, which has those that may play now; None if everything is played."""


@dataclass
class Ladder:
    """Matchmaking by uncertainty and closeness, with a share of random tables. Never ends by itself.

    One bot is drawn with a probability proportional to its uncertainty squared, so that new bots are rated quickly; it meets
    the bots whose ratings are nearest to its own.
    """

    seats: int
    random: Random

    def next(self, standings: Mapping[int, Standing], among: Collection[int] | None = None) -> Lineup | None:
        """The next line-up; with `among`, the bot drawn first is one of these."""
        bots = list(standings)
        at_random = self.random.random() < RANDOM_SHARE
        if at_random and among is None:
            return tuple(self.random.sample(bots, self.seats))
        first_ones = bots if among is None else [bot for bot in bots if bot in among]
        weights = [1.0 if at_random else standings[bot].uncertainty ** 2 for bot in first_ones]
        (first,) = self.random.choices(first_ones, weights)
        others = [bot for bot in bots if bot != first]
        self.random.shuffle(others)  # random order among equals and bots without a rating
        if at_random:
            return self._shuffled(first, others)
        home = self._guess(standings, first)
        others.sort(key=lambda bot: abs(self._guess(standings, bot) - home) - self._reach(standings[bot]))
        return self._shuffled(first, others)

    def _shuffled(self, first: int, others: Sequence[int]) -> Lineup:
        lineup = [first, *others[: self.seats - 1]]
        self.random.shuffle(lineup)
        return tuple(lineup)

    def _guess(self, standings: Mapping[int, Standing], bot: int) -> float:
        """The bot's rating, or the mean of the field if it has none."""
        rating = standings[bot].rating
        if rating is not None:
            return rating
        known = [standing.rating for standing in standings.values() if standing.rating is not None]
        return sum(known) / len(known) if known else 0.0

    def _reach(self, standing: Standing) -> float:
        """A random bonus in closeness, so that it is not always the same bots that meet."""
        return self.random.expovariate(1.0) * standing.uncertainty


class _Tables:
    """Tables in a fixed order, each played `rounds` times, the least played first."""

    def __init__(self, tables: Callable[[], Iterable[Lineup]], rounds: int, played: Mapping[Lineup, int]) -> None:
        """`played` has how often each table was played already, by line-up in ascending order."""
        before = Counter(played)
        self._left = (table for number in range(rounds) for table in tables() if before[tuple(sorted(table))] <= number)

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        """The next table. Tables with a bot that may not play now are left out."""
        return next((table for table in self._left if all(bot in standings for bot in table)), None)


class RoundRobin(_Tables):
    """Every table of `seats` bots."""

    def __init__(self, bots: Sequence[int], seats: int, rounds: int, played: Mapping[Lineup, int]) -> None:
        super().__init__(lambda: combinations(sorted(bots), seats), rounds, played)


class Gauntlet(_Tables):
    """One bot against every table of the others."""

    def __init__(self, one: int, bots: Sequence[int], seats: int, rounds: int, played: Mapping[Lineup, int]) -> None:
        field = sorted(bot for bot in bots if bot != one)
        super().__init__(
            lambda: ((one, *others) for others in combinations(field, seats - 1)),
            rounds,
            played,
        )


@dataclass
class Duel:
    """Two bots against each other; the other seats are filled from a pool in turn."""

    seats: int
    new: int
    old: int
    pool: Sequence[int]
    started: int = 0

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        if self.new not in standings or self.old not in standings:
            return None
        others = [bot for bot in self.pool if bot in standings]
        if len(others) < self.seats - 2:
            return None
        at = self.started * (self.seats - 2)
        self.started += 1
        return (self.new, self.old, *((others[(at + i) % len(others)]) for i in range(self.seats - 2)))
