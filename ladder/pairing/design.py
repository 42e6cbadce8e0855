"""The information in a match: the covariance of ratings as far as it follows from the tables played.

A match of n bots is worth n(n-1)/2 results of pairs, and how they depend on each other is not known before it is played. Between
equals the variance of a bot's mean result in a match is (n+1)/12(n-1), where independent results would have 1/4(n-1); so each pair
counts as 3/(n+1) of an independent result (docs/ratings.md).

Ratings come in by the chance p of the weaker bot: a result tells p(1-p), which is small for unequal bots. As long as ratings are
vague they have no say: if bots met because chance brought their ratings together, ratings would drift apart (docs/ratings.md). Then
p is 1/2, and who plays whom follows from the numbers of matches alone.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.scales import ELO, QUANTILE, Floats

SPREAD = 350.0
"""Standard deviation of the rating of a bot before its first match, in Elo."""

VAGUE = 60.0
"""As long as the median interval is wider than this on each side, in Elo, ratings have no say in the pairing."""

ENOUGH = 1 / 3
"""A bot whose interval is less than this part of the widest is known well enough for now."""

POWER = 1.0
"""The interval of a bot counts by its square, times this power of its square: the wider, the more."""


def told(ratings: Floats, seats: int, say: float = 0.0) -> Floats:
    """(K, K): the information of one match of `seats` bots about each pair at the table, from (K,) ratings in Elo.

    `say` is the say that ratings have, 0 to 1. A bot without a rating (nan) is taken for an average one.
    """
    some = np.isfinite(ratings)
    level = float(ratings[some].mean()) if some.any() else 0.0
    strengths = np.where(some, ratings - level, 0.0) / ELO
    chance = 0.5 + 0.5 * np.tanh(np.subtract.outer(strengths, strengths) / 2)
    each = say * chance * (1 - chance) + (1 - say) / 4
    return np.asarray(each * 3 / ((seats + 1) * (seats - 1)))


@dataclass(frozen=True, eq=False)
class Design:
    """The expected covariance of the ratings of K bots after given numbers of matches of each pair."""

    counts: Floats
    """(K, K): matches of each pair."""
    told: Floats
    """(K, K): the information of one more."""
    mean: Floats
    """(K,): by what share each bot counts in the mean that all intervals refer to."""

    @cached_property
    def covariance(self) -> Floats:
        """(K, K): of the strengths in natural units, with `SPREAD` for what no match tells."""
        information = -self.counts * self.told
        np.fill_diagonal(information, 0.0)
        np.fill_diagonal(information, (ELO / SPREAD) ** 2 - information.sum(axis=1))
        return np.asarray(np.linalg.inv(information), dtype=np.float64)

    @cached_property
    def contrasts(self) -> Floats:
        """(K, K): the covariance of all strengths (rows) with the differences to the mean (columns)."""
        return self.covariance - (self.covariance @ self.mean)[:, None]

    @cached_property
    def variances(self) -> Floats:
        """(K,): of the differences to the mean."""
        return np.asarray(np.maximum(self.contrasts.diagonal() - self.mean @ self.contrasts, 0.0))

    @property
    def widths(self) -> Floats:
        """(K,): half of the 95 % intervals to be expected, in Elo."""
        return np.asarray(QUANTILE * ELO * np.sqrt(self.variances))

    def gains(self, weights: Floats) -> Floats:
        """(K, K): by how much one more match of a pair is expected to reduce the sum of weights (K,) times variances.

        From the update of an inverse by a matrix of rank one (Sherman and Morrison, 1950).
        """
        wide = self.contrasts * np.sqrt(weights)
        inner = wide @ wide.T
        own, of = inner.diagonal(), self.covariance.diagonal()
        reduced = own[:, None] + own[None, :] - 2 * inner
        apart = of[:, None] + of[None, :] - 2 * self.covariance
        return np.asarray(self.told * reduced / (1 + self.told * apart))


def weights(widths: Floats, variances: Floats, wanted: NDArray[np.bool_], target: float | None) -> Floats:
    """(K,): weights of the reduction of each variance, from widths and variances (K,) and the bots whose rating is wanted (K,).

    0 for bots that are known well enough: under the target, or under a third of the widest. If all are, as without a target.
    """
    open_ = wanted & (widths > 0)
    if not open_.any():
        return np.zeros(len(widths))
    if target is not None and (open_ & (widths > target)).any():
        open_ = open_ & (widths > target)
    open_ &= widths >= ENOUGH * widths[open_].max()
    return np.where(open_, variances**POWER, 0.0)
