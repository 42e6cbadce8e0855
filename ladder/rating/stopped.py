"""Estimates that know that a test may have stopped early: a walk between bounds, and the order of its ends.

The likelihood ratio of a sequential test is nearly a Brownian motion of unknown drift, looked at after each group. Its ends are put
in order: stopped at the upper bound, the earliest first; then those that go on, the highest first; then stopped at the lower bound,
the earliest last (D. Siegmund, "Estimation following sequential tests", 1978; A. Tsiatis, G. Rosner and C. Mehta, "Exact confidence
intervals following a group sequential test", 1984). The drifts for which an end at least as high as the one seen has a probability
of 2.5, 50 and 97.5 % are the interval and a median-unbiased estimate.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from bullring.ladder.rating.scales import Floats

OVERSHOOT = 0.583
"""A walk passes a bound by this many standard deviations of a step on the average (D. Siegmund, Sequential Analysis, 1985, chapter
10), so bounds this much further out stop a walk of smaller steps as often."""
FINENESS = 20
"""Standard deviations of a step of the calculation between the edges."""
MOST = 2000
"""Steps of the longest calculation."""
REACH = 13.0
"""Standard deviations of a walk beyond which nothing is looked for."""
MANY, FEW = np.polynomial.legendre.leggauss(96), np.polynomial.legendre.leggauss(24)
"""Nodes and weights of Gauss and Legendre between the edges, and beyond them."""


@dataclass(frozen=True)
class Edges:
    """The values between which the walk, and with it the test, goes on."""

    low: float
    high: float
    mirrored: bool = False
    """Whether a second test goes on beside this one, of the same walk turned round. In the ratio of the first, where a walk without
    a difference falls by half of the time, that one's upper edge is at -high - time, until the lower edges meet."""

    def at(self, time: float, moved: float = 0.0) -> tuple[float, float]:
        """The lower and the upper edge at a time, both moved outwards."""
        low, high = self.low - moved, self.high + moved
        return (-high - time if self.mirrored and time < -2 * low else low), high


@dataclass(frozen=True)
class Ends:
    """The ends of walks that are at least as high as the one seen."""

    times: Floats
    values: Floats
    chances: Floats
    """(N,): when and where, and how probable if the walk has this drift:"""
    drift: float

    def above(self, drifts: float | Floats) -> Floats:
        """(...): the probability of such an end with (...) other drifts: each path has another weight, which its end tells."""
        far = (REACH - 5) / math.sqrt(self.times[-1])  # there the probability is 0 or 1
        change = np.clip(np.asarray(drifts)[..., None] - self.drift, -far, far)
        weights = np.exp(change * (self.values - self.drift * self.times) - change**2 * self.times / 2)
        return np.minimum(weights @ self.chances, 1.0)

    def drifts(self, chances: ArrayLike) -> Floats:
        """(K,): the drifts for which the probability of such an end is (K,) `chances`."""
        wanted = np.asarray(chances)
        far = REACH / math.sqrt(self.times[-1])
        low, high = (np.full(wanted.shape, self.drift + side * far) for side in (-1, 1))
        for _ in range(30):
            middle = (low + high) / 2
            less = self.above(middle) < wanted
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        return np.asarray((low + high) / 2)


@lru_cache(maxsize=64)
def ends(edges: Edges, pace: float, groups: int, reached: float) -> Ends:
    """The ends that are at least as high as that of a walk which has `reached` a value, beyond an edge if it has stopped.

    `groups` groups were seen, each of which takes the time `pace`, in which the variance grows by as much. By numerical integration
    from step to step (P. Armitage, C. McPherson and B. Rowe, 1969).
    """
    whole = groups * pace
    width = edges.high - min(edges.low, edges.at(0.0)[0])
    steps = min(groups, MOST, max(8, math.ceil(whole * (FINENESS / width) ** 2)))
    each = whole / steps
    moved, deviation, drift = OVERSHOOT * (math.sqrt(pace) - math.sqrt(each)), math.sqrt(each), reached / whole
    if steps < groups:
        low, high = edges.at(whole, moved)
        reached = min(max(reached, low), high)
    values, masses = np.zeros(1), np.ones(1)
    kernels: dict[tuple[float, ...], Floats] = {}

    def onto(low: float, high: float, rule: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Nodes between two values, and the probabilities of steps to them."""
        low = min(low, high)  # else one is out of reach
        half = (high - low) / 2
        nodes = low + half * (1 + rule[0])
        key = low, high, values[0], values[-1], len(nodes)
        if key not in kernels:
            away = (nodes[:, None] - values - drift * each) / deviation
            kernels[key] = np.exp(-(away**2) / 2) * (half / deviation / math.sqrt(2 * math.pi)) * rule[1][:, None]
        return nodes, kernels[key] @ masses

    above = []
    for step in range(1, steps + 1):
        time = step * each
        low, high = edges.at(time, moved)
        reach = REACH * math.sqrt(time)
        low = max(low, drift * time - reach)
        furthest = min(high + REACH * deviation + abs(drift) * each, drift * time + reach)
        up, chances = onto(high, furthest, FEW) if step < steps else onto(reached, furthest, MANY)
        above.append((np.full(len(up), time), up, chances))
        values, masses = onto(low, min(high, drift * time + reach), MANY)
    times, ups, chances = map(np.concatenate, zip(*above, strict=True))
    return Ends(times, ups, chances, drift)
