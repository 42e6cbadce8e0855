"""Ratings of all bots of a list together: batch pairwise Bradley-Terry with errors clustered by group.

A match of n bots counts as n(n-1)/2 pairwise results of weight 1/(n-1) each, a tie as half a win for both. The strengths maximise

    sum of w [S ln p + (1-S) ln(1-p)] - (PRIOR/2) |level|^2,   p = 1 / (1 + e^(theta_j - theta_i)),   R = 400/ln 10 theta

over all results at once, so the order of the matches does not matter. The pairwise results of a match depend on each other, and
so do the matches of a group, which share their cards. So the errors come from the sandwich estimator with groups as clusters; where
each deal was played once, these are the matches.

Differences that no result bounds are left to the prior, and only they: `level` (K,) is the mean strength of the bots whose results
bound all differences between them. A prior on each strength would draw an outlier that has few losses to the others.

The maximum by itself stretches the scale, because the equations are curved and their solution has a variance. To the first order it
lacks h ties of each pair, where h is the information of its results times the variance of its difference (Firth, 1993; Kosmidis and
Firth, 2009). The variance is the sandwich's, too (Kosmidis and Lunardon, 2024), so bots that are not equal are not taken for equal:
two rivals seldom beat a strong bot in one match, so its results hardly depend on each other. The scatter of the groups comes from a
first solution, with the variance that `excess` gives to equal bots, and the last one starts there.

Full Plackett-Luce is not used. Where luck is just as it assumes, its error is 1 to 4 % smaller at three to five seats. In deals of
the built-in policies at four seats it expects shares of pairs that are off by 1.0 %, these ratings by .3 %, hardly more than chance
(`bench.verdicts.luce`). And orders have no sums, so each rating of a list that grows would go through all its matches.

Intervals are those of the difference to the mean of the list, as in BayesElo (Coulom, 2008) and Ordo, so that no single bot's
uncertainty is part of everybody's. In that mean each bot counts by its matches: it is the average seat at the tables that were
played, and a newcomer hardly moves it. An anchor only moves the zero.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import Marks, components, reach
from bullring.ladder.rating.part import Part
from bullring.ladder.rating.sandwich import inverted, scatter, widened
from bullring.ladder.rating.scales import ELO, Floats, student
from bullring.ladder.rating.sums import Sums
from bullring.ladder.rating.tally import Tally

PRIOR = 1 / 16
"""Inverse variance of the prior on levels: standard deviation 4, or 695 Elo, about the mean of their component. It weighs a quarter
of a match of two and keeps the ratings of bots that never lost or never won finite."""
ROUNDS = 2
"""Solutions with the ties of the sandwich; a third would move ratings by about a hundredth of their errors."""
STEPS = 100
"""Most Newton steps; about five are needed."""
LEAST = 1e-6
"""Standard error in Elo below which a spread of groups is rounding."""
ENDLESS = 10**9
"""Degrees of freedom of an error that no results were taken from."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Ratings in Elo. Arrays (K,) are by bot, arrays (K, K) are of the first bot against the second."""

    anchor: int | None
    """The bot whose rating is given; None: that of the mean is."""
    mean: float
    """The rating of the mean of the list."""
    weights: Floats
    """(K,): by what share each bot counts in the mean: `reference`; all 0 without a match."""
    ratings: Floats
    """nan for bots that never played."""
    groups: NDArray[np.int64]
    """Number of groups of each bot."""
    matches: NDArray[np.int64]
    comparable: Marks
    """Whether a chain of matches connects the bot with the mean; others are rated about the mean of their own component."""
    strengths: Floats
    """In natural units; only differences are meaningful."""
    covariance: Floats
    """(K, K): covariance of the strengths, clustered by group."""
    curved: Floats
    """(K, K): inverse of the information, prior included, as `sandwich.inverted`; the error of bots bounded by the prior only."""
    met: Floats
    """(K, K): matches of each pair."""
    scored: Marks
    """(K, K): whether a chain of points leads from the first to the second."""

    @cached_property
    def finite(self) -> Marks:
        """(K, K): whether the results alone, without the prior, bound the difference."""
        return self.scored & self.scored.T

    @cached_property
    def differences(self) -> Floats:
        """(K, K): the first minus the second, in Elo."""
        return ELO * np.subtract.outer(self.strengths, self.strengths)

    @cached_property
    def errors(self) -> Floats:
        """(K, K): standard errors of the differences, in Elo; inf where no chain of matches connects the two.

        From the spread of the groups if there is one; otherwise (a bot never lost, or all groups are alike) from the information.
        """
        return np.where(
            self._connected, np.where(self._seen, _contrasts(self.covariance), _contrasts(self.curved)), np.inf
        )

    @cached_property
    def freedom(self) -> NDArray[np.int64]:
        """(K, K): degrees of freedom of the errors; practically infinite where the error comes from the prior only."""
        return np.where(self.finite, np.minimum.outer(self.groups, self.groups) - 1, ENDLESS)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """(K, K) twice: lower and upper ends of the 95 % intervals of the differences."""
        half = _half(self.errors, self.freedom, self._connected)
        np.fill_diagonal(half, 0.0)
        low = np.where(self._connected & (self.finite | self.scored), self.differences - half, -np.inf)
        high = np.where(self._connected & (self.finite | self.scored.T), self.differences + half, np.inf)
        return low, high

    @property
    def low(self) -> Floats:
        """(K,): the lower ends of the ratings' 95 % intervals, which are those of the differences to the mean."""
        return self._ends[0]

    @property
    def high(self) -> Floats:
        """(K,): the upper ends."""
        return self._ends[1]

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        within = np.flatnonzero(self.weights)
        if not len(within):
            return np.full(len(self.ratings), np.nan), np.full(len(self.ratings), np.nan)
        above, below = self.scored[:, within[0]], self.scored[within[0]]
        seen = self._from_mean(self.covariance)
        # The mean of one bot is that bot, whose own level nothing bounds.
        both = above & below & (len(within) > 1)
        errors = np.where(both & (seen > LEAST), seen, self._from_mean(self.curved))
        half = _half(errors, np.where(both, self.groups - 1, ENDLESS), self.comparable)
        low = np.where(both | (above & ~below), self.ratings - half, -np.inf)
        high = np.where(both | (below & ~above), self.ratings + half, np.inf)
        rated = np.isfinite(self.ratings)
        return np.where(rated, low, np.nan), np.where(rated, high, np.nan)

    def _from_mean(self, covariance: Floats) -> Floats:
        """(K,): standard errors of the differences to the mean, in Elo."""
        shared = covariance @ self.weights
        variances = covariance.diagonal() - 2 * shared + self.weights @ shared
        return np.asarray(ELO * np.sqrt(np.maximum(variances, 0.0)))

    @cached_property
    def _seen(self) -> Marks:
        """(K, K): whether the groups show a spread."""
        return self.finite & (_contrasts(self.covariance) > LEAST)

    @cached_property
    def _connected(self) -> Marks:
        return reach(self.scored | self.scored.T)


@dataclass(frozen=True, eq=False)
class Fit:
    """The strengths of all bots."""

    strengths: Floats
    """(K,)"""
    inverse: Floats
    """(K, K): inverse of the information, as `sandwich.inverted`."""
    component: NDArray[np.intp]
    """(K,): the connected component of each bot."""
    scored: Marks
    """(K, K): whether a chain of points leads from the first to the second."""
    weight: float
    """Of each result of a pair."""


def estimate(tallied: Tally, anchor: int | None = None, rating: float = 0.0) -> Estimate:
    """Rate all bots of a list so that the anchor, or without one the mean, has the given rating, in two passes over the list."""
    if anchor is not None and not 0 <= anchor < tallied.bots:
        raise ValueError(f"the anchor must be a bot number from 0 to {tallied.bots - 1}, not {anchor}")
    found = fit(tallied.sums)
    scattered = np.zeros((tallied.bots, tallied.bots))
    for part in tallied.parts():
        scattered += scatter_of(part, found)
    return estimated(tallied.sums, found, scattered, anchor, rating)


def fit(sums: Sums, start: Floats | None = None) -> Fit:
    """Find the strengths with the ties of equal bots, from `start` (K,) on.

    For them the variance of a difference is about `excess` times the sum of the inverse information of both.
    """
    matches, balance = sums.met()
    strengths = np.zeros(sums.bots) if start is None else start
    share = excess(sums.seats) * matches / np.maximum(matches.sum(axis=1, keepdims=True), 1.0)
    return solved(sums, strengths, components(matches), reach(matches + balance > 0), share + share.T)


def solved(sums: Sums, strengths: Floats, component: NDArray[np.intp], scored: Marks, ties: Floats) -> Fit:
    """The maximum with ties (K, K) added to what results bound, by Newton's method; the mean of a component is 0."""
    weight, bounded = 1 / (sums.seats - 1), scored & scored.T
    prior = PRIOR * bounded / bounded.sum(axis=1, keepdims=True)
    ties = np.where(bounded, ties, 0.0)
    matches, balance = (weight * part for part in sums.met())
    points = (matches + balance + ties) / 2
    for _ in range(STEPS):
        chances = chances_of(strengths)
        slope = (points - (matches + ties) * chances).sum(axis=1) - prior @ strengths
        step = np.linalg.solve(laplacian((matches + ties) * chances * (1 - chances)) + prior, slope)
        # A full step from far away overshoots where the curve flattens, so limit it to one unit, 174 Elo.
        strengths = strengths + step / max(1.0, float(np.abs(step).max(initial=0.0)))
        # The error after a step is about its square.
        if np.abs(step).max(initial=0.0) < 1e-5:
            break
    chances = chances_of(strengths)
    inverse = inverted(laplacian(matches * chances * (1 - chances)) + prior, component)
    return Fit(strengths, inverse, component, scored, weight)


def estimated(sums: Sums, found: Fit, scattered: Floats, anchor: int | None, rating: float) -> Estimate:
    """The ratings, from the sums of a list, its first solution, and the scatter of its groups' scores (K, K)."""
    matches, _ = sums.met()
    for _ in range(ROUNDS):
        chances = chances_of(found.strengths)
        spread = _contrasts(found.inverse @ scattered @ found.inverse) / ELO
        ties = found.weight * matches * chances * (1 - chances) * spread**2
        found = solved(sums, found.strengths, found.component, found.scored, ties)
    covariance = found.inverse @ scattered @ found.inverse
    return from_strengths(found, covariance, matches, sums.groups_of, sums.matches_of, anchor, rating)


def from_strengths(
    found: Fit,
    covariance: Floats,
    met: Floats,
    groups: NDArray[np.int64],
    matches: NDArray[np.int64],
    anchor: int | None,
    rating: float,
) -> Estimate:
    """The ratings of strengths with this covariance (K, K), from the matches of pairs (K, K), and groups and matches of bots (K,).

    An anchor that has not played is none.
    """
    component, played = found.component, groups > 0
    if anchor is not None and not played[anchor]:
        anchor = None
    totals = np.bincount(component, weights=matches, minlength=len(component))
    own = component[anchor] if anchor is not None else totals.argmax() if len(totals) else 0
    ratings = np.full(len(component), np.nan)
    for one in np.unique(component[played]):
        within = component == one
        level = reference(matches, found.scored, within) @ found.strengths
        ratings[within] = rating + ELO * (found.strengths[within] - level)
    within = played & (component == own)
    shift = 0.0 if anchor is None else rating - float(ratings[anchor])
    ratings[within] += shift
    return Estimate(
        anchor=anchor,
        mean=rating + shift,
        weights=reference(matches, found.scored, within),
        ratings=ratings,
        groups=groups.copy(),
        matches=matches.copy(),
        comparable=within,
        strengths=found.strengths,
        covariance=covariance,
        curved=found.inverse,
        met=met,
        scored=found.scored,
    )


def reference(matches_of: NDArray[np.int64], scored: Marks, within: Marks) -> Floats:
    """(K,): by what share each bot counts in the mean of those `within`: by its matches.

    So a newcomer hardly counts. In a mean of equal shares its uncertainty would be a good part of every interval.

    A bot that lost to none, or won against none, has no level that results bound. So the mean is that of bots whose results bound
    all differences between them; if there are several such sets, of the one with most matches. All 0 without a match.
    """
    counts = np.where(within, matches_of, 0)
    bounded = scored & scored.T
    weights = np.where(bounded[(bounded @ counts).argmax()], counts, 0) if counts.any() else counts
    return np.asarray(weights / max(1, weights.sum()))


def scatter_of(part: Part, found: Fit, *, wide: bool = True) -> Floats:
    """(K, K): the scatter of the groups' scores; `wide`: of scores `widened`, as bots with few groups need them."""
    bots, lineups, sizes, weight = len(found.strengths), part.lineups, part.sizes.astype(np.float64), found.weight
    chances = chances_of(found.strengths).ravel()
    expected = np.zeros(lineups.shape)
    for a, b in part.places:
        surplus = 2 * chances[lineups[a] * bots + lineups[b]] - 1
        expected[a] += surplus
        expected[b] -= surplus
    scores = (part.net() - expected * sizes) * (weight / 2)

    def information(few: NDArray[np.intp]) -> Floats:
        some = lineups[:, few].T
        chance = chances[some[:, :, None] * bots + some[:, None, :]]
        pairs = chance * (1 - chance) * (sizes[few] * weight)[:, None, None]
        return laplacian(pairs * (1 - np.eye(len(lineups))))

    if wide:
        scores = widened(lineups, scores, sizes / 4, found.inverse, information)
    return scatter(lineups, scores, bots)


def excess(seats: int) -> float:
    """The variance of strengths of equal bots in multiples of the inverse information.

    A bot's mean score over its n-1 rivals has the variance (n+1)/12(n-1), as all orders of finishing are equally likely; from
    results that do not depend on each other it would be 1/4(n-1). Each result weighs 1/(n-1).
    """
    return (seats + 1) / (3 * (seats - 1))


def chances_of(strengths: Floats) -> Floats:
    """(K, K): the probability that the first beats the second."""
    return 0.5 + 0.5 * np.tanh(np.subtract.outer(strengths, strengths) / 2)


def laplacian(weights: Floats) -> Floats:
    """(..., K, K): the matrix of the quadratic form that sums weights times squared differences over all pairs."""
    found = -weights
    diagonal = np.einsum("...ii->...i", found)
    diagonal += weights.sum(axis=-1)
    return found


def _contrasts(covariance: Floats) -> Floats:
    """(K, K): standard errors of all differences, in Elo."""
    own = covariance.diagonal()
    return ELO * np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))


def _half(errors: Floats, freedom: NDArray[np.int64], known: Marks) -> Floats:
    """Halves of 95 % intervals; inf where nothing is known."""
    some = known & (freedom > 0)
    return np.where(some, np.where(some, errors, 0.0) * student(np.maximum(freedom, 1)), np.inf)
