"""The policies: how a seat of a simulation chooses a card. Playouts, analysis and bots share them.

======== =====================================================================================================
random   any card of the hand
cheapest the card that takes the fewest heads if it is placed now and alone, like the referee's fallback
greedy   the card with the fewest expected heads in this turn, against cards drawn from those the seat has not seen
noisy    a card with probability proportional to exp(-h / noise), where h are its heads as greedy expects them
trained  a card as a search by playouts would choose it, about: with probability proportional to exp(w / noise), see `trained`
sharp    the same with exp(w / (noise * SHARPER))
fitted   a card with probability proportional to exp(w), where w is a sum of the numbers of trained and of `PLAIN` others, with
         weights that are given: they are fitted to the plays of somebody (`fitted`)
======== =====================================================================================================

On a tie the lowest card. A policy that has to choose a row takes the cheapest, on a tie the topmost; of two equally near ends (in
professional) it takes the cheaper, on a tie the right end of a row.

What greedy expects: each of m other seats that has still to play holds a random unseen card, so the number of cards between a row's
end and mine is binomial. My card takes the row if exactly as many come between as there is room. A card that fits nowhere takes the
cheapest row unless somebody plays a lower one.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .chance import fraction
from .games import BOTH_ENDS, HIGHEST, Spec
from .jit import helper, inlined
from .table import FULL, LEFT, PLACES, RIGHT, WORTH, Manner, Table, cheapest, full, goes_to
from .trained import FLOWS, HEADS_AT, NUMBER_AT, NUMBERS, ROOM_AT, look, weigh
from .trained import LENGTH as PLAIN_AT

RANDOM, CHEAPEST, GREEDY, NOISY, TRAINED, SHARP, FITTED = range(7)

PLAIN = 4
"""Numbers of a card that the policy fitted weighs beside those of trained: 10 times the expected heads, as greedy has them; the
heads if it is placed now and alone; the card; the gap to the end of its row. Their weights begin at `PLAIN_AT`."""

SHARPER = 0.4
"""The temperature of sharp, as a part of that of trained."""

_MEAN = 171 / 104
"""Heads of an average card."""

_WAYS: NDArray[np.float64] = np.array([[math.comb(m, k) for k in range(FULL)] for m in range(21)], np.float64)
"""Ways to choose k of m."""


def manner_of(game: Spec, policies: NDArray[np.int64], noise: float) -> Manner:
    """A game and these policies, for kernels."""
    return Manner(game.rule, game.serial, policies, float(noise), bool(policies.max() > CHEAPEST))


@helper
def count_lower(table: Table) -> None:
    """Count the unseen cards below each card. To be called when cards were shown and before `choose`."""
    count = 0
    for card in range(HIGHEST + 2):
        table.lower[card] = count
        count += table.unseen[card]


@inlined
def _exactly(wanted: int, others: int, share: float) -> float:
    """The probability that exactly `wanted` of `others` random cards are of a `share` of all cards."""
    if wanted > others:
        return 0.0
    probability = _WAYS[others, wanted]
    for _ in range(wanted):
        probability *= share
    for _ in range(others - wanted):
        probability *= 1.0 - share
    return float(probability)


@helper
def _price(rule: int, table: Table, hand: NDArray[np.int64], left: int) -> None:
    """Fill in the cost of each card if it is placed now and alone."""
    rows = table.rows
    for at in range(left):
        card = hand[at]
        row = goes_to(rule, rows, card)
        table.costs[at] = (
            rows[4 * row + WORTH] * full(rows, row, card) if row >= 0 else rows[4 * cheapest(rows) + WORTH]
        )


@helper
def expect(rule: int, table: Table, hand: NDArray[np.int64], left: int, shown: int, others: int) -> None:
    """Fill in the expected cost of each card if `shown` cards of this turn lie open and `others` are still to come."""
    rows = table.rows
    hidden = table.lower[HIGHEST + 1] - left  # cards that the seat has not seen
    each = 1.0 / hidden if hidden > 0 else 0.0
    for at in range(left):
        card = hand[at]
        row = goes_to(rule, rows, card)
        low = row < 0
        if low:
            if rule == BOTH_ENDS:  # it lies within every row, and a lower card changes nothing
                table.costs[at] = rows[4 * cheapest(rows) + WORTH]
                continue
            end = 0
            row = cheapest(rows)
            room = 0
        else:
            end = rows[4 * row + RIGHT]
            room = FULL - rows[4 * row + PLACES]
            if end == card:  # on its twin
                table.costs[at] = 0.0
                continue
            if rule == BOTH_ENDS and card < rows[4 * row + LEFT]:
                table.costs[at] = rows[4 * row + WORTH] if room == 0 else 0
                continue
        for other in range(shown):
            room -= end < table.queue[other] >> 8 < card
        own = 0
        for lower in range(at):
            own += end < hand[lower] < card
        if room < 0:
            table.costs[at] = 0.0
        else:
            between = table.lower[card] - table.lower[end + 1] - own
            heads = rows[4 * row + WORTH] if low else rows[4 * row + WORTH] + (FULL - rows[4 * row + PLACES]) * _MEAN
            table.costs[at] = heads * _exactly(room, others, between * each)


@inlined
def look_plainly(rule: int, rows: NDArray[np.int64], card: int) -> tuple[int, int]:
    """The heads of a card if it is placed now and alone, and the gap to the end of its row; 0 if it fits nowhere."""
    row = goes_to(rule, rows, card)
    if row < 0:
        return rows[4 * cheapest(rows) + WORTH], 0
    gap = card - rows[4 * row + RIGHT]
    if gap < 0:
        gap = rows[4 * row + LEFT] - card
    return rows[4 * row + WORTH] * full(rows, row, card), gap


@helper
def _weigh_fitted(rule: int, table: Table, hand: NDArray[np.int64], left: int, shown: int, others: int) -> None:
    """Write the worth of each card, with the opposite sign, where policies keep costs."""
    weights, costs = table.weights, table.costs
    expect(rule, table, hand, left, shown, others)
    for at in range(left):
        card = hand[at]
        room, flow, heads = look(rule, table, hand, at, left, shown, others)
        price, gap = look_plainly(rule, table.rows, card)
        costs[at] = -(
            weights[room * FLOWS + flow]
            + heads / 5.0 * weights[HEADS_AT + room * FLOWS + flow]
            + weights[NUMBER_AT + left * NUMBERS + card // 8]
            + weights[ROOM_AT + room * 11 + left]
            + weights[PLAIN_AT] * 10.0 * costs[at]
            + weights[PLAIN_AT + 1] * price
            + weights[PLAIN_AT + 2] * card
            + weights[PLAIN_AT + 3] * gap
        )


@helper
def choose(
    policy: int,
    noise: float,
    rule: int,
    table: Table,
    seat: int,
    left: int,
    shown: int,
    others: int,
    chance: NDArray[np.int64],
) -> int:
    """The place in its hand of `left` cards of the card that a seat plays by any policy but random.

    `shown` cards of this turn lie open in the queue, and `others` are still to come.
    """
    hand = table.hands[seat]
    if policy == CHEAPEST:
        _price(rule, table, hand, left)
    elif policy < TRAINED:
        expect(rule, table, hand, left, shown, others)
    elif policy == FITTED:
        _weigh_fitted(rule, table, hand, left, shown, others)
        noise = 1.0
    else:
        weigh(rule, table, hand, left, shown, others)
        if policy == SHARP:
            noise *= SHARPER
    costs = table.costs
    best = 0
    for at in range(1, left):
        if costs[at] < costs[best]:
            best = at
    if policy < NOISY or noise <= 0.0:
        return best
    total = 0.0
    least = costs[best]
    for at in range(left):
        costs[at] = math.exp((least - costs[at]) / noise)
        total += costs[at]
    draw = fraction(chance) * total
    for at in range(left - 1):
        draw -= costs[at]
        if draw < 0.0:
            return at
    return left - 1
