"""The classic Elo, updated after every match: easy to follow, but it depends on the order of matches and never settles.

After each match every bot moves by K/(n-1) times the sum over its rivals of the result (1, 1/2, 0) minus the expected result, all
from the ratings before the match. Other arenas of this game show such ratings; the standings are sorted by `estimate`'s.
"""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats

FACTOR = 32.0
"""K of Elo's formula: the most a match can move a bot, in Elo."""


@dataclass(frozen=True, eq=False)
class Running:
    """Running ratings in Elo."""

    ratings: Floats
    """(K,): after the last match; nan for bots that never played."""
    groups: NDArray[np.int64]
    """(steps,): the numbers of the groups, from 0, in which the followed bot played."""
    course: Floats
    """(steps,): its rating after each of these groups."""


class Walk:
    """The running ratings of a list that grows."""

    def __init__(self, first: float = 0.0, factor: float = FACTOR) -> None:
        """All bots start with the rating `first`."""
        self._first, self._factor = first, factor
        self._ratings: list[float] = []
        self._played: set[int] = set()

    def add(self, results: Results, follow: int | None = None) -> list[tuple[int, float]]:
        """Go through more matches, in the order of their groups. Returns the groups of one bot, and its rating after each."""
        self._ratings += [self._first] * (results.bots - len(self._ratings))
        ratings = self._ratings
        steps: list[tuple[int, float]] = []
        match, seats = 0, results.seats
        places = list(combinations(range(seats), 2))
        all_ranks = results.ranks.tolist()
        step, tanh = self._factor / (seats - 1) / 2, math.tanh
        for group, (lineup, size) in enumerate(zip(results.lineups.tolist(), results.sizes.tolist(), strict=True)):
            for ranks in all_ranks[match : match + size]:
                before = [ratings[bot] for bot in lineup]
                for a, b in places:
                    surplus = (ranks[a] < ranks[b]) - (ranks[a] > ranks[b]) - tanh((before[a] - before[b]) / (2 * ELO))
                    ratings[lineup[a]] += step * surplus
                    ratings[lineup[b]] -= step * surplus
            match += size
            if follow is not None and follow in lineup:
                steps.append((group, ratings[follow]))
        self._played.update(np.unique(results.lineups).tolist())
        return steps

    @property
    def ratings(self) -> Floats:
        """(K,): nan for bots that never played."""
        return np.array([own if bot in self._played else np.nan for bot, own in enumerate(self._ratings)])


def running(results: Results, follow: int | None = None, *, first: float = 0.0, factor: float = FACTOR) -> Running:
    """Go through all matches in the order of their groups; all bots start with the rating `first`."""
    course = Walk(first, factor)
    steps = course.add(results, follow)
    groups, ratings = zip(*steps, strict=True) if steps else ((), ())
    return Running(course.ratings, np.array(groups, dtype=np.int64), np.array(ratings, dtype=np.float64))
