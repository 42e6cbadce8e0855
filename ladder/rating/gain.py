"""What it gains to play the same deals again: how many independent matches each match of a group is worth."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bullring.ladder.rating.scales import QUANTILE
from bullring.ladder.rating.sequential import moments


@dataclass(frozen=True)
class Gain:
    """The gain of pairs over as many independent matches."""

    value: float
    """More than 1: pairs need fewer matches. 1: nothing is gained. Less than 1: they need more."""
    low: float
    high: float
    """The 95 % interval."""


def gain(cells: ArrayLike, singles: ArrayLike) -> Gain | None:
    """The gain, from (5,) numbers of pairs by half points and (3,) numbers of their matches by half points.

    With V the variance of the points of a match, the mean of two independent matches has the variance V/2, and the mean of a pair
    the variance V (1 + r)/2, where r is the correlation of the points of its matches. So the gain is

        (V/2) / Var(mean of a pair) = 1 / (1 + r),

    the inverse of the design effect 1 + (m - 1) r of clusters of m = 2 (L. Kish, Survey Sampling, 1965, section 5.4). The interval
    is that of an intraclass correlation of pairs by the transformation z = artanh r, whose standard error is 1/sqrt(G - 3/2) for G
    pairs (R. A. Fisher, Statistical Methods for Research Workers, 1925, section 39). None if there are fewer than three pairs or
    their results show no spread.
    """
    pairs, matches = np.asarray(cells, dtype=np.float64), np.asarray(singles, dtype=np.float64)
    count = pairs.sum()
    if count < 3:
        return None
    _, variance = moments(matches / matches.sum(), np.linspace(0.0, 1.0, 3))
    _, of_mean = moments(pairs / count, np.linspace(0.0, 1.0, 5))
    if not variance > 0:
        return None
    # With few pairs the two can be alike or opposite throughout; then the transformation has no value.
    correlation = float(np.clip(2 * of_mean / variance - 1, -1 + 1e-9, 1 - 1e-9))
    z, half = math.atanh(correlation), QUANTILE / math.sqrt(count - 1.5)
    return Gain(*(1 / (1 + math.tanh(end)) for end in (z, z + half, z - half)))
