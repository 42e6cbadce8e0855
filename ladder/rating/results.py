"""The input of the ratings."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bullring.ladder.rating.scales import Ints


@dataclass(frozen=True, eq=False)
class Results:
    """All finished groups of one list (one game, one set of options, one number of seats), in order.

    The matches of all groups are stacked in rows, so a group may have any number of them: 1 if its deals were played once, 2 in a
    swap, n in a rotation. Groups are independent of each other; the matches within one are not.
    """

    bots: int
    """K, including bots that never played."""
    lineups: Ints
    """(G, n): the bot number, 0 to K-1, at each place of the line-up; no bot twice."""
    sizes: Ints
    """(G,): number of matches of each group, at least 1."""
    ranks: Ints
    """(M, n): the rank of the bot at each place of the line-up; 1 is best, ties share one. Only the order within a row matters."""
    heads: Ints
    """(M, n): its heads over all deals of the match."""
    deals: Ints
    """(M,): number of deals played, at least 1."""

    def __post_init__(self) -> None:
        """Refuse inconsistent arrays, because every computation trusts them. Raises `ValueError`."""
        for name in ("lineups", "sizes", "ranks", "heads", "deals"):
            array = np.asarray(getattr(self, name))
            if not np.issubdtype(array.dtype, np.integer):
                raise ValueError(f"{name} must be integers, not {array.dtype}")
            object.__setattr__(self, name, array)
        groups, seats = self._shape("lineups", 2)
        (sizes,) = self._shape("sizes", 1)
        (deals,) = self._shape("deals", 1)
        if sizes != groups:
            raise ValueError(f"the number of sizes must be that of the line-ups, {groups}, not {sizes}")
        if seats < 2:
            raise ValueError(f"a line-up must have at least 2 places, not {seats}")
        if groups and self.sizes.min() < 1:
            raise ValueError(f"a group must have at least 1 match, not {self.sizes.min()}")
        matches = int(self.sizes.sum(dtype=np.int64))
        for name, shape in (("ranks", (matches, seats)), ("heads", (matches, seats)), ("deals", (matches,))):
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} of these groups must have the shape {shape}, not {getattr(self, name).shape}")
        if deals and self.deals.min() < 1:
            raise ValueError(f"a match must have at least 1 deal, not {self.deals.min()}")
        if groups and not (self.lineups.min() >= 0 and self.lineups.max() < self.bots):
            raise ValueError(
                f"bots of a line-up must be from 0 to {self.bots - 1}, not {self.lineups.min()} to {self.lineups.max()}"
            )
        for a, b in combinations(range(seats), 2):
            if np.any(self.lineups[:, a] == self.lineups[:, b]):
                raise ValueError("a bot must not have two places in a line-up")

    def _shape(self, name: str, dimensions: int) -> tuple[int, ...]:
        shape: tuple[int, ...] = getattr(self, name).shape
        if len(shape) != dimensions:
            raise ValueError(f"{name} must have {dimensions} dimensions, not {len(shape)}")
        return shape

    @classmethod
    def stacked(
        cls, bots: int, lineups: ArrayLike, ranks: ArrayLike, heads: ArrayLike, deals: ArrayLike = 1
    ) -> "Results":
        """Results of groups of equal size m: ranks and heads (G, m, n), deals (G, m) or one number for all."""
        ranked, headed = np.asarray(ranks), np.asarray(heads)
        if ranked.ndim != 3:
            raise ValueError(f"ranks of stacked groups must have 3 dimensions, not {ranked.ndim}")
        groups, size, seats = ranked.shape
        return cls(
            bots=bots,
            lineups=np.asarray(lineups),
            sizes=np.full(groups, size),
            ranks=ranked.reshape(groups * size, seats),
            heads=headed.reshape(groups * size, seats),
            deals=np.broadcast_to(np.asarray(deals), (groups, size)).reshape(groups * size),
        )

    @classmethod
    def none(cls, bots: int, seats: int) -> "Results":
        """The results of a list without a finished group."""
        rows = np.zeros((0, seats), dtype=np.int64)
        return cls(bots, rows, rows[:, 0], rows, rows, rows[:, 0])

    @property
    def groups(self) -> int:
        """The number of groups: G."""
        return len(self.lineups)

    @property
    def seats(self) -> int:
        """The number of seats: n."""
        return int(self.lineups.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays."""
        return sum(array.nbytes for array in (self.lineups, self.sizes, self.ranks, self.heads, self.deals))

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """(G + 1,): the row of each group's first match, and the number of all matches."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.sizes, dtype=np.int64)])

    def chosen(self, groups: NDArray[Any] | slice) -> "Results":
        """A selection of groups (numbers, a mask or a slice), in the order given."""
        numbers = np.arange(self.groups)[groups]
        rows = np.repeat(self.starts[numbers] - _starts(self.sizes[numbers]), self.sizes[numbers])
        rows = rows + np.arange(len(rows))
        return Results(
            self.bots,
            self.lineups[numbers],
            self.sizes[numbers],
            self.ranks[rows],
            self.heads[rows],
            self.deals[rows],
        )


def _starts(sizes: Ints) -> NDArray[np.int64]:
    return np.cumsum(sizes, dtype=np.int64) - sizes
