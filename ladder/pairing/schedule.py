"""Schedules that go through tables in their order; that of a ladder is in `informed`.

They count what was played and is being played, so an interrupted run simply goes on.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

Lineup = tuple[int, ...]
"""The ids of bots."""


class Schedule(Protocol):
    """One of the formats."""

    def next(self, able: Collection[int]) -> Lineup | None:
        """The next line-up of bots in `able`, which may play now; None if everything is played."""


class _Tables:
    """Tables in a fixed order, each played `rounds` times, the least played first."""

    def __init__(self, tables: Callable[[], Iterable[Lineup]], rounds: int, played: Mapping[Lineup, int]) -> None:
        """`played` has how often each table was played already, by line-up in ascending order."""
        before = Counter(played)
        self._left = (table for number in range(rounds) for table in tables() if before[tuple(sorted(table))] <= number)

    def next(self, able: Collection[int]) -> Lineup | None:
        """The next table. Tables with a bot that may not play now are left out."""
        return next((table for table in self._left if all(bot in able for bot in table)), None)


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

    def next(self, able: Collection[int]) -> Lineup | None:
        if self.new not in able or self.old not in able:
            return None
        others = [bot for bot in self.pool if bot in able]
        if len(others) < self.seats - 2:
            return None
        at = self.started * (self.seats - 2)
        self.started += 1
        return (self.new, self.old, *((others[(at + i) % len(others)]) for i in range(self.seats - 2)))

    def refilled(self, lineup: Lineup, able: Collection[int]) -> Lineup | None:
        """A line-up that was begun, with others of the pool in place of its bots that may not play now; None if it cannot be."""
        others = [bot for bot in self.pool if bot in able]
        spare = [bot for bot in others if bot not in lineup]
        seated = [bot if bot in others else spare.pop(0) if spare else None for bot in lineup[2:]]
        found = [self.new, self.old, *(bot for bot in seated if bot is not None)]
        return tuple(found) if len(found) == len(lineup) and self.new in able and self.old in able else None
