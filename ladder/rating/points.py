"""Heads per deal: the plain mean of each bot, and how far it is from what an average bot would have taken at the same tables."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import parts
from bullring.ladder.rating.sandwich import inverted, scatter, widened
from bullring.ladder.rating.scales import Floats, student
from bullring.ladder.rating.tally import Tally


@dataclass(frozen=True, eq=False)
class Points:
    """Heads per deal, fewer is better. All arrays are (K,); nan for bots that never played."""

    mean: Floats
    """Total heads divided by deals."""
    above: Floats
    """Heads per deal above those of an average bot of this list at the same tables; 0 is average.

    By least squares with an effect for each group (its hands, luck and line-up) and one for each bot, so that weak rivals do not
    flatter. In a Latin square, where all bots of a group play all hands, an effect is the bot's mean minus the group's. The average
    is that of the part, each bot by its deals.
    """
    errors: Floats
    groups: NDArray[np.int64]
    deals: NDArray[np.int64]
    """Number of deals of each bot."""
    effects: Floats
    """As `above`, apart from what all bots of a part have in common."""
    covariance: Floats
    """(K, K): covariance of the effects."""

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Both ends of the 95 % intervals of `above`."""
        return _around(self.above, self.errors, self.groups)

    @cached_property
    def difference_errors(self) -> Floats:
        """(K, K): standard errors of the differences of two bots."""
        own = self.covariance.diagonal()
        return np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 0.0))

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Heads per deal, the first minus the second, and the standard error; meaningless without a chain of matches."""
        return float(self.effects[one] - self.effects[other]), float(self.difference_errors[one, other])


def points(tallied: Tally) -> Points:
    """Compute the heads per deal of all bots of a list."""
    bots, seats, lineups = tallied.bots, tallied.seats, tallied.lineups
    deals = tallied.deals.astype(np.float64)
    heads = tallied.heads / np.maximum(deals, 1.0)
    groups = tallied.groups_of
    played = groups > 0
    deals_of = _by_bot(lineups, np.broadcast_to(deals, lineups.shape), bots)
    some_deals = np.where(played, deals_of, 1.0)
    mean = _by_bot(lineups, tallied.heads, bots) / some_deals

    together = np.zeros((bots, bots))
    for a, b in tallied.places:
        codes = lineups[a] * bots + lineups[b]
        together += np.bincount(codes, deals, bots * bots).reshape(bots, bots)
    together = (together + together.T) / seats
    part = parts(together)
    inverse = inverted(np.diag(together.sum(axis=1)) - together, part)
    level = heads.mean(axis=0)
    effects = inverse @ _by_bot(lineups, deals * (heads - level), bots)
    expected = effects[lineups]
    scores = deals * (heads - level - expected + expected.mean(axis=0))

    def information(few: NDArray[np.intp]) -> Floats:
        return deals[few, None, None] * (np.eye(seats) - 1 / seats)

    scores = widened(lineups, scores, deals, inverse, information)
    covariance = inverse @ scatter(lineups, scores, bots) @ inverse
    weight = np.where(part[:, None] == part[None, :], deals_of[None, :], 0.0)
    average = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
    contrast = np.eye(bots) - average
    variance = np.einsum("ij,jk,ik->i", contrast, covariance, contrast, optimize=True)
    return Points(
        mean=np.where(played, mean, np.nan),
        above=np.where(played, effects - average @ effects, np.nan),
        errors=np.where(played, np.where(groups > 1, np.sqrt(np.maximum(variance, 0.0)), np.inf), np.nan),
        groups=groups,
        deals=np.rint(deals_of).astype(np.int64),
        effects=effects,
        covariance=covariance,
    )


def _by_bot(lineups: NDArray[np.int64], values: Floats | NDArray[np.int64], bots: int) -> Floats:
    return np.asarray(np.bincount(lineups.ravel(), values.ravel(), bots), dtype=np.float64)


def _around(middle: Floats, errors: Floats, groups: NDArray[np.int64]) -> tuple[Floats, Floats]:
    half = np.where(groups > 1, np.where(groups > 1, errors, 1.0) * student(np.maximum(groups - 1, 1)), np.inf)
    return middle - half, middle + half
