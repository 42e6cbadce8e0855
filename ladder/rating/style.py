"""The share of style in the effects of company, and unusual effects.

An honest bot, too, changes the best play of others: beside a bot that fills rows with low cards, those that keep their high cards
do better than those that do not. Such effects are real and large, so the question is not whether an effect is zero. But they follow
a pattern: companions of one kind help bots of another kind. That pattern is taken as one axis, g(A, B) = u(A) v(B). Strength is
part of it, because u and v may be any function of it. The effect of a pair is compared with what is expected from the other pairs:
u(A) from the effects of A on others, v(B) from those of others on B.

The axis is the first pair of singular vectors of the effects, by alternating weighted least squares (Gabriel and Zamir, 1979),
shrunk towards 0 as far as it is uncertain, and robust: effects that do not fit lose their weight (Tukey's biweight), so that two
that collude do not become a style of their own.
"""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from bullring.ladder.rating.company import Company
from bullring.ladder.rating.connected import Marks
from bullring.ladder.rating.scales import Floats, as_normal, as_student, below

FLOOR = 0.045
"""Least spread of honest effects, in points, times the number of seats: that of drawn characters, measured (docs/fair-play.md)."""

CHANCE = 0.05
"""An effect is unusual if all pairs of an honest list together show one as large with at most this probability."""

BIWEIGHT = 4.685
"""Tukey's constant: 95 % efficiency with normal errors."""

STEPS = 30
"""Steps of the fit; about ten are needed."""


@dataclass(frozen=True, eq=False)
class Unusual:
    """All arrays are (K, K), the company of the first bot for the second, in points; nan where nothing can be said."""

    style: Floats
    """The effect expected from those of all other pairs."""
    beyond: Floats
    """The rest."""
    spread: float
    """Standard deviation of the rest among honest pairs, apart from the luck of the matches."""
    chances: Floats
    """The probability that any pair of an honest list of this size has as large a rest, 0 to 1."""
    least: Floats
    """The least rest that would be unusual, from as many matches as there are."""

    @property
    def marked(self) -> Marks:
        """Whether the effect is unusual."""
        return np.nan_to_num(self.chances, nan=1.0) <= CHANCE


def unusual(found: Company, seats: int) -> Unusual:
    """Judge the effects of a list with this number of seats."""
    known = np.isfinite(found.points) & (found.points_errors > 0)
    if not known.any():
        nothing = np.full(known.shape, np.nan)
        return Unusual(nothing, nothing, FLOOR / seats, nothing, nothing)
    effects = np.where(known, found.points, 0.0)
    noise = np.where(known, found.points_errors, 1.0) ** 2
    style, spread = _axis(effects, noise, known, FLOOR / seats)
    beyond = effects - style
    # Few bots tell little of the pattern, and what it leaves has long tails: as many degrees of freedom as there are bots.
    freedom = np.maximum(np.minimum(found.groups - 1, int(known.any(axis=0).sum())), 1)
    errors = np.sqrt(noise + spread**2)
    tails = 2 * below(-np.abs(as_normal(beyond / errors, freedom)))
    pairs = int(known.sum())
    chances = -np.expm1(pairs * np.log1p(-np.minimum(tails, 1 - 1e-12)))
    limit = NormalDist().inv_cdf(1 + np.expm1(np.log1p(-CHANCE) / pairs) / 2)
    return Unusual(
        style=np.where(known, style, np.nan),
        beyond=np.where(known, beyond, np.nan),
        spread=spread,
        chances=np.where(known, chances, np.nan),
        least=np.where(known, as_student(limit, freedom) * errors, np.nan),
    )


def _axis(effects: Floats, noise: Floats, known: Marks, floor: float) -> tuple[Floats, float]:
    """(K, K) styles, each expected from the other pairs, and the spread of the rest."""
    spread = _spread(effects, noise, known, floor)
    weights = _weights(effects, noise, known, spread)
    left, sizes, right = np.linalg.svd(effects * (weights > 0))
    by, on = left[:, 0] * np.sqrt(sizes[0]), right[0] * np.sqrt(sizes[0])
    for _ in range(STEPS):
        by = _solved((weights * effects * on).sum(axis=1), (weights * on**2).sum(axis=1), by)
        on = _solved((weights * effects * by[:, None]).sum(axis=0), (weights * by[:, None] ** 2).sum(axis=0), on)
        rest = effects - by[:, None] * on
        spread = _spread(rest, noise, known, floor)
        weights = _weights(rest, noise, known, spread)
    some, others = weights * effects * on, weights * on**2
    by_others = _solved(some.sum(axis=1)[:, None] - some, others.sum(axis=1)[:, None] - others, by)
    some, others = weights * effects * by[:, None], weights * by[:, None] ** 2
    on_others = _solved(some.sum(axis=0) - some, others.sum(axis=0) - others, on)
    style = by_others * on_others
    return style, _spread(effects - style, noise, known, floor)


def _solved(slope: Floats, information: Floats, before: Floats) -> Floats:
    """The factor that fits best, shrunk as if drawn with the mean square that it had before."""
    size = float(np.mean(before**2))
    return np.asarray(slope * size / (information * size + 1.0))


def _spread(rest: Floats, noise: Floats, known: Marks, floor: float) -> float:
    """The standard deviation beside the noise that puts the median of squares where it belongs (0.455); at least `floor`."""
    squares, noises = rest[known] ** 2, noise[known]
    low, high = floor**2, max(floor**2, float(squares.max(initial=0.0)) * 4)
    for _ in range(60):
        middle = (low + high) / 2
        if np.median(squares / (noises + middle)) > 0.4549364:
            low = middle
        else:
            high = middle
    return float(np.sqrt(low))


def _weights(rest: Floats, noise: Floats, known: Marks, spread: float) -> Floats:
    variance = noise + spread**2
    away = rest**2 / (variance * BIWEIGHT**2)
    return np.where(known, np.clip(1 - away, 0.0, 1.0) ** 2 / variance, 0.0)
