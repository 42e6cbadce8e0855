"""One pass over all matches: sums per group, from which everything else is computed."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import Floats

CHUNK = 1 << 14
"""Groups processed at once, chosen so that their arrays stay in the cache."""


@dataclass(frozen=True, eq=False)
class Tally:
    """Sums over the matches of each group. The axis of groups is last, so that every pass runs along memory."""

    bots: int
    lineups: NDArray[np.int64]
    """(n, G): bot number at each place."""
    sizes: NDArray[np.int64]
    """(G,): number of matches."""
    balance: NDArray[np.int32]
    """(n(n-1)/2, G): for each pair of places, in the order of `places`, matches won by the first minus those won by the second."""
    heads: NDArray[np.int64]
    """(n, G): total heads at each place."""
    deals: NDArray[np.int64]
    """(G,): number of deals."""

    @property
    def groups(self) -> int:
        """The number of groups: G."""
        return len(self.sizes)

    @property
    def seats(self) -> int:
        """The number of seats: n."""
        return len(self.lineups)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """All pairs of places, the lower one first."""
        return list(combinations(range(self.seats), 2))

    @cached_property
    def groups_of(self) -> NDArray[np.int64]:
        """(K,): number of groups of each bot."""
        return np.bincount(self.lineups.ravel(), minlength=self.bots)

    @cached_property
    def matches_of(self) -> NDArray[np.int64]:
        """(K,): number of matches of each bot."""
        counts = np.bincount(self.lineups.ravel(), np.tile(self.sizes, self.seats).astype(np.float64), self.bots)
        return np.rint(counts).astype(np.int64)

    def net(self, start: int = 0, stop: int | None = None) -> NDArray[np.int64]:
        """(n, groups): net wins of each place, summed over its rivals and the matches of a group."""
        chosen = slice(start, stop)
        total = np.zeros((self.seats, len(self.sizes[chosen])), dtype=np.int64)
        for row, (a, b) in zip(self.balance[:, chosen], self.places, strict=True):
            total[a] += row
            total[b] -= row
        return total

    def met(self, start: int = 0, stop: int | None = None) -> tuple[Floats, Floats]:
        """(K, K) twice, whole numbers: matches of each pair, and matches won by the first minus those won by the second."""
        chosen = slice(start, stop)
        sizes = self.sizes[chosen].astype(np.float64)
        matches, balance = np.zeros((2, self.bots, self.bots))
        for row, (a, b) in zip(self.balance[:, chosen], self.places, strict=True):
            codes = self.lineups[a, chosen] * self.bots + self.lineups[b, chosen]
            matches += _square(codes, sizes, self.bots)
            balance += _square(codes, row, self.bots)
        return matches + matches.T, balance - balance.T


def tally(results: Results) -> Tally:
    """Sum up all matches in one pass."""
    groups, seats, bots = results.groups, results.seats, results.bots
    places = list(combinations(range(seats), 2))
    lineups = np.ascontiguousarray(results.lineups.T, dtype=np.int64)
    sizes = results.sizes.astype(np.int64)
    balance = np.zeros((len(places), groups), dtype=np.int32)
    heads = np.zeros((seats, groups), dtype=np.int64)
    deals = np.zeros(groups, dtype=np.int64)
    step = max(CHUNK, bots * bots)  # each chunk is added into tables of that size
    for start in range(0, groups, step):
        some = slice(start, min(start + step, groups))
        first, last = results.starts[some.start], results.starts[some.stop]
        starts = results.starts[some] - first
        ranks = np.ascontiguousarray(results.ranks[first:last].T)
        for number, (a, b) in enumerate(places):
            won = (ranks[a] < ranks[b]).view(np.int8) - (ranks[a] > ranks[b]).view(np.int8)
            balance[number, some] = np.add.reduceat(won, starts, dtype=np.int32)
        heads[:, some] = np.add.reduceat(results.heads[first:last].T, starts, axis=1, dtype=np.int64)
        deals[some] = np.add.reduceat(results.deals[first:last], starts, dtype=np.int64)
    return Tally(bots, lineups, sizes, balance, heads, deals)


def _square(codes: NDArray[np.int64], weights: NDArray[np.int32] | Floats, bots: int) -> Floats:
    return np.asarray(np.bincount(codes, weights, bots * bots).reshape(bots, bots), dtype=np.float64)
