"""The gain of playing the same deals again: the number of independent matches that each match of a group is worth."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bullring.ladder.rating.scales import student


@dataclass(frozen=True)
class Gain:
    """The gain of pairs over as many independent matches."""

    value: float
    """More than 1: pairs need fewer matches. 1: nothing is gained. Less than 1: they need more."""
    low: float
    high: float
    """The 95 % interval."""


def gain(counts: ArrayLike) -> Gain | None:
    """The gain, from (3, 3) numbers of pairs by the half points of their first and their second match.

    With V the variance of the points of a match, the mean of two independent matches has the variance V/2, and that of a pair
    V (1 + r)/2, where r is the correlation of its matches. So the gain is

        (V/2) / Var(mean of a pair) = 1 / (1 + r),

    the inverse of the design effect 1 + (m - 1) r of clusters of m = 2 (L. Kish, Survey Sampling, 1965). The interval is that of
    the logarithm of a ratio of means, linearised (W. G. Cochran, Sampling Techniques, 1977, chapter 6). None if there are fewer
    than three pairs, or their means show no spread.
    """
    cells = np.asarray(counts, dtype=np.float64)
    pairs = float(cells.sum())
    if pairs < 3:
        return None
    points = np.array([0.0, 0.5, 1.0])
    first, second = np.broadcast_arrays(points[:, None], points[None, :])
    portions = cells / pairs
    away = first - (middle := float((portions * (first + second) / 2).sum())), second - middle
    alone = (away[0] ** 2 + away[1] ** 2) / 4
    paired = ((away[0] + away[1]) / 2) ** 2
    of_alone, of_paired = float((portions * alone).sum()), float((portions * paired).sum())
    if of_paired < 1e-12:
        return None
    spread = float((portions * (alone / of_alone - paired / of_paired) ** 2).sum())
    half = float(student(round(pairs) - 1)) * math.sqrt(spread / (pairs - 1))
    # Both are taken about the mean of the same results: of the pairs' means, of which there are half as many.
    value = of_alone / of_paired * (pairs - 1) / (pairs - 0.5)
    return Gain(value, value * math.exp(-half), value * math.exp(half))
