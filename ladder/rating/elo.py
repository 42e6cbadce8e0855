"""The classic Elo, updated after every match: easy to follow, but it depends on the order of matches and never settles.

After each match every bot moves by K/(n-1) times the sum over its rivals of the result (1, 1/2, 0) minus the expected result, all
from the ratings before the match. Other arenas of this game show such ratings; the standings are sorted by `estimate`'s.
"""

import math
from itertools import combinations

import numpy as np

from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats

FACTOR = 32.0
"""K of Elo's formula: the most a match can move a bot, in Elo."""


class Walk:
    """The running ratings of a list that grows."""

    def __init__(self, first: float = 0.0, factor: float = FACTOR) -> None:
        """All bots start with the rating `first`."""
        self._first, self._factor = first, factor
        self._ratings: list[float] = []
        self._played: set[int] = set()

    def add(self, results: Results) -> None:
        """Go through more matches, in the order of their groups."""
        self._ratings += [self._first] * (results.bots - len(self._ratings))
        ratings = self._ratings
        match, seats = 0, results.seats
        places = list(combinations(range(seats), 2))
        all_ranks = results.ranks.tolist()
        step, tanh = self._factor / (seats - 1) / 2, math.tanh
        for lineup, size in zip(results.lineups.tolist(), results.sizes.tolist(), strict=True):
            for ranks in all_ranks[match : match + size]:
                before = [ratings[bot] for bot in lineup]
                for a, b in places:
                    surplus = (ranks[a] < ranks[b]) - (ranks[a] > ranks[b]) - tanh((before[a] - before[b]) / (2 * ELO))
                    ratings[lineup[a]] += step * surplus
                    ratings[lineup[b]] -= step * surplus
            match += size
        self._played.update(np.unique(results.lineups).tolist())

    @property
    def ratings(self) -> Floats:
        """(K,): nan for bots that never played."""
        return np.array([own if bot in self._played else np.nan for bot, own in enumerate(self._ratings)])
