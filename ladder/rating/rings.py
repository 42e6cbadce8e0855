"""Rings: bots whose company helps one of them, or each other, beyond what style explains.

Two kinds are looked for, because any set of pairs would include every pattern of style: some helpers of one bot (one helper, too),
and bots that all help each other. Sets are suspected from one part of the matches and judged by another (`suspicions`). In both,
the mean rest of a ring is compared with its error: that of the matches and of the fit, and the whole spread of honest rests. The
latter is not divided by the number of pairs, as what a wrong model of style leaves in them may be the same in all.

The number of axes is the one whose fit to one part predicts the other best (cross-validation: Owen and Perry, 2009); a ring must be
as unusual with any larger number. Some bots are bound to be alike in several axes, and without their pairs no fit can tell those
axes. So with a ring, each part must also predict the other better than by style of any number of axes alone (`Ring.doubt`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from bullring.ladder.rating.company import Company
from bullring.ladder.rating.connected import Marks
from bullring.ladder.rating.scales import Floats, as_normal, as_student, below
from bullring.ladder.rating.style import AXES, FLOOR, Effects, Style, fit

CHANCE = 0.05
"""Honest lists raise an alarm with at most this probability."""

MOST = 4
"""Most helpers of one bot, and bots of a ring."""

CANDIDATES = 40
"""Sets that are judged in full, the most promising ones; at least a quarter of them where there are many bots."""

CELLS = 40_000
"""Effects in all sets that are judged in full, if that leaves enough sets."""

DOUBT = 30.0
"""Squared errors, in units of their variance, in which an axis of style may be worth more than a ring; chosen by simulation."""

RINGS = 4
"""Most rings of a list."""

SHARED = 0.5
"""Correlation of the luck in the effects of two bots on each other, at most."""


@dataclass(frozen=True, order=True)
class Ring:
    """Some bots, as numbers, that move the results of others."""

    helpers: tuple[int, ...]
    helped: tuple[int, ...]
    """The same as the helpers, or a single bot."""
    sign: int = 1
    """-1: they do harm."""

    @property
    def doubt(self) -> float:
        """Squared errors by which style alone may predict better: none where most of what tells a bot's style is left out."""
        return 0.0 if len(self.helped) == 1 < len(self.helpers) else DOUBT

    def marks(self, bots: int) -> Marks:
        """(K, K): its pairs, helpers first."""
        marks = np.zeros((bots, bots), dtype=bool)
        marks[np.ix_(self.helpers, self.helped)] = True
        np.fill_diagonal(marks, val=False)
        return marks


@dataclass(frozen=True)
class Suspicion:
    """A ring that one part of the matches suggests, as the other part shows it."""

    ring: Ring
    first: float
    """Mean effect beyond style where it was found, in points, and its error."""
    first_error: float
    effect: float
    """The same in the other part."""
    error: float
    chance: float
    """The probability that an honest list shows as much in the other part, with all its suspicions."""

    @property
    def confirmed(self) -> bool:
        """Whether the other part shows it, too."""
        return self.chance <= CHANCE


@dataclass(frozen=True, eq=False)
class Verdict:
    """Of a list."""

    axes: int
    """The number of axes of style."""
    style: Floats
    """(K, K): the effects that style explains, as all pairs outside of suspected rings show it; nan where nothing can be said."""
    deviates: Floats
    """(K, K): the rest, in standard errors."""
    least: float
    """The mean rest of a single pair that would be suspicious, in points, from as many matches; nan where nothing can be said."""
    suspicions: list[Suspicion]
    """In the order of being found."""


def judged(found: Company, parts: tuple[Company, Company], seats: int) -> Verdict:
    """Judge the effects of a list with this number of seats: found in all matches, and in each of two parts of them."""
    whole, (one, other) = Effects.of(found), map(Effects.of, parts)
    known, floor = one.known & other.known, FLOOR / seats
    suspected = suspicions((one, other), seats)
    apart = np.zeros_like(known)
    for suspicion in suspected:
        apart |= suspicion.ring.marks(len(known))
    axes = int(_missed_by_style((one, other), apart, floor).argmin())
    part = fit(one, apart[None], axes, floor)
    errors = np.sqrt(one.noise + part.variances[0] + part.spread**2)[known]
    style = fit(whole, apart[None], axes, floor)
    rest = (whole.points - style.expected[0]) / np.sqrt(whole.noise + style.spread**2)
    return Verdict(
        axes,
        np.where(whole.known, style.expected[0], np.nan),
        np.where(whole.known, rest, np.nan),
        float(np.median(errors) * _limit(known, Ring((0,), (1,)))) if len(errors) else np.nan,
        suspected,
    )


def _freedom(known: Marks) -> int:
    """Degrees of freedom of an effect beyond style: the effects of a bot, less its levels and shares in the axes."""
    return max(1, int(known.any(axis=0).sum()) - 1 - AXES)


def _limit(known: Marks, ring: Ring) -> float:
    """The deviate that is suspicious.

    Style leaves effects with long tails where there are few bots, but alike in all rings of a bot: one of all pairs is as unusual.
    Luck is normal, and a ring is chosen among all of its kind.
    """
    helped, helpers, bots = len(ring.helped), len(ring.helpers), int(known.any(axis=0).sum())
    kind = math.comb(bots, helpers) if helped > 1 else bots * math.comb(bots - 1, helpers)
    style, luck = (
        -NormalDist().inv_cdf(-math.expm1(math.log1p(-CHANCE) / count) / 2) for count in (int(known.sum()), kind)
    )
    return max(float(as_student(style, _freedom(known))), luck)


def suspicions(parts: tuple[Effects, Effects], seats: int) -> list[Suspicion]:
    """Look for rings in the first part, and judge them by the second."""
    known = parts[0].known & parts[1].known
    bots, floor = len(known), FLOOR / seats
    rings: list[Ring] = []
    apart = np.zeros_like(known)
    while known.any() and len(rings) < RINGS:
        candidates = _candidates(parts[0], known & ~apart, floor)
        if not candidates:
            break
        means = _Means.of(parts, candidates, apart, known, floor)
        deviates = means.effects[0] / means.errors[0]
        best = int(deviates.argmax())
        style = _missed_by_style(parts, apart, floor).min() + candidates[best].doubt
        if deviates[best] < _limit(known, candidates[best]) or means.missed[best] >= style:
            break
        rings.append(candidates[best])
        apart = apart | candidates[best].marks(bots)
    if not rings:
        return []
    means = _Means.of(parts, rings, apart, known, floor)
    tails = below(-as_normal(means.effects[1] / means.errors[1], np.array(_freedom(known))))
    chances = -np.expm1(len(rings) * np.log1p(-np.minimum(tails, 1 - 1e-12)))
    figures = zip(rings, means.effects.T, means.errors.T, chances, strict=True)
    return [
        Suspicion(ring, float(effect[0]), float(error[0]), float(effect[1]), float(error[1]), float(chance))
        for ring, effect, error, chance in figures
    ]


@dataclass(frozen=True, eq=False)
class _Means:
    """(2, C): for each part of the matches and each ring, the mean effect beyond style in its direction, and the error."""

    effects: Floats
    errors: Floats
    missed: Floats
    """(C,): squared errors of the prediction of each part by the other, with this ring."""

    @classmethod
    def of(
        cls, parts: tuple[Effects, Effects], rings: Sequence[Ring], apart: Marks, known: Marks, floor: float
    ) -> "_Means":
        marks = np.array([ring.marks(len(known)) & known for ring in rings])
        without = marks | apart
        sign = np.array([float(ring.sign) for ring in rings])
        missed, outside, effects, errors = [], [], [], []
        for axes in range(_most(known) + 1):
            styles = [fit(part, without, axes, floor) for part in parts]
            found = [_mean(part, style, marks) for part, style in zip(parts, styles, strict=True)]
            expected = [
                style.expected + marks * effect[:, None, None] for style, (effect, _) in zip(styles, found, strict=True)
            ]
            missed.append(_missed(parts, expected, ~apart, floor))
            outside.append(_missed(parts, expected, ~without, floor))
            effects.append([sign * effect for effect, _ in found])
            errors.append([error for _, error in found])
        some, few = np.array(effects), np.array(errors)
        allowed = np.arange(len(outside))[:, None] >= np.argmin(outside, axis=0)
        least = np.where(allowed, (some / few).min(axis=1), np.inf).argmin(axis=0)
        every = np.arange(len(rings))
        return cls(some[least, :, every].T, few[least, :, every].T, np.min(missed, axis=0))


def _most(known: Marks) -> int:
    return min(AXES, max(0, int(known.any(axis=0).sum()) - 4))


def _missed(parts: Sequence[Effects], expected: Sequence[Floats], judged: Marks, floor: float) -> Floats:
    """(C,): squared errors of the judged effects in one part as expected from the other."""
    total = np.zeros(len(expected[0]))
    for part, foreseen in zip(parts, expected[::-1], strict=True):
        squares = (part.points - foreseen) ** 2 / (part.noise + floor**2)
        total += np.where(part.known & judged, squares, 0.0).sum(axis=(1, 2))
    return total


def _missed_by_style(parts: Sequence[Effects], apart: Marks, floor: float) -> Floats:
    """(R+1,): the same by the number of axes, if there is no other ring than those taken apart."""
    known = parts[0].known & parts[1].known
    return np.array(
        [
            _missed(parts, [fit(part, apart[None], axes, floor).expected for part in parts], ~apart, floor)[0]
            for axes in range(_most(known) + 1)
        ]
    )


def _mean(effects: Effects, style: Style, marks: Marks) -> tuple[Floats, Floats]:
    """(C,): mean effect of the pairs of each ring beyond style, and its error."""
    weights = np.where(marks, 1 / (effects.noise + style.spread[:, None, None] ** 2), 0.0)
    weights /= np.maximum(weights.sum(axis=(1, 2), keepdims=True), 1e-300)
    luck = weights * np.sqrt(effects.noise)
    variance = (luck**2).sum(axis=(1, 2)) + SHARED * (luck * np.swapaxes(luck, 1, 2)).sum(axis=(1, 2))
    error = np.sqrt(variance + style.variance(weights) + style.spread**2)
    return (weights * (effects.points - style.expected)).sum(axis=(1, 2)), error


def _candidates(effects: Effects, known: Marks, floor: float) -> list[Ring]:
    """Sets that stand out beside a fit with any number of axes, as too many of them pass a ring for style, and too few hide it."""
    scores: dict[Ring, float] = {}
    for axes in range(_most(known) + 1):
        style = fit(effects, ~known[None], axes, floor)
        deviates = np.where(known, (effects.points - style.expected[0]) / np.sqrt(effects.noise + floor**2), 0.0)
        for ring in (*_helped(deviates, known), *_each_other(deviates, known)):
            some = deviates[ring.marks(len(known)) & known]
            scores[ring] = max(scores.get(ring, 0.0), float(ring.sign * some.sum() / np.sqrt(len(some))))
    count = max(CANDIDATES // 4, min(CANDIDATES, CELLS // known.size))
    return sorted(scores, key=lambda ring: (-scores[ring], ring))[:count]


def _helped(deviates: Floats, known: Marks) -> Iterator[Ring]:
    """The bots that help each bot most, or harm it."""
    for sign in (1, -1):
        for bot in range(len(known)):
            there = np.flatnonzero(known[:, bot] & (sign * deviates[:, bot] > 1))
            order = there[np.argsort(-sign * deviates[there, bot], kind="stable")].tolist()
            for count in range(1, min(MOST if sign > 0 else 1, len(order)) + 1):
                yield Ring(tuple(sorted(order[:count])), (bot,), sign)


def _each_other(deviates: Floats, known: Marks) -> Iterator[Ring]:
    """The pairs that help each other most, and who joins them."""
    both = np.where(known & known.T, deviates + deviates.T, -np.inf)
    first, second = np.nonzero(np.triu(both > 1.5, 1))
    for at in np.argsort(-both[first, second], kind="stable")[: len(known)]:
        members = [int(first[at]), int(second[at])]
        while len(members) <= MOST:
            yield Ring(tuple(sorted(members)), tuple(sorted(members)))
            gains = both[members].sum(axis=0)
            gains[members] = -np.inf
            best = int(gains.argmax())
            if gains[best] < len(members):
                break
            members.append(best)
