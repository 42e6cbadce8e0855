"""The likelihood that a bot is better than one that was chosen by its rating, such as its neighbour in a table.

The likelihood of superiority of two bots that were named before they played takes every difference as equally likely. Bots that
are neighbours were chosen by the results that are to tell which one is better, so that figure is overconfident where
the bots of a list are close to each other. Here the strengths of a list are taken as drawn from a normal distribution whose
spread is not known either: a probability under such a model holds whatever the pair was chosen by.

The spread is drawn from a flat distribution over its standard deviation (Gelman, 2006) and summed over a grid. The results of the
pairs enter by their composite likelihood, divided by how much more or less independent results would tell (Pauli, Racugno and
Ventura, 2011), and as a normal distribution at the mode, which is found in a few steps (penalised quasi-likelihood, Breslow
and Clayton, 1993).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bullring.ladder.rating.connected import components
from bullring.ladder.rating.estimate import Estimate, chances_of, laplacian
from bullring.ladder.rating.scales import ELO, Floats, below

SPREADS = np.geomspace(5.0, 1200.0, 24) / ELO
"""The standard deviations of strengths that are summed over, in natural units: 5 to 1200 Elo."""

STEPS = 4
"""Steps to the mode; it hardly moves after three."""

SETTLED = 12
"""Groups of a bot from which on their joint worth is known from them as well as from the model."""


@dataclass(frozen=True, eq=False)
class Superiority:
    """The posterior of the strengths of the bots of one component, by spread: a mixture of normal distributions."""

    place: NDArray[np.intp]
    """(K,): the row of each bot; -1 for bots that are not connected with the mean."""
    weights: Floats
    """(S,): the probability of each spread."""
    directions: Floats
    """(P, D): the eigenvectors of what the results tell, by bot of the component."""
    means: Floats
    """(S, D): along each direction."""
    variances: Floats
    """(S, D)."""

    def over(self, ones: NDArray[np.intp], others: NDArray[np.intp]) -> Floats:
        """(N,): the probability, 0 to 1, that each of `ones` is better than that of `others`; nan where they are not connected."""
        first, second = self.place[ones], self.place[others]
        known = (first >= 0) & (second >= 0) & (first != second)
        found = np.full(len(known), np.nan)
        away = self.directions[first[known]] - self.directions[second[known]]
        deviates = (away @ self.means.T) / np.sqrt(np.maximum((away * away) @ self.variances.T, 1e-12))
        found[known] = below(deviates) @ self.weights
        return found


def superiority(matches: Floats, balance: Floats, seats: int, estimated: Estimate) -> Superiority:
    """Learn the spread of a list, and each strength with it.

    From (K, K) matches of each pair, and matches won by the first minus those won by the second (`Tally.met`).
    """
    within = np.flatnonzero(estimated.comparable)
    bots = len(matches)
    scale = 1 / ((seats - 1) * _excess(seats, estimated))
    matches, balance = (sums[np.ix_(within, within)] * scale for sums in (matches, balance))
    if len(within) < 2:
        return _learnt(bots, within, np.zeros((len(within), 0)), np.zeros(0), np.zeros(0))
    assert not components(matches).any()
    mode = np.zeros(len(within))
    for _ in range(STEPS):
        chances = chances_of(mode)
        slope = ((matches + balance) / 2 - matches * chances).sum(axis=1)
        told, directions = np.linalg.eigh(laplacian(matches * chances * (1 - chances)))
        # The first direction is the common level of all, of which results tell nothing.
        told, directions = np.maximum(told[1:], 1e-9), directions[:, 1:]
        found = _learnt(bots, within, directions, directions.T @ mode + (directions.T @ slope) / told, 1 / told)
        mode = directions @ (found.weights @ found.means)
    return found


def of_strengths(estimated: Estimate) -> Superiority:
    """The same from strengths and their covariance alone, of the bots whose differences results bound."""
    within = np.flatnonzero(estimated.weights)
    # The common level, which does not matter, is the first direction: it has no variance.
    level = np.eye(len(within)) - 1 / max(1, len(within))
    noise, directions = np.linalg.eigh(level @ estimated.covariance[np.ix_(within, within)] @ level)
    noise, directions = np.maximum(noise[1:], 1e-9), directions[:, 1:]
    strengths = estimated.strengths
    return _learnt(len(strengths), within, directions, directions.T @ strengths[within], noise)


def _learnt(bots: int, within: NDArray[np.intp], directions: Floats, seen: Floats, noise: Floats) -> Superiority:
    """The posterior of those `within` from what is `seen` along each direction (D,), and the variance of that."""
    place = np.full(bots, -1, dtype=np.intp)
    place[within] = np.arange(len(within))
    squares = (SPREADS * SPREADS)[:, None]
    whole = squares + noise
    evidence = -0.5 * (np.log(whole) + seen * seen / whole).sum(axis=1)
    # The spreads are a geometric sequence, so a flat distribution weighs each by itself.
    weights = np.exp(evidence - evidence.max()) * SPREADS
    weights /= weights.sum()
    kept = squares / whole
    return Superiority(place, weights, directions, kept * seen, kept * noise)


def _excess(seats: int, estimated: Estimate) -> float:
    """The variance of the strengths in multiples of what independent results of all pairs would leave.

    Of equal bots whose deals are played once it is (n + 1) / (3(n - 1)), because all orders of finishing are equally likely. What
    the groups themselves show takes its place as they become many.
    """
    model = (seats + 1) / (3 * (seats - 1))
    bounded = estimated.comparable & (estimated.finite.sum(axis=1) > 1)
    if not bounded.any():
        return model
    own, plain = (found.diagonal()[bounded].sum() for found in (estimated.covariance, estimated.curved))
    groups = estimated.groups[bounded].mean()
    return float((groups * own / plain + SETTLED * model) / (groups + SETTLED))
