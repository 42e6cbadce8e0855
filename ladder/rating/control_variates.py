"""Means with luck subtracted, by control variates: numbers of each match whose expected value is known to be 0.

For match i with result x and control variates v (of mean 0 whatever the players do), the adjusted result is x - b v. Its mean
is that of x for any b that does not depend on match i. So b is fitted on earlier matches only: matches 1 to `FIRST` use `USUAL`,
and then it is fitted anew whenever the number of matches has doubled. Coefficients are kept within [0, `MOST`].
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bullring.ladder.rating.gain import Gain
from bullring.ladder.rating.scales import Floats, student

FIRST = 200
"""Matches before coefficients are fitted for the first time."""

USUAL = (0.6, 0.6)
"""Coefficients of the luck of the deal and of the luck of the draws until then: usual values for many bots."""

MOST = 1.2
"""The largest coefficient. More than 1 would make up for variates that show too little."""

ALARM = 4.0
"""A mean of a control variate this many standard errors from 0 is not by chance: something is wrong."""


@dataclass(frozen=True)
class Mean:
    """A mean of independent values."""

    value: float
    error: float
    """Its standard error; inf for fewer than two values."""
    half: float
    """Half of the 95 % interval, by Student's distribution."""

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half


@dataclass(frozen=True)
class Adjusted:
    """Results with and without their luck."""

    raw: Mean
    adjusted: Mean
    gain: Gain | None
    """The number of plain matches that each match is worth; None as long as that is unknown."""
    alarms: tuple[float, ...]
    """The mean of each control variate divided by its standard error. Beyond `ALARM`, trust nothing here."""
    coefficients: tuple[float, ...]
    """The coefficients of the next match."""


def adjusted(results: ArrayLike, variates: ArrayLike) -> Adjusted:
    """The mean of `results` (G,) with their luck subtracted, the matches in the order played.

    `variates` (G, 2) are the luck of the deal and that of the draws.
    """
    x = np.asarray(results, dtype=np.float64)
    v = np.asarray(variates, dtype=np.float64).reshape(len(x), len(USUAL))
    each = np.empty(len(x))
    start, end = 0, min(FIRST, len(x))
    while start < len(x):
        each[start:end] = x[start:end] - v[start:end] @ _coefficients(x[:start], v[:start])
        start, end = end, min(2 * end, len(x))
    known = len(x) if len(x) < FIRST else FIRST * 2 ** int(math.log2(len(x) / FIRST))
    return Adjusted(
        raw=mean(x),
        adjusted=mean(each),
        gain=_gain(x, each),
        alarms=tuple(_deviate(column) for column in v.T),
        coefficients=tuple(_coefficients(x[:known], v[:known]).tolist()),
    )


def mean(values: Floats) -> Mean:
    """The mean of independent values, nan if there are none."""
    count = len(values)
    if count < 2:
        return Mean(float(values.mean()) if count else math.nan, math.inf, math.inf)
    error = float(values.std(ddof=1)) / math.sqrt(count)
    return Mean(float(values.mean()), error, error * float(student(count - 1)))


def _coefficients(x: Floats, v: Floats) -> Floats:
    """Least squares over matches that are past, kept within bounds one after the other."""
    if len(x) < FIRST:
        return np.array(USUAL)[: v.shape[1]]
    away, rest = v - v.mean(axis=0), x - x.mean()
    free = list(range(v.shape[1]))
    found = np.zeros(v.shape[1])
    while free:
        solved = np.linalg.lstsq(away[:, free], rest, rcond=None)[0]
        outside = np.maximum(-solved, solved - MOST)
        worst = int(outside.argmax())
        if outside[worst] <= 0:
            found[free] = solved
            break
        at = free.pop(worst)
        found[at] = 0.0 if solved[worst] < 0 else MOST
        rest = rest - found[at] * away[:, at]
    return found


def _gain(x: Floats, each: Floats) -> Gain | None:
    """The ratio of the variances of plain and adjusted results, with an interval by the logarithm of a ratio, linearised."""
    count = len(x)
    if count < 3:
        return None
    plain, kept = (x - x.mean()) ** 2, (each - each.mean()) ** 2
    if not kept.mean() or not plain.mean():
        return None
    value = float(plain.mean() / kept.mean())
    spread = float((plain / plain.mean() - kept / kept.mean()).std(ddof=1))
    half = float(student(count - 1)) * spread / math.sqrt(count)
    return Gain(value, value * math.exp(-half), value * math.exp(half))


def _deviate(column: Floats) -> float:
    of = mean(column)
    return of.value / of.error if of.error and math.isfinite(of.error) else 0.0
