"""Is the new bot better? A test on duplicate groups that stops as soon as it can decide.

The generalised sequential probability ratio test (GSPRT) between a difference of elo0 and one of elo1, as chess engine testers use
it for pairs of games, here for groups of m matches. A group counts by the sum of the new bot's points against the old one, in half
points: 0 to 2m, so m = 1 is the trinomial and m = 2 the pentanomial test. See M. Van den Bergh, "The generalized maximum
likelihood ratio for the expectation value of a distribution" and "Normalized Elo". Evaluate the test after whole groups only.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from bullring.ladder.rating.scales import Floats, below, elo, share, student
from bullring.ladder.rating.stopped import Edges, ends

NORMALISED = 800 / math.log(10)
"""Normalised Elo per standard deviation of a single match."""
EMPTY = 1e-3
"""Groups put into an empty cell, so that no outcome is impossible; the figure of fishtest and fastchess."""

MOST = 4000.0
"""The largest difference that can be asked about, in Elo: 1e10 to 1."""
LEAST = 1e-3
"""The least distance of elo0 and elo1: 1e12 matches. One that is lost in rounding has no likelihood ratio."""
CLOSE = 1e-12
"""The last step towards a solution, and its distance from the bounds where nothing is defined."""
NEAR = 0.5
"""A log-likelihood ratio so near to 0 does not tell how far from linear it is."""

LEAP = 6.0
"""Standard deviations of a group that one group does not exceed."""


Believed = tuple[int, int]
"""The cell of a group as it is believed for a higher and for a lower difference. They differ if a bot may have spoiled it."""


class Verdict(Enum):
    """The outcome of the test."""

    BETTER = "better"
    """Accept elo1; wrong with probability at most alpha if the difference is elo0."""
    NOT_BETTER = "not better"
    """Accept elo0; wrong with probability at most beta if the difference is elo1."""
    EQUAL = "equal"
    """The difference is nearer to 0 than elo1 and -elo1; wrong with probability at most alpha if it is one of them."""
    WORSE = "worse"
    """Together with BETTER wrong with probability at most beta if there is no difference."""
    OPEN = "open"
    """Not decided yet: play on."""


@dataclass(frozen=True)
class Judgement:
    """The state of a test."""

    groups: int
    matches: int
    share: float
    """Points of the new bot per match, 0 to 1."""
    llr: float
    """Log-likelihood ratio of elo1 against elo0."""
    lower: float
    """The verdict is NOT_BETTER at or below this."""
    upper: float
    """The verdict is BETTER at or above this."""
    verdict: Verdict
    elo: float
    low: float
    high: float
    """Median-unbiased difference and its 95 % interval. A test stops at a lucky or unlucky moment, for which both are corrected, as
    they are for the moments at which it could have stopped; so the difference is not that of `share`. See `stopped`."""
    superior: float
    """Likelihood of superiority, 0 to 1, with the same correction."""
    normalised: float
    """Normalised Elo: the difference in standard deviations of a match, which tells how many matches are needed to see it."""
    opposite: float | None = None
    """Log-likelihood ratio of -elo1 against 0, in a test for equality."""


@dataclass(frozen=True)
class Sequential:
    """A test between elo0 < elo1; alpha and beta are the probabilities of the two errors."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse impossible parameters. Raises `ValueError`."""
        if not (-MOST <= self.elo0 <= self.elo1 - LEAST and self.elo1 <= MOST):
            raise ValueError(
                f"elo0 must be less than elo1 by at least {LEAST:g}, both within ± {MOST:g}, got elo0 {self.elo0:g} and elo1"
                f" {self.elo1:g}"
            )
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError(
                "alpha and beta must be more than 0 and together less than 1,"
                f" got alpha {self.alpha:g} and beta {self.beta:g}"
            )

    mirrored: ClassVar[bool] = False

    @property
    def lower(self) -> float:
        """Wald's bound of the log-likelihood ratio for accepting elo0."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Wald's bound for accepting elo1."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: ArrayLike) -> Floats:
        """(...): log-likelihood ratios from (..., 2m + 1) numbers of groups by cell; 0 without a group."""
        cells = np.asarray(counts, dtype=np.float64)
        values = np.linspace(0.0, 1.0, cells.shape[-1])
        played = cells.sum(axis=-1) > 0
        filled = np.where(cells > 0, cells, EMPTY)
        total = filled.sum(axis=-1)
        portions = filled / total[..., None]
        low, high = float(share(self.elo0)), float(share(self.elo1))
        each = (portions * np.log(_tilt(portions, values, low) / _tilt(portions, values, high))).sum(axis=-1)
        return np.where(played, total * each, 0.0)

    def judge(self, counts: ArrayLike) -> Judgement:
        """Judge (2m + 1,) numbers of groups by cell, up to the first that decides or to one at which it was not decided yet.

        Raises `ValueError` if the shape is wrong or a number is negative.
        """
        cells = np.asarray(counts, dtype=np.float64)
        if cells.ndim != 1 or len(cells) < 3 or len(cells) % 2 == 0 or cells.min() < 0:
            raise ValueError("a test needs an odd number of cells, at least 3, none negative")
        size = len(cells) // 2
        groups = float(cells.sum())
        values = np.linspace(0.0, 1.0, len(cells))
        alike = np.count_nonzero(cells) < 2
        # Groups that are all alike show no spread; half a group at each end allows for some.
        filled = cells + (np.isin(values, (0.0, 1.0)) / 2 if alike else 0.0)
        mean, variance = (float(x) for x in _moments(filled / filled.sum(), values))
        llr = float(self.llr(cells))
        if alike:
            error = math.sqrt(variance / filled.sum())
            superior, mean = float(below((mean - 0.5) / error)), float(values[cells.argmax()]) if groups else mean
            # A distribution of another mean, m, has at most the portion m / mean here, or from the other side, so all groups are
            # alike with at most its power; of wins alone that is the interval of C. Clopper and E. Pearson, 1934.
            rest = 0.025 ** (1 / groups) if groups else 0.0
            shares = [mean, mean * rest, 1 - (1 - mean) * rest]
        else:
            superior, *shares = self._shares(cells, mean, variance)
        middle, low, high = elo(np.array(shares)).tolist()
        return Judgement(
            groups=round(groups),
            matches=round(groups) * size,
            share=mean,
            llr=llr,
            lower=self.lower,
            upper=self.upper,
            verdict=self.decide(np.stack([cells, cells])[None])[0],
            elo=middle,
            low=low,
            high=high,
            superior=superior,
            normalised=(mean - 0.5) * NORMALISED / math.sqrt(size * variance),
        )

    def decide(self, believed: ArrayLike) -> list[Verdict]:
        """N verdicts from (N, 2, 2m + 1) numbers of groups by cell, as they are believed for a higher and a lower difference."""
        return [
            Verdict.BETTER if higher >= self.upper else Verdict.NOT_BETTER if lower <= self.lower else Verdict.OPEN
            for higher, lower in self.llr(believed).tolist()
        ]

    def _shares(self, cells: Floats, mean: float, variance: float) -> list[float]:
        """The likelihood of superiority, the estimate of the share, and the ends of its interval."""
        low, high = share(self.elo0), share(self.elo1)
        middle, gap, groups, llr = float(low + high) / 2, float(high - low), round(cells.sum()), float(self.llr(cells))
        # The ratio as it would be if it were linear, as a walk of these groups is; the bounds stay as far from it.
        reached, pace = groups * gap * (mean - middle) / variance, gap**2 / variance
        scale = ratio if abs(llr) > NEAR and (ratio := reached / llr) > NEAR else 1.0
        # Groups that were added after the verdict do not count as if a single one could have gone so far.
        most = LEAP * math.sqrt(pace)
        lower, upper = min(scale * self.lower, reached + most), max(scale * self.upper, reached - most)
        found = ends(Edges(lower, upper, self.mirrored), pace, groups, reached)
        tail = float(below(-student(groups - 1)))
        return [
            float(1 - found.above((0.5 - middle) / gap)),
            *(middle + gap * found.drifts([0.5, tail, 1 - tail])).tolist(),
        ]

    def first(self, counts: ArrayLike, later: Sequence[Believed]) -> tuple[int, Verdict] | None:
        """The number of the `later` groups at which the test stops, from 1 on, and its verdict; None if it does not stop.

        `counts` are (2, 2m + 1) numbers of groups before them, as they are believed for a higher and for a lower difference;
        `later` has the cells of these groups in the order of their start.
        """
        cells = np.asarray(counts)
        each = np.eye(cells.shape[-1], dtype=np.int64)[np.array(later, dtype=np.int64).reshape(-1, 2)]
        verdicts = enumerate(self.decide(cells + np.cumsum(each, axis=0)), 1)
        return next(((at, verdict) for at, verdict in verdicts if verdict is not Verdict.OPEN), None)

    def could_decide(self, counts: ArrayLike, later: Sequence[Believed | None]) -> bool:
        """Whether the test would stop within the `later` groups if all unknown ones, None, were won, or lost, or level.

        `counts` are (2, 2m + 1) numbers of groups before them, as in `first`; the groups are in the order of their start.
        """
        most = np.asarray(counts).shape[-1] - 1
        guesses = ([(guess, guess) if cell is None else cell for cell in later] for guess in (most, 0, most // 2))
        return any(self.first(counts, guess) is not None for guess in guesses)


@dataclass(frozen=True)
class Equal(Sequential):
    """A test whether the difference is 0, or elo1, or -elo1: two tests in one, of elo1 and of -elo1, each against 0.

    It ends as "equal" when both say 0 at the same moment. See M. Sobel and A. Wald, "A sequential decision procedure for choosing
    one of three hypotheses", 1949; as two one-sided tests, D. Schuirmann, 1987.
    """

    mirrored = True

    @property
    def lower(self) -> float:
        return math.log(self.alpha / (1 - self.beta / 2))

    @property
    def upper(self) -> float:
        return math.log((1 - self.alpha) / (self.beta / 2))

    def judge(self, counts: ArrayLike) -> Judgement:
        return replace(super().judge(counts), opposite=float(self.llr(np.flip(counts))))

    def decide(self, believed: ArrayLike) -> list[Verdict]:
        found = []
        for (up, highest), (down, lowest) in zip(
            self.llr(believed).tolist(), self.llr(np.flip(believed, axis=-1))[..., ::-1].tolist(), strict=True
        ):
            if up >= self.upper or down >= self.upper:
                found.append(Verdict.BETTER if up >= self.upper else Verdict.WORSE)
            else:
                found.append(Verdict.EQUAL if max(highest, lowest) <= self.lower else Verdict.OPEN)
        return found

    def _shares(self, cells: Floats, mean: float, variance: float) -> list[float]:
        if mean >= 0.5:
            return super()._shares(cells, mean, variance)
        superior, middle, low, high = super()._shares(cells[::-1], 1 - mean, variance)
        return [1 - superior, 1 - middle, 1 - high, 1 - low]


def _moments(portions: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Mean and variance (...) of distributions (..., cells)."""
    mean = portions @ values
    return mean, (portions * (values - mean[..., None]) ** 2).sum(axis=-1)


def _tilt(portions: Floats, values: Floats, mean: float) -> Floats:
    """(..., cells): 1 + x (a - mean); dividing the observed portions by it gives the likeliest distribution with that mean.

    x solves sum of p (a - mean) / (1 + x (a - mean)) = 0. The sum falls from inf to -inf where all 1 + x (a - mean) are positive.
    By Newton's method, and by halving where that leaves the bounds.
    """
    away = values - mean
    low = np.full(portions.shape[:-1], (CLOSE - 1) / away[-1])
    high = np.full(portions.shape[:-1], (CLOSE - 1) / away[0])
    x = np.zeros_like(low)
    for _ in range(100):
        terms = away / (1 + x[..., None] * away)
        value, slope = (portions * terms).sum(axis=-1), (portions * terms**2).sum(axis=-1)
        low, high = np.where(value > 0, x, low), np.where(value > 0, high, x)
        newton = x + value / slope
        step = np.where((low <= newton) & (newton <= high), newton, (low + high) / 2) - x
        x += step
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    return np.asarray(1 + x[..., None] * away)
