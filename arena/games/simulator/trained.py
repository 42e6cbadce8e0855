"""The worth of a card to the trained policy: a sum of a few numbers learned from a search by playouts.

The worth of a card of a hand of `left` cards is

    ROOM_AND_FLOW[room, flow] + heads / 5 * HEADS_OF_ROW[room, flow] + NUMBER[left, card // 8] + ROOM_AND_LEFT[room, left]

where `room` are the free places of the row that the card goes to (`LOW` if it fits nowhere), `heads` those of that row (of the
cheapest row), and `flow` is a measure of the number of cards that others may be expected to put between the row's end and the card
(below the card). A card is played with probability proportional to exp(worth / temperature).

There are tables for some numbers of seats, others use the nearest, and one set of them for professional, whose rows have two ends.
`bench/train_policy.py` makes them.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .games import BOTH_ENDS, HIGHEST
from .jit import helper, inlined
from .table import FULL, LEFT, PLACES, RIGHT, WORTH, Table, cheapest, second_target, side, target
from .weights import WEIGHTS

LOW = FULL
"""The room of a card that fits nowhere."""

FLOWS = 16

HEADS_AT = (LOW + 1) * FLOWS
NUMBER_AT = 2 * HEADS_AT
NUMBERS = 14
ROOM_AT = NUMBER_AT + 11 * NUMBERS
LENGTH = ROOM_AT + (LOW + 1) * 11
"""Offsets of the four tables in a list of weights, and its length."""

_SETS = ("standard", "professional", "standard")
"""The set that is used, by rule."""

_KNOWN = [(game, seats) for game, tables in WEIGHTS.items() for seats in tables]
_WEIGHTS: NDArray[np.float64] = np.array([WEIGHTS[game][seats] for game, seats in _KNOWN], np.float64) / 100.0
_TABLE: NDArray[np.int64] = np.array(
    [
        [_KNOWN.index((game, min(WEIGHTS[game], key=lambda known: abs(known - seats)))) for seats in range(11)]
        for game in _SETS
    ]
)
"""The place of the table by rule and number of seats."""


@inlined
def look(
    rule: int, table: Table, hand: NDArray[np.int64], at: int, left: int, shown: int, others: int
) -> tuple[int, int, int]:
    """Room, flow and heads of the card at a place of a hand, of which `left` cards are left.

    `shown` cards of this turn lie open in the queue, and `others` are still to come.
    """
    rows = table.rows
    card = hand[at]
    row = target(rule, rows, card)
    above = 0
    below = card
    if row < 0:
        room = LOW
        row = cheapest(rows)
    else:
        if rule == BOTH_ENDS:
            second = second_target(rows, card, row)
            if second >= 0:
                row = side(rows, card, row, second)
        room = FULL - rows[4 * row + PLACES]
        above = rows[4 * row + RIGHT]
        if rule == BOTH_ENDS and card < rows[4 * row + LEFT]:
            above = card
            below = rows[4 * row + LEFT]
    lower = at
    while lower > 0 and hand[lower - 1] > above:
        lower -= 1
    higher = at
    while higher < left - 1 and hand[higher + 1] < below:
        higher += 1
    between = -(higher - lower)  # without my own
    if below > above:
        between += table.lower[below] - table.lower[above + 1]
    hidden = table.lower[HIGHEST + 1] - left
    expected = between * others / hidden if hidden > 0 else 0.0
    for other in range(shown):
        expected += above < table.queue[other] >> 8 < below
    # Finer where there are few.
    flow = min(FLOWS - 1, int(4.0 * math.sqrt(max(0.0, expected)) + 0.5))
    return room, flow, rows[4 * row + WORTH]


@helper
def weigh(rule: int, table: Table, hand: NDArray[np.int64], left: int, shown: int, others: int) -> None:
    """Write the worth of each card, with the opposite sign, where policies keep costs."""
    weights = _WEIGHTS[_TABLE[rule, shown + others + 1]]
    for at in range(left):
        room, flow, heads = look(rule, table, hand, at, left, shown, others)
        table.costs[at] = -(
            weights[room * FLOWS + flow]
            + heads / 5.0 * weights[HEADS_AT + room * FLOWS + flow]
            + weights[NUMBER_AT + left * NUMBERS + hand[at] // 8]
            + weights[ROOM_AT + room * 11 + left]
        )
