"""Results of pairs: each bot against each other one, from their common matches alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import Floats, elo, student, wilson
from bullring.ladder.rating.tally import Tally


@dataclass(frozen=True, eq=False)
class Pairs:
    """All arrays are (K, K), the first against the second; nan where the two never met."""

    matches: NDArray[np.int64]
    share: Floats
    """Points per match, 0 to 1: a match in which the first placed higher is one, a tie one half."""
    elo: Floats
    """The difference that would give this share; inf after wins only, -inf after losses only."""
    low: Floats
    high: Floats
    """The 95 % interval of the Elo difference."""


def pairs(tallied: Tally) -> Pairs:
    """Compare every pair of bots.

    The error of a share is that of a ratio of sums over groups. If the share is the same in every group (such as always 0 or 1),
    its spread is unknown: the interval is then Wilson's (1927) for as many matches as there are groups.
    """
    sums = tallied.sums
    matches, balance = sums.met()
    met = matches > 0
    share = np.where(met, 0.5 + 0.5 * balance / np.maximum(matches, 1.0), np.nan)
    surplus = balance / np.maximum(matches, 1.0)
    groups = sums.pairs(3) + sums.pairs(3).T
    squares = (sums.pairs(4) - 2 * surplus * sums.pairs(5) + surplus**2 * sums.pairs(6)) / 4
    squares = squares + squares.T
    alike = squares <= 1e-12 * (sums.pairs(6) + sums.pairs(6).T)
    squares = np.where(alike, 0.0, squares)
    several = groups > 1
    errors = np.sqrt(squares * groups / np.maximum(groups - 1, 1.0)) / np.maximum(matches, 1.0)
    half = errors * student(np.maximum(groups - 1, 1).astype(np.int64))
    least, most = wilson(share, np.maximum(groups, 1.0))
    low = np.where(alike, least, np.where(several, share - half, 0.0))
    high = np.where(alike, most, np.where(several, share + half, 1.0))
    low, high = (np.where(met, np.clip(end, 0.0, 1.0), np.nan) for end in (low, high))
    return Pairs(
        matches=matches.astype(np.int64),
        share=share,
        elo=elo(share),
        low=elo(low),
        high=elo(high),
    )
