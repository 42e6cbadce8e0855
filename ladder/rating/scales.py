"""Conversions between Elo and shares of points, and quantiles of the normal and Student distributions, for arrays."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

ELO = 400 / math.log(10)
"""Elo per unit of strength on the logistic scale: odds of e to 1 are 173.7 Elo."""

QUANTILE = 1.959963984540054
"""The normal quantile of two-sided 95 %."""

_erf = np.frompyfunc(math.erf, 1, 1)


def share(elo: float | Floats) -> Floats:
    """The expected share of points, 0 to 1, of a bot that is `elo` stronger."""
    return np.asarray(0.5 + 0.5 * np.tanh(np.asarray(elo) / (2 * ELO)))


def elo(share: float | Floats) -> Floats:
    """The Elo difference for a share of points; -inf for 0 or less, inf for 1 or more."""
    share = np.clip(share, 0.0, 1.0)
    with np.errstate(divide="ignore"):
        return np.asarray(ELO * (np.log(share) - np.log1p(-share)))


def below(x: float | Floats) -> Floats:
    """The normal distribution function: the probability of a value below x."""
    return np.asarray(0.5 + 0.5 * _erf(np.asarray(x) / math.sqrt(2)), dtype=np.float64)


def student(freedom: Ints | int) -> Floats:
    """Student's counterpart of `QUANTILE`; inf without degrees of freedom.

    By the inverse of Wallace's approximation (1959): within 1.3 % from 3 degrees of freedom on, too wide below.
    """
    return np.where(np.asarray(freedom) < 1, np.inf, as_student(QUANTILE, np.maximum(freedom, 1)))


def as_student(z: float, freedom: Ints | int) -> Floats:
    """The deviate of Student's distribution, with 1 degree of freedom or more, that is as probable as the normal deviate `z`."""
    some = np.asarray(freedom, dtype=np.float64)
    return np.asarray(np.sign(z) * np.sqrt(some * np.expm1((z * (8 * some + 3) / (8 * some + 1)) ** 2 / some)))


def as_normal(t: float | Floats, freedom: Ints | int) -> Floats:
    """The normal deviate with the same probability as Student's `t`, by Wallace's approximation; 0 without degrees of freedom."""
    some = np.maximum(np.asarray(freedom, dtype=np.float64), 1.0)
    z = np.sign(t) * np.sqrt(some * np.log1p(np.square(t) / some)) * (8 * some + 1) / (8 * some + 3)
    return np.where(np.asarray(freedom) < 1, 0.0, z)


def finite(value: float) -> float | None:
    """The value as a float; None if it is not finite."""
    return float(value) if math.isfinite(value) else None


def wilson(share: float | Floats, count: float | Floats, quantile: float | Floats = QUANTILE) -> tuple[Floats, Floats]:
    """Wilson's interval (1927) for a share of `count`; a share of 0 keeps 0 as its lower end, a share of 1 keeps 1."""
    share, square = np.asarray(share, dtype=np.float64), quantile**2
    middle = (share * count + square / 2) / (count + square)
    half = quantile * np.sqrt(share * (1 - share) * count + square / 4) / (count + square)
    return np.where(share <= 0, 0.0, middle - half), np.where(share >= 1, 1.0, middle + half)
