"""Ratings of all bots of a list together: batch pairwise Bradley-Terry with errors by groups.

A match of n bots counts as n(n-1)/2 results of two, each of weight 1/(n-1), a tie as half of each. The strengths maximise

    sum of w [S ln p + (1-S) ln(1-p)] - (PRIOR/2) |theta|^2,   p = 1 / (1 + e^(theta_j - theta_i)),   R = 400/ln 10 theta

over all of them at once, so the order of the matches is of no importance. A result of two says little when a bot's other results
of the match are known, and the matches of a group share their cards: so errors come from the sandwich with groups as clusters.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import Marks, parts, reach
from bullring.ladder.rating.sandwich import inverted, scatter, widened
from bullring.ladder.rating.scales import ELO, Floats, as_normal, below, student
from bullring.ladder.rating.tally import Tally

PRIOR = (ELO / 1000) ** 2
"""Inverse variance of strengths about the mean of their part: 1000 Elo. It weighs about as much as an eighth of a match and keeps
finite who never lost or never won."""
STEPS = 100
"""Newton needs about five."""


@dataclass(frozen=True)
class Difference:
    """What is known of the difference of two bots, the first less the second."""

    value: float
    """In Elo."""
    error: float
    """Its standard error; inf if no chain of matches connects them."""
    low: float
    high: float
    """Where it lies with 95 %; inf on the side where only the prior holds it."""
    superior: float
    """Likelihood of superiority: the probability, 0 to 1, that the first is the stronger, if all was open before."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Ratings in Elo. All arrays (K,) are of the bots in their order, (K, K) of the first against the second."""

    anchor: int
    rating: float
    """The given rating of the bot with this number."""
    ratings: Floats
    """nan for who never played."""
    groups: NDArray[np.int64]
    """Groups of each bot."""
    matches: NDArray[np.int64]
    comparable: Marks
    """Whether a chain of matches connects it with the anchor; others are rated about the mean of their own part."""
    strengths: Floats
    """In natural units; differences alone mean something."""
    covariance: Floats
    """(K, K) of the strengths, clusters are groups."""
    curved: Floats
    """(K, K) inverse of the information, prior included, as `sandwich.inverted`: the error of who is held by the prior alone."""
    scored: Marks
    """(K, K): whether a chain of points leads from the first to the second."""
    gain: float
    """Variance of independent matches over that of groups, over all bots: how many times as many matches the groups replace."""

    @cached_property
    def finite(self) -> Marks:
        """(K, K): whether the results alone, without the prior, tell their difference."""
        return self.scored & self.scored.T

    @cached_property
    def differences(self) -> Floats:
        """(K, K): in Elo."""
        return ELO * np.subtract.outer(self.strengths, self.strengths)

    @cached_property
    def errors(self) -> Floats:
        """(K, K): standard errors of the differences, in Elo; inf where nothing connects two.

        By groups where groups show a spread; else, for who never lost or for groups that are all alike, by the information.
        """
        return np.where(
            self._connected, np.where(self._seen, _contrasts(self.covariance), _contrasts(self.curved)), np.inf
        )

    @cached_property
    def freedom(self) -> NDArray[np.int64]:
        """(K, K): degrees of freedom of the errors; as good as endless where the prior alone tells the error."""
        return np.where(self.finite, np.minimum.outer(self.groups, self.groups) - 1, 10**9)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """(K, K) twice: the lower and the upper end of the 95 % intervals of the differences."""
        known = (self.freedom > 0) & self._connected
        half = np.where(known, np.where(known, self.errors, 0.0) * student(np.maximum(self.freedom, 1)), np.inf)
        np.fill_diagonal(half, 0.0)
        low = np.where(self._connected & (self.finite | self.scored), self.differences - half, -np.inf)
        high = np.where(self._connected & (self.finite | self.scored.T), self.differences + half, np.inf)
        return low, high

    @cached_property
    def superior(self) -> Floats:
        """(K, K): likelihoods of superiority."""
        some = np.where(np.isfinite(self.errors) & (self.errors > 0), self.errors, np.inf)
        return below(as_normal(self.differences / some, self.freedom))

    @property
    def low(self) -> Floats:
        """(K,): the lower end of each rating's 95 % interval, taken against the anchor, whose own rating is given."""
        return self._rated(self.bounds[0][:, self.anchor])

    @property
    def high(self) -> Floats:
        """(K,): the upper end."""
        return self._rated(self.bounds[1][:, self.anchor])

    def difference(self, one: int, other: int) -> Difference:
        """All of two bots. Two intervals against the anchor that overlap say nothing of it; this does."""
        return Difference(
            float(self.differences[one, other]),
            float(self.errors[one, other]),
            float(self.bounds[0][one, other]),
            float(self.bounds[1][one, other]),
            float(self.superior[one, other]),
        )

    def _rated(self, differences: Floats) -> Floats:
        return np.where(np.isnan(self.ratings), np.nan, self.rating + differences)

    @cached_property
    def _seen(self) -> Marks:
        """(K, K): whether the error can be seen in the groups; a millionth of an Elo is rounding."""
        return self.finite & (_contrasts(self.covariance) > 1e-6)

    @cached_property
    def _connected(self) -> Marks:
        return reach(self.scored | self.scored.T)


def estimate(tallied: Tally, anchor: int = 0, rating: float = 0.0) -> Estimate:
    """Rate all bots of a list so that the anchor has the given rating."""
    if not 0 <= anchor < tallied.bots:
        raise ValueError(f"the anchor is a bot from 0 to {tallied.bots - 1}, not {anchor}")
    matches, balance = tallied.met()
    weight = 1 / (tallied.seats - 1)
    strengths, information = maximum(matches * weight, balance * weight)
    part = parts(matches)
    inverse = inverted(information, part)
    raw, between, wide = _scatters(tallied, strengths, inverse, weight)
    every, each = inverse @ (between + tallied.within * (weight / 2) ** 2) @ inverse, inverse @ raw @ inverse
    played = tallied.groups_of > 0
    return Estimate(
        anchor=anchor,
        rating=rating,
        ratings=rated(strengths, matches, anchor, rating),
        groups=tallied.groups_of,
        matches=tallied.matches_of,
        comparable=played & (part == part[anchor]),
        strengths=strengths,
        covariance=inverse @ wide @ inverse,
        curved=inverse,
        scored=reach(matches + balance > 0),
        gain=_spread(every, played) / _spread(each, played) if _spread(each, played) > 0 else 1.0,
    )


def rated(strengths: Floats, matches: Floats, anchor: int, rating: float) -> Floats:
    """(K,): Elo, the anchor's as given; parts without the anchor have their mean there. nan for who never played."""
    own = parts(matches) == parts(matches)[anchor]
    shifted = rating + ELO * (strengths - np.where(own, strengths[anchor], 0.0))
    return np.where(matches.any(axis=1), shifted, np.nan)


def maximum(matches: Floats, balance: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """The strengths (K,) with the greatest posterior and the information (K, K) there, by Newton's method.

    From (K, K) weighted matches of each two and points won less points lost. In each connected part strengths have the mean 0.
    """
    prior = PRIOR * np.eye(len(matches))
    strengths = np.zeros(len(matches)) if start is None else start
    for _ in range(STEPS):
        chances = _chances(strengths)
        slope = ((matches + balance) / 2 - matches * chances).sum(axis=1) - PRIOR * strengths
        step = np.linalg.solve(_laplacian(matches * chances * (1 - chances)) + prior, slope)
        # A whole step from far away overshoots where the curve flattens; one unit is 174 Elo.
        strengths = strengths + step / max(1.0, float(np.abs(step).max(initial=0.0)))
        if np.abs(step).max(initial=0.0) < 1e-10:
            break
    chances = _chances(strengths)
    return strengths, _laplacian(matches * chances * (1 - chances)) + prior


def _scatters(tallied: Tally, strengths: Floats, inverse: Floats, weight: float) -> tuple[Floats, Floats, Floats]:
    """(K, K) three times: of groups as they are, of groups each divided by its matches, of groups widened."""
    bots, lineups, sizes = tallied.bots, tallied.lineups, tallied.sizes.astype(np.float64)
    chances = _chances(strengths).ravel()
    expected = np.zeros(lineups.shape)
    for a, b in tallied.places:
        surplus = 2 * chances[lineups[a] * bots + lineups[b]] - 1
        expected[a] += surplus
        expected[b] -= surplus
    scores = (tallied.net() - expected * sizes) * (weight / 2)

    def information(few: NDArray[np.intp]) -> Floats:
        some = lineups[:, few].T
        chance = chances[some[:, :, None] * bots + some[:, None, :]]
        pairs = chance * (1 - chance) * (sizes[few] * weight)[:, None, None]
        return _laplacian(pairs * (1 - np.eye(len(lineups))))

    wide = widened(lineups, scores, sizes / 4, inverse, information)
    raw = scatter(lineups, scores, bots)
    between = scatter(lineups, scores / np.sqrt(sizes), bots)
    return raw, between, raw if wide is scores else scatter(lineups, wide, bots)


def _chances(strengths: Floats) -> Floats:
    """(K, K): the chance of the first against the second."""
    return 0.5 + 0.5 * np.tanh(np.subtract.outer(strengths, strengths) / 2)


def _laplacian(weights: Floats) -> Floats:
    """(..., K, K): the matrix of the quadratic form that sums weights times squared differences of each two."""
    found = -weights
    diagonal = np.einsum("...ii->...i", found)
    diagonal += weights.sum(axis=-1)
    return found


def _contrasts(covariance: Floats) -> Floats:
    """(K, K): standard errors of all differences, in Elo."""
    own = covariance.diagonal()
    return ELO * np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))


def _spread(covariance: Floats, played: Marks) -> float:
    """The mean variance of the differences between those who played, but for a factor."""
    some = covariance[np.ix_(played, played)]
    return float(np.trace(some) - some.mean() * len(some)) if len(some) else 0.0
