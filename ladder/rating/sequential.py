"""Is the new bot better? A test on duplicate groups that stops as soon as it knows.

The generalised sequential probability ratio test (GSPRT) between a difference of elo0 and one of elo1, as engine testers use it
for pairs of games, here for groups of m matches. What counts of a group is the sum of the new bot's points against the old one, in
half points: 0 to 2m, so m = 1 is the trinomial and m = 2 the pentanomial test. See M. Van den Bergh, "The generalized maximum
likelihood ratio for the expectation value of a distribution" and "Normalized Elo"; the test is to be asked at whole groups only.
"""

import math
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bullring.ladder.rating.scales import QUANTILE, Floats, below, elo, share, wilson
from bullring.ladder.rating.tally import Tally

NORMALISED = 800 / math.log(10)
"""Normalised Elo of one standard deviation of a single match."""
EMPTY = 1e-3
"""Groups put into an empty cell, so that no outcome is impossible; fishtest's and fastchess's figure."""


class Verdict(Enum):
    """What the test says."""

    BETTER = "better"
    """elo1 rather than elo0, wrong with at most alpha if it is elo0."""
    NOT_BETTER = "not better"
    """elo0 rather than elo1, wrong with at most beta if it is elo1."""
    OPEN = "open"
    """Play on."""


@dataclass(frozen=True)
class Judgement:
    """The state of a test."""

    groups: int
    matches: int
    share: float
    """Points of the new bot for each match, 0 to 1."""
    llr: float
    """Log-likelihood ratio of elo1 against elo0."""
    lower: float
    upper: float
    """At or below the lower one the verdict is NOT_BETTER, at or above the upper one BETTER."""
    verdict: Verdict
    elo: float
    low: float
    high: float
    """Difference and 95 % interval as for a fixed number of groups. A test that stopped by itself stopped at a lucky or an unlucky
    moment: then the difference is somewhat too far from 0."""
    superior: float
    """Likelihood of superiority, 0 to 1."""
    normalised: float
    """Normalised Elo: the difference in standard deviations of a match, which says how many matches it takes to see it."""
    normalised_error: float
    """Half of its 95 % interval."""


@dataclass(frozen=True)
class Sequential:
    """A test; elo0 < elo1, alpha and beta are the probabilities of the two errors."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    method: Literal["exact", "normal"] = "exact"
    """The maximum over all multinomial distributions, or the normal approximation; they hardly differ from 100 groups on."""

    def __post_init__(self) -> None:
        """Refuse what no test can do."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 is less than elo1, not {self.elo0} and {self.elo1}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError(
                f"alpha and beta are more than 0 and together less than 1, not {self.alpha} and {self.beta}"
            )

    @property
    def lower(self) -> float:
        """Wald's bound of the log-likelihood ratio for elo0."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Wald's bound for elo1."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: ArrayLike) -> Floats:
        """(...): log-likelihood ratios of (..., 2m + 1) groups in each cell; 0 without a group."""
        cells = np.asarray(counts, dtype=np.float64)
        values = np.linspace(0.0, 1.0, cells.shape[-1])
        played = cells.sum(axis=-1) > 0
        filled = np.where(cells > 0, cells, EMPTY)
        total = filled.sum(axis=-1)
        portions = filled / total[..., None]
        low, high = float(share(self.elo0)), float(share(self.elo1))
        each = (portions * np.log(_tilt(portions, values, low) / _tilt(portions, values, high))).sum(axis=-1)
        if self.method == "normal":
            mean, variance = _moments(portions, values)
            normal = (high - low) * (2 * mean - low - high) / (2 * variance)
            # The variance of groups that are all alike is that of the filling.
            each = np.where(np.count_nonzero(cells, axis=-1) > 1, normal, each)
        return np.where(played, total * each, 0.0)

    def judge(self, counts: ArrayLike) -> Judgement:
        """Say what (2m + 1,) groups in each cell tell."""
        cells = np.asarray(counts, dtype=np.float64)
        if cells.ndim != 1 or len(cells) < 3 or len(cells) % 2 == 0 or cells.min() < 0:
            raise ValueError("a test is judged by the groups in an odd number of cells, at least 3, none negative")
        size = len(cells) // 2
        groups = float(cells.sum())
        values = np.linspace(0.0, 1.0, len(cells))
        alike = np.count_nonzero(cells) < 2
        # Groups that are all alike show no spread; half a group at each end tells at least that there may be some.
        filled = cells + (np.isin(values, (0.0, 1.0)) / 2 if alike else 0.0)
        mean, variance = (float(x) for x in _moments(filled / filled.sum(), values))
        error = math.sqrt(variance / filled.sum())
        deviate = (mean - 0.5) / error
        low, high = mean - QUANTILE * error, mean + QUANTILE * error
        if alike and groups:
            mean = float(values[cells.argmax()])
            low, high = (float(end) for end in wilson(mean, groups))
        unit = NORMALISED / math.sqrt(size * variance)
        llr = float(self.llr(cells))
        return Judgement(
            groups=round(groups),
            matches=round(groups) * size,
            share=mean,
            llr=llr,
            lower=self.lower,
            upper=self.upper,
            verdict=self.verdict(llr),
            elo=float(elo(mean)),
            low=float(elo(low)) if groups else -math.inf,
            high=float(elo(high)) if groups else math.inf,
            superior=float(below(deviate)),
            normalised=deviate * error * unit,
            normalised_error=QUANTILE * error * unit,
        )

    def verdict(self, llr: float) -> Verdict:
        """Say which bound has been reached."""
        if llr >= self.upper:
            return Verdict.BETTER
        return Verdict.NOT_BETTER if llr <= self.lower else Verdict.OPEN


def cells(tallied: Tally, new: int, old: int) -> NDArray[np.int64]:
    """(2m + 1,): groups by half points of the new bot against the old one; groups without both are left out."""
    found: list[NDArray[np.int64]] = []
    sizes: list[NDArray[np.int64]] = []
    for row, (a, b) in zip(tallied.balance, combinations(range(tallied.seats), 2), strict=True):
        for sign, one, other in ((1, a, b), (-1, b, a)):
            met = (tallied.lineups[one] == new) & (tallied.lineups[other] == old)
            found.append(tallied.sizes[met] + sign * row[met].astype(np.int64))
            sizes.append(tallied.sizes[met])
    size = np.unique(np.concatenate(sizes))
    if len(size) > 1:
        raise ValueError(f"groups of a test have all the same number of matches, not {size.tolist()}")
    return np.bincount(np.concatenate(found), minlength=2 * int(size[0]) + 1 if len(size) else 3)


def _moments(portions: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Mean and variance (...) of distributions (..., cells)."""
    mean = portions @ values
    return mean, (portions * (values - mean[..., None]) ** 2).sum(axis=-1)


def _tilt(portions: Floats, values: Floats, mean: float) -> Floats:
    """(..., cells): 1 + x (a - mean), by which the observed portions are divided to give the likeliest ones of that mean.

    x solves: sum of p (a - mean) / (1 + x (a - mean)) = 0, which falls from inf to -inf where all 1 + x (a - mean) are positive.
    """
    away = values - mean
    low = np.full(portions.shape[:-1], -1 / away[-1])
    high = np.full(portions.shape[:-1], -1 / away[0])
    for _ in range(100):
        middle = (low + high) / 2
        rising = (portions * away / (1 + middle[..., None] * away)).sum(axis=-1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return np.asarray(1 + ((low + high) / 2)[..., None] * away)
