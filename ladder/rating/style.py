"""The share of style in the effects of company.

An honest bot, too, changes the best play of others: beside a bot that fills rows with low cards, those that keep their high cards
do better than those that do not. Such effects are real and large, so the question is not whether an effect is zero. But they follow
patterns: companions of one kind help bots of another kind. Each pattern is an axis, and effects are modelled as

    g(A, B) = a(A) + b(B) + sum over axes of u(A) v(B) + rest.

Effects are compared with what the *others* let expect: those under judgement are left out of the fit, so that bots that collude do
not become a style of their own, however many they are. The levels a and b are hardly shrunk: help within a ring lowers the
effects of its members on all others, and these would hide it.

The axes are fitted by alternating weighted least squares (Gabriel and Zamir, 1979), each shrunk towards 0 as far as it is uncertain
(automatic relevance determination: MacKay, 1994). The rest has a spread of its own, estimated from the effects that are left in:
too few axes make it larger, so they cost power and not alarms.
"""

from dataclasses import dataclass

import numpy as np

from bullring.ladder.rating.company import Company
from bullring.ladder.rating.connected import Marks
from bullring.ladder.rating.scales import Floats

FLOOR = 0.045
"""Least spread of honest effects, in points, times the number of seats: that of drawn characters, measured (docs/fair-play.md)."""

AXES = 3
"""Most axes of style."""

STEPS = 25
"""Steps of a fit; about ten are needed."""

WINSOR = 9.0
"""Squared deviates count at most as much in the spread: others that collude must not widen it."""


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of company from some matches; arrays are (K, K), the first bot's company for the second."""

    points: Floats
    """0 where nothing is known."""
    noise: Floats
    """Squared standard errors; 1 where nothing is known."""
    known: Marks

    @classmethod
    def of(cls, found: Company) -> "Effects":
        """The effects that can be estimated."""
        known = np.isfinite(found.points) & (found.points_errors > 0)
        return cls(np.where(known, found.points, 0.0), np.where(known, found.points_errors, 1.0) ** 2, known)


@dataclass(frozen=True, eq=False)
class Style:
    """Fits of the same effects, each without the pairs of one set. The first axis of all arrays is that of the sets."""

    expected: Floats
    """(C, K, K): the effects that all other pairs let expect."""
    spread: Floats
    """(C,): standard deviation of the rest among these other pairs, apart from the luck of the matches."""
    by: Floats
    """(C, K, R+1): u(A), and 1."""
    on: Floats
    """(C, K, R+1): v(B), and 1."""
    by_covariance: Floats
    """(C, K, R+1, R+1): of u(A) and a(A)."""
    on_covariance: Floats
    """(C, K, R+1, R+1): of v(B) and b(B)."""

    def variance(self, weights: Floats) -> Floats:
        """(C,): of the expected effects, added up with these weights (C, K, K)."""
        by, on = weights @ self.on, _turned(weights) @ self.by
        return np.asarray((_form(by, self.by_covariance) + _form(on, self.on_covariance)).sum(axis=1))

    @property
    def variances(self) -> Floats:
        """(C, K, K): of each expected effect."""
        by = np.einsum("cjr,cirs,cjs->cij", self.on, self.by_covariance, self.on)
        return np.asarray(by + np.einsum("cir,cjrs,cis->cij", self.by, self.on_covariance, self.by))


def fit(effects: Effects, without: Marks, axes: int, floor: float) -> Style:
    """Fit this number of axes, without the pairs of each set (C, K, K)."""
    inside = effects.known & ~without
    weights = np.where(inside, 1 / (effects.noise + floor**2), 0.0)
    points = np.where(inside, effects.points, 0.0)
    across, turned = _turned(weights), _turned(points)
    a, b = np.zeros((2, *weights.shape[:2]))
    for _ in range(STEPS):
        a, b = _mean(weights, points - b[:, None, :]), _mean(across, turned - a[:, None, :])
    left, sizes, right = np.linalg.svd(np.where(inside, points - a[:, :, None] - b[:, None, :], 0.0))
    root, ones = np.sqrt(sizes[:, None, :axes]), np.ones((*a.shape, 1))
    by = np.concatenate([left[:, :, :axes] * root, ones], axis=2)
    on = np.concatenate([_turned(right)[:, :, :axes] * root, ones], axis=2)
    for _ in range(STEPS):
        by[:, :, :-1], a, by_covariance = _solved(weights, points - b[:, None, :], on, by)
        on[:, :, :-1], b, on_covariance = _solved(across, turned - a[:, None, :], by, on)
    expected = by[:, :, :-1] @ _turned(on[:, :, :-1]) + a[:, :, None] + b[:, None, :]
    style = Style(expected, np.full(len(without), floor), by, on, by_covariance, on_covariance)
    # A fit takes its leverage out of the squares of the rest (Cook and Weisberg, 1982).
    free = np.clip(1 - weights * style.variances, 0.05, 1.0)
    squares = np.where(inside, (effects.points - expected) ** 2 / free, 0.0)
    return Style(expected, _spread(squares, effects.noise, inside, floor), by, on, by_covariance, on_covariance)


def _spread(squares: Floats, noise: Floats, inside: Marks, floor: float) -> Floats:
    """(C,): the standard deviation beside the noise that explains these squares; at least `floor`."""
    count = np.maximum(inside.sum(axis=(1, 2)), 1)
    low = np.full(len(squares), floor**2)
    high = np.maximum(low, 4 * squares.max(axis=(1, 2)))
    for _ in range(40):
        middle = (low + high) / 2
        deviates = np.minimum(squares / (noise + middle[:, None, None]), WINSOR)
        more = deviates.sum(axis=(1, 2)) > 0.985 * count  # the mean of such squares of normal deviates
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray(np.sqrt(low))


def _solved(weights: Floats, points: Floats, others: Floats, own: Floats) -> tuple[Floats, Floats, Floats]:
    """The factors and levels that fit best, shrunk as if drawn with the mean squares that they had before; their covariances."""
    count, bots, size = others.shape
    prior = 1 / (np.mean(own**2, axis=1) + 1e-6)
    products = (others[:, :, :, None] * others[:, :, None, :]).reshape(count, bots, size * size)
    information = (weights @ products).reshape(count, bots, size, size) + (np.eye(size) * prior[:, None, :])[:, None]
    covariance = np.linalg.inv(information)
    found = np.einsum("cirs,cis->cir", covariance, (weights * points) @ others)
    return found[:, :, :-1], found[:, :, -1], covariance


def _mean(weights: Floats, points: Floats) -> Floats:
    return np.asarray((weights * points).sum(axis=2) / np.maximum(weights.sum(axis=2), 1e-300))


def _form(vectors: Floats, matrices: Floats) -> Floats:
    return np.asarray(np.einsum("cir,cirs,cis->ci", vectors, matrices, vectors))


def _turned(array: Floats) -> Floats:
    return np.swapaxes(array, 1, 2)
