"""Estimates of what the options of one decision are worth, from paired playouts. Numbers only.

All options of a playout share hidden cards and random numbers, so an option is judged by its differences to another one within each
playout. Options that are clearly worse stop early; the chosen one and the best one never do. Where playouts are dear, their number
is bounded for all options together, and after each equal part of them the worse half stops.

The best of noisy estimates looks better than it is (the winner's curse), so a cost is not read off the estimates that chose the
best option: the playouts are split into halves, each half names a best option, and the other half measures how far behind it the
choice is. The mean of both is the cost. It is free of bias for the options that were named; against the truly best option it is
rather too low than too high.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Drawn = NDArray[np.float64]
Draw = Callable[[Sequence[int], int, int], Drawn]
"""Plays out options (by index), this many times, in a round (from 0): the heads of the deciding seat, as (playouts, options)."""

FIRST_ROUND = 2048
"""Playouts before any option is dropped, shared by all; every option gets from 32 to 256 of them."""

CLEARLY, KNOWN, ROUGHLY = 3.0, 1.0, 4.0
"""An option is played out no further if it is this many errors behind, and its error is at most this many heads, or what it is
behind divided by this."""

AMPLY = 1.1
"""Rounds are this much longer than they need to be for the wanted error, if the heads scatter as before."""

PARTS = 4
"""Fewest parts of a bounded number of playouts; after each one is seen whether the errors are small enough."""


@dataclass(frozen=True)
class Estimate:
    """The worth of the options of one decision to the seat that chose. Errors are standard errors."""

    heads: tuple[float, ...]
    """By option, the expected heads from here to the end of the deal."""
    errors: tuple[float, ...]
    """By option, the error of its difference to the best option; 0 for that one."""
    error: float
    """The error of the heads of the best option."""
    best: int
    """The index of the option with the fewest expected heads."""
    cost: float
    """The heads that the choice is expected to take more than the best option. By chance it may be slightly negative."""
    cost_error: float
    choice: float
    """The heads that the choice is expected to take more than the policy's own choice; negative if it is better."""
    choice_error: float
    expected: float
    """The expected heads if the policy decides here, too."""
    expected_error: float
    playouts: int
    """Playouts of the chosen option; others may have had fewer."""


def estimate(
    draw: Draw, chosen: int, weights: Sequence[float], error: float, most: int, total: int | None = None
) -> Estimate:
    """Play out until all errors are at most `error` heads, an option has `most` playouts, or all together have about `total`.

    `weights` are the probabilities of the options under the policy.
    """
    size = len(weights)
    counts = np.zeros(size, np.int64)
    drawn = np.full((0, size), np.nan)
    active = list(range(size))
    parts = max(PARTS, (size - 1).bit_length())
    number = 0
    count = max(32, min(256, FIRST_ROUND // size))
    while True:
        if total is not None:
            count = max(2, total // parts // len(active))
        count = min(count, most - len(drawn))
        block = np.full((count, size), np.nan)
        block[:, active] = draw(active, count, number)
        drawn = np.concatenate([drawn, block])
        counts[active] += count
        number += 1
        best, behind, errors = _behind(drawn, counts)
        own = _error(drawn[:, best])
        wanted = np.where(behind <= CLEARLY * errors, error, np.maximum(max(KNOWN, error), behind / ROUGHLY))
        wanted[[best, chosen]] = error
        open_ = (behind <= CLEARLY * errors) | (errors > wanted)
        active = [option for option in active if option in (best, chosen) or open_[option]]
        if len(drawn) >= most or (own <= error and max(errors[active]) <= error):
            break
        if total is not None:
            if number == parts:
                break
            better = sorted(active, key=lambda option: behind[option])[: max(2, (len(active) + 1) // 2)]
            active = [option for option in active if option in (*better, chosen)]
        enough = len(drawn) * max(own / error, *(errors / wanted)[active]) ** 2
        count = max(32, min(len(drawn), int(AMPLY * (enough - len(drawn)))))
    cost, cost_error = _cost(drawn, chosen, active)
    rest = np.nan_to_num(drawn[:, [chosen]] - drawn) @ (np.array(weights) / counts)
    choice, choice_error = _sum(rest, counts)
    expected, expected_error = _sum(drawn[:, chosen] / len(drawn) - rest, counts)
    base = float(drawn[:, best].mean())
    return Estimate(
        heads=tuple((base + behind).tolist()),
        errors=tuple(errors.tolist()),
        error=own,
        best=best,
        cost=cost,
        cost_error=cost_error,
        choice=choice,
        choice_error=choice_error,
        expected=expected,
        expected_error=expected_error,
        playouts=len(drawn),
    )


def _behind(drawn: Drawn, counts: NDArray[np.int64]) -> tuple[int, Drawn, Drawn]:
    """The best option, how far each option is behind it, and the errors of that, over the playouts that both have."""
    full = np.flatnonzero(counts == len(drawn))
    best = int(full[np.argmin(drawn[:, full].mean(axis=0))])
    behind, errors = np.zeros(len(counts)), np.zeros(len(counts))
    for option, count in enumerate(counts):
        if option != best:
            difference = drawn[:count, option] - drawn[:count, best]
            behind[option], errors[option] = difference.mean(), _error(difference)
    return best, behind, errors


def _cost(drawn: Drawn, chosen: int, active: Sequence[int]) -> tuple[float, float]:
    """The cost of the choice and its error: each half of the playouts is measured against the best option of the other."""
    means, squares = [], 0.0
    for half, other in ((drawn[::2], drawn[1::2]), (drawn[1::2], drawn[::2])):
        best = active[int(np.argmin(half[:, active].mean(axis=0)))]
        difference = other[:, chosen] - other[:, best]
        means.append(float(difference.mean()))
        squares += _error(difference) ** 2
    return sum(means) / 2, float(np.sqrt(squares)) / 2


def _sum(parts: Drawn, counts: NDArray[np.int64]) -> tuple[float, float]:
    """The sum of what each playout adds to an estimate, and its error."""
    # Playouts are alike as long as the same options are played out; that is so between two neighbouring counts.
    ends = sorted({0, *counts.tolist()})
    alike = [parts[begin:end] for begin, end in pairwise(ends)]
    square = sum(len(part) * float(part.var(ddof=1)) for part in alike if len(part) > 1)
    return float(parts.sum()), square**0.5


def _error(values: Drawn) -> float:
    return float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else 0.0
