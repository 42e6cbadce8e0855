"""A search for the best option: more and more playouts for fewer and fewer options, until it is decided or time is up."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FIRST, MOST = 200, 4096
"""Playouts of the first batch, of all options together, and most of any batch for each option."""

STEP = 0.04
"""Part of the time that a batch should take: between two batches the clock is looked at."""

SURE, ENOUGH = 4.0, 64
"""An option is given up when it is worse than the best by this number of standard errors of their difference, and the least number
of playouts before that."""

RIVALS = 0.3
"""The worth of a head of an average rival, against one of mine."""


class Question(Protocol):
    """A question of any game."""

    seat: int

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.int64]:
        """The heads that everybody takes until the end of the deal, by playout, by place in `options` and by seat."""


def best(question: Question, many: int, chance: NDArray[np.int64], spent: Callable[[int], float]) -> int:
    """The best of `many` options, by its place.

    `spent` is told how many playouts there were, of all options together, and says which part of the time is over: 1 or more in
    the end. All options left are tried against the same hidden cards and compared in the same playouts. After each equal part of
    the time the worse half is dropped (sequential halving; Karnin, Koren and Somekh, 2013), and before that what is clearly worse.
    """
    left = np.arange(many)
    parts = max(1, (many - 1).bit_length())
    part, count, done, batch, over = 1, 0, 0, max(1, FIRST // many), 0.0
    sums, products = np.zeros(many), np.zeros((many, many))
    while True:
        losses = loss(question.playouts(left, batch, chance), question.seat)
        count += batch
        done += batch * len(left)
        sums[left] += losses.sum(0)
        products[np.ix_(left, left)] += losses.T @ losses
        before, over = over, spent(done)
        each = max(over - before, 1e-9) / batch / len(left)
        left = left[np.argsort(sums[left], kind="stable")]
        while part <= parts and over >= part / parts:
            left = left[: (len(left) + 1) // 2] if part < parts else left[:1]
            part += 1
        if count >= ENOUGH:
            left = _possible(left, count, sums, products)
        if len(left) == 1:
            return int(left[0])
        batch = min(MOST, 1 + int(STEP / each / len(left)))


def weigh(
    question: Question, many: int, chance: NDArray[np.int64], spent: Callable[[int], float]
) -> tuple[list[float], list[float], int, int]:
    """The cost of each of `many` options: the heads expected, the standard errors of the differences to the best one, the place of
    the best one, and the playouts of each.

    Unlike `best`, it drops none: all options are tried in all playouts. And heads of rivals do not count: a person who asks for
    advice sees the heads, and would wonder why an option with more of them should be better. `spent` is that of `best`.
    """
    options = np.arange(many)
    count, batch, over = 0, max(1, FIRST // many), 0.0
    sums, products = np.zeros(many), np.zeros((many, many))
    while over < 1:
        own = question.playouts(options, batch, chance)[:, :, question.seat].astype(np.float64)
        count += batch
        sums += own.sum(0)
        products += own.T @ own
        before, over = over, spent(count * many)
        batch = min(MOST, 1 + int(STEP / max((over - before) / batch, 1e-9)))
    means = sums / count
    first = int(means.argmin())
    squares = (products.diagonal() + products[first, first] - 2 * products[first]) / count - (means - means[first]) ** 2
    return means.tolist(), np.sqrt(np.maximum(squares, 0.0) / count).tolist(), first, count


def loss(heads: NDArray[np.int64], seat: int) -> NDArray[np.float64]:
    """The loss of a seat in playouts: its heads, less a part of those of its rivals."""
    own = heads[:, :, seat]
    return own - RIVALS * (heads.sum(2) - own) / (heads.shape[2] - 1)


def _possible(
    left: NDArray[np.int64], count: int, sums: NDArray[np.float64], products: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Those of the options `left`, of which the first is ahead, that may still be the best."""
    first = left[0]
    means = (sums[left] - sums[first]) / count
    variances = (products[left, left] + products[first, first] - 2 * products[left, first]) / count - means**2
    return left[means <= SURE * np.sqrt(np.maximum(variances, 0.0) / count)]
