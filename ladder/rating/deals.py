"""Means over independent deals, with intervals that also hold for few deals, and for shares near 0 or 1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bullring.ladder.rating.scales import elo, student, wilson


@dataclass(frozen=True)
class Interval:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> "Interval":
        """Of a number by deal, in two deals at least: Student's interval."""
        mean = float(np.mean(numbers))
        half = float(student(len(numbers) - 1)) * float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
        return cls(mean, mean - half, mean + half)

    @classmethod
    def of_shares(cls, shares: Sequence[float]) -> "Interval":
        """Of a share by deal, 0 to 1, in two deals at least.

        It is Wilson's, with Student's quantile, for as many matches as would spread as much. That number is taken from the deals
        and one more of each, won and lost, so that deals which are alike, such as all won, do not pass for certain. With 5 to 65
        deals of one to twelve independent matches, and true shares of 0.5 to 0.99, it held the share in 95 % of simulated samples
        or more, with few exceptions (90 % where a deal is one match, 10 deals were played and the share is 0.99); its lower end
        was above the share in 2.6 % at most.
        """
        share, count = float(np.mean(shares)), len(shares)
        spread = np.array([*shares, 0.0, 1.0])
        matches = count * spread.mean() * (1 - spread.mean()) / spread.var()
        low, high = wilson(share, matches, float(student(count - 1)))
        return cls(share, float(low), float(high))

    def elo(self) -> "Interval":
        """A share of points as Elo; infinite where an end is 0 or 1."""
        return Interval(*(float(elo(end)) for end in (self.mean, self.low, self.high)))
