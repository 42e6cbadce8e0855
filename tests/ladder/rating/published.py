"""Figures that others published, to be reproduced: the tests of fastchess (github.com/Disservin/fastchess).

From app/tests/elo_test.cpp and app/tests/sprt_test.cpp; its tests allow for 1 % and its figures are rounded. Cells are in our
order: of each group, so many with no point, half a point, ... ; fastchess counts pairs of two ties apart from a win and a loss.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Elo:
    """A finished test; None where fastchess's own test does not look."""

    counts: list[int]
    normalised: float
    elo: float | None = None
    error: float | None = None
    superior: float | None = None


@dataclass(frozen=True)
class Ratio:
    """A log-likelihood ratio in the logistic model."""

    counts: list[int]
    elo0: float
    elo1: float
    llr: float


ELOS = [
    Elo([89, 123, 76], -20.76, superior=0.1553),
    Elo([96, 111, 136], 49.77, 40.70, 30.43, 0.9960),
    Elo([356, 0, 34], -508.44),
    Elo([34, 54, 31 + 32, 64, 75], 57.94, 55.58, 27.65, 1.0),
    Elo([332, 433, 457 + 41, 333, 334], -9.17, -8.64, 10.33, 0.0505),
    Elo([7895, 8757, 5485 + 200, 568, 9999], -19.01, -21.04, 2.95),
]

RATIOS = [
    Ratio([21184, 40708, 21404], 0.5, 2.5, -1.57),
    Ratio([57030, 106593, 57433], 0.0, 2.0, -2.59),
    Ratio([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07),
    Ratio([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98),
]
