"""Heads per deal: the plain mean of each bot, and how far it is from what an average bot would have taken at the same tables.

Heads are not corrected for rivals: a linear model of them gives impossible numbers where strong and weak bots have hardly met.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import components
from bullring.ladder.rating.part import Part
from bullring.ladder.rating.sandwich import inverted, scatter, widened
from bullring.ladder.rating.scales import Floats, student
from bullring.ladder.rating.sums import Sums
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
    is that of the component, each bot by its deals.
    """
    errors: Floats
    groups: NDArray[np.int64]
    deals: NDArray[np.int64]
    """Number of deals of each bot."""
    effects: Floats
    """As `above`, apart from what all bots of a component have in common."""
    covariance: Floats
    """(K, K): covariance of the effects."""

    @property
    def bounds(self) -> tuple[Floats, Floats]:
        """Both ends of the 95 % intervals of `above`."""
        return _around(self.above, self.errors, self.groups)


@dataclass(frozen=True, eq=False)
class Level:
    """The effects of all bots on their own heads per deal."""

    effects: Floats
    """(K,)"""
    inverse: Floats
    """(K, K): inverse of the information, as `sandwich.inverted`."""
    component: NDArray[np.intp]
    """(K,): the connected component of each bot."""


def points(tallied: Tally) -> Points:
    """Compute the heads per deal of all bots of a list, in two passes over it."""
    level = levelled(tallied.sums)
    scattered = np.zeros((tallied.bots, tallied.bots))
    for part in tallied.parts():
        scattered += spread_of(part, level)
    return pointed(tallied.sums, level, scattered)


def levelled(sums: Sums) -> Level:
    """Find the effects."""
    together = sums.deals / sums.seats
    component = components(together)
    inverse = inverted(np.diag(together.sum(axis=1)) - together, component)
    return Level(inverse @ sums.heads[2], inverse, component)


def spread_of(part: Part, level: Level, *, wide: bool = True) -> Floats:
    """(K, K): the scatter of the groups' scores; `wide`: of scores `widened`, as bots with few groups need them."""
    lineups, seats, bots = part.lineups, part.seats, len(level.effects)
    deals = part.deals.astype(np.float64)
    heads = part.heads / deals
    mean = heads.mean(axis=0)
    expected = level.effects[lineups]
    scores = deals * (heads - mean - expected + expected.mean(axis=0))

    def information(few: NDArray[np.intp]) -> Floats:
        return deals[few, None, None] * (np.eye(seats) - 1 / seats)

    if wide:
        scores = widened(lineups, scores, deals, level.inverse, information)
    return scatter(lineups, scores, bots)


def pointed(sums: Sums, level: Level, scattered: Floats) -> Points:
    """The heads per deal, from the sums of a list, the effects, and the scatter of its groups' scores (K, K)."""
    groups, (deals, heads, _), component = sums.groups_of.copy(), sums.heads, level.component
    played = groups > 0
    covariance = level.inverse @ scattered @ level.inverse
    weight = np.where(component[:, None] == component[None, :], deals[None, :], 0.0)
    average = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1.0)
    contrast = np.eye(len(groups)) - average
    variance = np.einsum("ij,jk,ik->i", contrast, covariance, contrast, optimize=True)
    return Points(
        mean=np.where(played, heads / np.where(played, deals, 1.0), np.nan),
        above=np.where(played, level.effects - average @ level.effects, np.nan),
        errors=np.where(played, np.where(groups > 1, np.sqrt(np.maximum(variance, 0.0)), np.inf), np.nan),
        groups=groups,
        deals=np.rint(deals).astype(np.int64),
        effects=level.effects,
        covariance=covariance,
    )


def _around(middle: Floats, errors: Floats, groups: NDArray[np.int64]) -> tuple[Floats, Floats]:
    half = np.where(groups > 1, np.where(groups > 1, errors, 1.0) * student(np.maximum(groups - 1, 1)), np.inf)
    return middle - half, middle + half
