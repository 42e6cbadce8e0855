"""Who plays whom: one line-up after the other, chosen by what is known so far.

All formats go by counts of groups that were played or are being played, so a run that was interrupted simply goes on.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from random import Random
from typing import Protocol

Lineup = tuple[int, ...]
"""The ids of bots."""

RANDOM_SHARE = 0.2
"""Of all tables on a ladder, how many are drawn at random, to keep everybody compared with everybody."""

SPREAD = 350.0
"""Elo: how uncertain a bot is that has played one group. It shrinks with the root of their number."""


@dataclass(frozen=True)
class Standing:
    """What the schedule knows of one bot."""

    rating: float | None
    """None before its first finished group."""
    groups: int
    """Groups played and being played."""

    @property
    def uncertainty(self) -> float:
        """Elo, roughly; only proportions matter."""
        return SPREAD / sqrt(self.groups + 1)


class Schedule(Protocol):
    """A format."""

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        """The next line-up among these bots, which are those that may play now; None if all is played."""


@dataclass
class Ladder:
    """Matchmaking by uncertainty and closeness, with a share of random tables. Never ends by itself.

    One bot is drawn with a chance that grows with its uncertainty squared, so new bots are placed quickly; it meets those whose
    rating is nearest to its own.
    """

    seats: int
    random: Random

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        bots = list(standings)
        if self.random.random() < RANDOM_SHARE:
            return tuple(self.random.sample(bots, self.seats))
        weights = [standings[bot].uncertainty ** 2 for bot in bots]
        (first,) = self.random.choices(bots, weights)
        others = [bot for bot in bots if bot != first]
        self.random.shuffle(others)  # among equals, and those without a rating, by chance
        home = self._guess(standings, first)
        others.sort(key=lambda bot: abs(self._guess(standings, bot) - home) - self._reach(standings[bot]))
        lineup = [first, *others[: self.seats - 1]]
        self.random.shuffle(lineup)
        return tuple(lineup)

    def _guess(self, standings: Mapping[int, Standing], bot: int) -> float:
        """Its rating, or the middle of the field."""
        rating = standings[bot].rating
        if rating is not None:
            return rating
        known = [standing.rating for standing in standings.values() if standing.rating is not None]
        return sum(known) / len(known) if known else 0.0

    def _reach(self, standing: Standing) -> float:
        """How much nearer a bot may be than it seems: drawn, so that it is not always the same who meet."""
        return self.random.expovariate(1.0) * standing.uncertainty


class _Tables:
    """Tables in a fixed order, `rounds` times each, those played least first."""

    def __init__(self, tables: Callable[[], Iterable[Lineup]], rounds: int, played: Mapping[Lineup, int]) -> None:
        """`played` has, by line-up in ascending order, the groups that were played already."""
        before = Counter(played)
        self._left = (table for number in range(rounds) for table in tables() if before[tuple(sorted(table))] <= number)

    def next(self, standings: Mapping[int, Standing]) -> Lineup | None:
        """See `Schedule`. Tables with a bot that may not play now are left out."""
        return next((table for table in self._left if all(bot in standings for bot in table)), None)


class RoundRobin(_Tables):
    """Every table of so many bots."""

    def __init__(self, bots: Sequence[int], seats: int, rounds: int, played: Mapping[Lineup, int]) -> None:
        super().__init__(lambda: combinations(sorted(bots), seats), rounds, played)


class Gauntlet(_Tables):
    """One bot against all tables of the field."""

    def __init__(self, one: int, bots: Sequence[int], seats: int, rounds: int, played: Mapping[Lineup, int]) -> None:
        field = sorted(bot for bot in bots if bot != one)
        super().__init__(
            lambda: ((one, *others) for others in combinations(field, seats - 1)),
            rounds,
            played,
        )


@dataclass
class Duel:
    """Two bots against each other, the other seats filled from a pool in turn."""

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
