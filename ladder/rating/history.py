"""The ratings of a list after its first k groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.live import Live
from bullring.ladder.rating.part import part_of
from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.tally import CHUNK, Tally


@dataclass(frozen=True, eq=False)
class Course:
    """Ratings in Elo at C points of the history."""

    groups: NDArray[np.int64]
    """(C,): number of groups counted, from the first on."""
    ratings: Floats
    """(C, K): nan for bots that had not played yet."""
    low: Floats
    high: Floats
    """(C, K): the 95 % intervals against the mean of the list at that point, within 1 % as in `live`."""


def history(tallied: Tally, after: Sequence[int], anchor: int | None = None, rating: float = 0.0) -> Course:
    """Rate after the first k groups, for each k of a non-decreasing sequence, in one pass over the list."""
    if any(k < 0 or k > tallied.groups for k in after) or any(a > b for a, b in pairwise(after)):
        raise ValueError(f"counts of groups must rise between 0 and {tallied.groups}, not {list(after)}")
    ratings, low, high = np.full((3, len(after), tallied.bots), np.nan)
    live = Live(tallied.seats)
    live.grow(tallied.bots)
    row = done = 0

    def reached() -> None:
        nonlocal row
        while row < len(after) and after[row] == done:
            whole = live.estimate(anchor, rating)
            ratings[row], low[row], high[row] = whole.ratings, whole.low, whole.high
            row += 1

    reached()
    for results in tallied.blocks():
        at = 0
        while at < results.groups and row < len(after):
            stop = min(at + CHUNK, results.groups, at + after[row] - done)
            live.count(part_of(results, at, stop), tallied.bots)
            done, at = done + stop - at, stop
            reached()
    return Course(np.array(after, dtype=np.int64), ratings, low, high)
