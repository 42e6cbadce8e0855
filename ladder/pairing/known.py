"""Ratings as the schedule needs them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.estimate import Estimate
from bullring.ladder.rating.scales import Floats


@dataclass(frozen=True, eq=False)
class Known:
    """A list at one moment: plain numbers and arrays, of a few hundred kilobytes for 200 bots. It may travel between processes."""

    bots: tuple[int, ...]
    """The ids of its K bots, in the order of the arrays."""
    met: NDArray[np.int32]
    """(K, K): matches of each pair."""
    ratings: Floats
    """(K,): Elo; nan for bots that never played."""
    widths: Floats
    """(K,): half of the interval that is printed, in Elo: that of the difference to the mean. inf or nan where there is none."""
    weights: Floats
    """(K,): by what share each bot counts in the mean."""
    target: float | None = None
    """The half of an interval that is enough, in Elo; None: as narrow as they get."""

    @classmethod
    def of(cls, estimate: Estimate, bots: Sequence[int], target: float | None = None) -> "Known":
        """From an estimate, with the ids of its bots by number."""
        return cls(
            tuple(bots),
            estimate.met.astype(np.int32),
            estimate.ratings,
            (estimate.high - estimate.low) / 2,
            estimate.weights,
            target,
        )

    @classmethod
    def nothing(cls, target: float | None = None) -> "Known":
        """The state of a list without a match."""
        return cls((), np.zeros((0, 0), np.int32), np.zeros(0), np.zeros(0), np.zeros(0), target)
