"""The ratings of a list after its first k groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.estimate import estimate, maximum, rated
from bullring.ladder.rating.scales import Floats
from bullring.ladder.rating.tally import Tally


@dataclass(frozen=True, eq=False)
class Course:
    """Ratings in Elo at C points of the history."""

    groups: NDArray[np.int64]
    """(C,): number of groups counted, from the first on."""
    ratings: Floats
    """(C, K): nan for bots that had not played yet."""
    low: Floats
    high: Floats
    """(C, K): the 95 % intervals against the anchor; nan if they were not asked for."""


def history(
    tallied: Tally, after: Sequence[int], anchor: int = 0, rating: float = 0.0, *, intervals: bool = False
) -> Course:
    """Rate after the first k groups, for each k of a non-decreasing sequence.

    Ratings alone cost one pass over all groups and a few Newton steps per point; with intervals, each point costs its own pass.
    """
    if any(k < 0 or k > tallied.groups for k in after) or any(a > b for a, b in pairwise(after)):
        raise ValueError(f"counts of groups must rise between 0 and {tallied.groups}, not {list(after)}")
    weight = 1 / (tallied.seats - 1)
    ratings, low, high = np.full((3, len(after), tallied.bots), np.nan)
    matches, balance = np.zeros((2, tallied.bots, tallied.bots))
    strengths: Floats | None = None
    done = 0
    for row, count in enumerate(after):
        more, won = tallied.met(done, count)
        matches, balance, done = matches + more, balance + won, count
        strengths, _ = maximum(matches * weight, balance * weight, strengths)
        ratings[row] = rated(strengths, matches, anchor, rating)
        if intervals:
            whole = estimate(_first(tallied, count), anchor, rating)
            low[row], high[row] = whole.low, whole.high
    return Course(np.array(after, dtype=np.int64), ratings, low, high)


def _first(tallied: Tally, count: int) -> Tally:
    """The tally of the first groups."""
    some = slice(0, count)
    return replace(
        tallied,
        lineups=tallied.lineups[:, some],
        sizes=tallied.sizes[some],
        balance=tallied.balance[:, some],
        heads=tallied.heads[:, some],
        deals=tallied.deals[some],
    )
