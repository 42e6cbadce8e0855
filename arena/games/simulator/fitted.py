"""The policy fitted: what a player does in positions that were seen, as weights that playouts can follow.

The probability of a card is a multinomial logit, whose numbers `policies` lists: those of the policy trained, which say what a
search by playouts likes, and a few that say what greedy and cheapest look at. The weights are those of the largest likelihood, with
a small cost of large ones. It is concave, so where the climb begins does not matter.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .games import Spec
from .jit import kernel
from .policies import PLAIN, count_lower, expect, look_plainly
from .table import Table, copy, new_table
from .trained import FLOWS, HEADS_AT, NUMBER_AT, NUMBERS, ROOM_AT, look
from .trained import LENGTH as PLAIN_AT

LENGTH = PLAIN_AT + PLAIN
"""Number of weights."""

STEPS, RATE, COST = 300, 0.2, 1e-5
"""Of the climb (Adam; Kingma and Ba 2015): its steps, the first one's size, and the cost of the square of a weight."""

_SCALES: NDArray[np.float64] = np.array([10.0, 1.0, 1.0, 1.0])


class Plays(NamedTuple):
    """Decisions in which a seat played a card, all seats at the same time: what it saw, and what it did."""

    rows: NDArray[np.int64]
    """(plays, 4, 4), as those of a `Position`."""
    hands: NDArray[np.int64]
    """(plays, 10): ascending, then zeros."""
    unseen: NDArray[np.int64]
    """(plays, 106): by card, how many of it lie neither open nor in a pile."""
    chosen: NDArray[np.int64]
    """(plays,): the place in the hand of the card that was played."""


class _Numbers(NamedTuple):
    """The numbers of all cards of all plays: the plays from each place on, and for each card which weights count, and how much."""

    real: NDArray[np.bool_]
    """(plays, 10): whether there is a card."""
    tables: NDArray[np.int64]
    """(plays, 10, 4): the weights from the four tables of trained."""
    factors: NDArray[np.float64]
    """(plays, 10, 4): the factors of these."""
    plain: NDArray[np.float64]
    """(plays, 10, `PLAIN`)."""

    def worth(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """(plays, 10): the sum of each card, and minus infinity where there is none."""
        found = (weights[self.tables] * self.factors).sum(2) + self.plain @ weights[PLAIN_AT:]
        return np.where(self.real, found, -np.inf)


def fit(game: Spec, plays: Plays) -> NDArray[np.float64]:
    """The weights of whoever made these plays, as (`LENGTH`,); at least one play."""
    numbers = _numbers_of(game, plays)
    count = len(plays.chosen)
    taken = np.zeros(numbers.real.shape)
    taken[np.arange(count), plays.chosen] = 1.0
    weights, mean, square = np.zeros(LENGTH), np.zeros(LENGTH), np.zeros(LENGTH)
    for step in range(1, STEPS + 1):
        towards = (taken - chances(numbers.worth(weights))) / count
        slope = -2 * COST * weights
        slope += np.bincount(numbers.tables.ravel(), (towards[..., None] * numbers.factors).ravel(), minlength=LENGTH)
        slope[PLAIN_AT:] += np.einsum("ij,ijk->k", towards, numbers.plain)
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        unbiased = mean / (1 - 0.9**step)
        weights += RATE * (1 - step / (STEPS + 1)) * unbiased / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def chances(worth: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probabilities of the cards of each hand."""
    powers = np.exp(worth - worth.max(1, keepdims=True))
    found: NDArray[np.float64] = powers / powers.sum(1, keepdims=True)
    return found


def likeliest(game: Spec, weights: NDArray[np.float64], plays: Plays) -> NDArray[np.int64]:
    """(plays,): the place in the hand of the likeliest card in each of these positions."""
    found: NDArray[np.int64] = _numbers_of(game, plays).worth(weights).argmax(1)
    return found


def _numbers_of(game: Spec, plays: Plays) -> _Numbers:
    count, size = plays.hands.shape
    looked = np.zeros((count, size, 3), np.int64)
    plain = np.zeros((count, size, PLAIN))
    rows = np.ascontiguousarray(plays.rows.reshape(count, 16))
    _look_all(game.rule, game.seats - 1, new_table(game.seats, size), rows, plays.hands, plays.unseen, looked, plain)
    plain *= _SCALES
    real = plays.hands > 0
    room, flow, heads = (looked[..., number] for number in range(3))
    left = real.sum(1)[:, None]
    tables = np.stack(
        [
            room * FLOWS + flow,
            HEADS_AT + room * FLOWS + flow,
            NUMBER_AT + left * NUMBERS + plays.hands // 8,
            ROOM_AT + room * 11 + left,
        ],
        2,
    )
    factors = np.ones(tables.shape)
    factors[..., 1] = heads / 5.0
    factors[~real] = 0.0
    plain[~real] = 0.0
    return _Numbers(real, tables, factors, plain)


@kernel
def _look_all(
    rule: int,
    others: int,
    table: Table,
    rows: NDArray[np.int64],
    hands: NDArray[np.int64],
    unseen: NDArray[np.int64],
    looked: NDArray[np.int64],
    plain: NDArray[np.float64],
) -> None:
    """Fill in room, flow and heads of all cards, and the plain numbers, not yet scaled."""
    count, size = hands.shape
    for number in range(count):
        copy(table.rows, rows[number])
        copy(table.unseen, unseen[number])
        count_lower(table)
        hand = hands[number]
        left = 0
        while left < size and hand[left] > 0:
            left += 1
        expect(rule, table, hand, left, 0, others)
        for at in range(left):
            room, flow, heads = look(rule, table, hand, at, left, 0, others)
            looked[number, at, 0] = room
            looked[number, at, 1] = flow
            looked[number, at, 2] = heads
            price, gap = look_plainly(rule, table.rows, hand[at])
            plain[number, at, 0] = table.costs[at]
            plain[number, at, 1] = price
            plain[number, at, 2] = hand[at]
            plain[number, at, 3] = gap
