"""Results as sums per group, of as many groups as fit into the cache."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.results import Results


@dataclass(frozen=True, eq=False)
class Part:
    """Sums over the matches of each of some groups. The axis of groups is last, so that every pass runs along memory."""

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

    @property
    def places(self) -> list[tuple[int, int]]:
        """All pairs of places, the lower one first."""
        return list(combinations(range(self.seats), 2))

    def net(self) -> NDArray[np.int64]:
        """(n, G): net wins of each place, summed over its rivals and the matches of a group."""
        total = np.zeros(self.lineups.shape, dtype=np.int64)
        for row, (a, b) in zip(self.balance, self.places, strict=True):
            total[a] += row
            total[b] -= row
        return total

    def chosen(self, groups: NDArray[np.bool_] | slice) -> "Part":
        """Some of the groups."""
        return Part(*(getattr(self, field.name)[..., groups] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence["Part"]) -> "Part":
        """The groups of several parts."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts], axis=-1) for field in fields(cls)))


def part_of(results: Results, start: int = 0, stop: int | None = None) -> Part:
    """The sums of the groups from number `start` to before `stop`."""
    stop = results.groups if stop is None else stop
    first, last = int(results.starts[start]), int(results.starts[stop])
    lineups = np.ascontiguousarray(results.lineups[start:stop].T, dtype=np.int64)
    places = list(combinations(range(results.seats), 2))
    balance = np.zeros((len(places), stop - start), dtype=np.int32)
    if stop == start:
        return Part(lineups, np.zeros(0, np.int64), balance, np.zeros_like(lineups), np.zeros(0, np.int64))
    starts = results.starts[start:stop] - first
    ranks = np.ascontiguousarray(results.ranks[first:last].T)
    for number, (a, b) in enumerate(places):
        won = (ranks[a] < ranks[b]).view(np.int8) - (ranks[a] > ranks[b]).view(np.int8)
        balance[number] = np.add.reduceat(won, starts, dtype=np.int32)
    return Part(
        lineups,
        results.sizes[start:stop].astype(np.int64),
        balance,
        np.add.reduceat(results.heads[first:last].T, starts, axis=1, dtype=np.int64),
        np.add.reduceat(results.deals[first:last], starts, dtype=np.int64),
    )
