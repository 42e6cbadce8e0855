"""A table in the middle of a deal, as arrays, and how the open cards of a turn are placed."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .games import BOTH_ENDS, HEADS, HIGHEST, ONE_END, TWINS
from .jit import helper, inlined

LEFT, RIGHT, PLACES, WORTH = range(4)
"""Columns of a row: its first and last card, its places (equal cards share one), and its heads."""

FULL = 5
"""Places of a full row."""


class Manner(NamedTuple):
    """The rules and policies of a deal."""

    rule: int
    """`ONE_END`, `BOTH_ENDS` or `TWINS`."""
    serial: bool
    """Whether the seats play one after the other."""
    policies: NDArray[np.int64]
    """By seat, a policy."""
    noise: float
    """The temperature of the policy noisy, in heads."""
    looks: bool
    """Whether any of the policies looks at the unseen cards."""


class Table(NamedTuple):
    """The arrays that kernels work on. Random and policy choices are made in place, so a table serves many deals."""

    rows: NDArray[np.int64]
    """For each row in turn `LEFT`, `RIGHT`, `PLACES`, `WORTH`: 16 numbers, because kernels read one dimension faster than two."""
    taken: NDArray[np.int64]
    """By seat, heads."""
    hands: NDArray[np.int64]
    """(seats, cards): in random order for the policy random, which plays the last; ascending for the others."""
    queue: NDArray[np.int64]
    """The open cards of a turn, as keys (`key`) in the order of placement."""
    wishes: NDArray[np.int64]
    """By seat, the row (0..3) that it chooses when asked in this turn, or -1 for the cheapest."""
    unseen: NDArray[np.int64]
    """By card, how many of it lie neither open nor in a pile."""
    lower: NDArray[np.int64]
    """By card, how many unseen cards are lower."""
    costs: NDArray[np.float64]
    """The costs of the cards of a hand, while a policy thinks."""
    weights: NDArray[np.float64]
    """Those of the policy fitted, which no seat follows if they are empty."""


NO_WEIGHTS: NDArray[np.float64] = np.zeros(0)


def new_table(seats: int, hand: int, weights: NDArray[np.float64] = NO_WEIGHTS) -> Table:
    """An empty table."""
    return Table(
        np.zeros(16, np.int64),
        np.zeros(seats, np.int64),
        np.zeros((seats, hand), np.int64),
        np.zeros(seats, np.int64),
        np.full(seats, -1, np.int64),
        np.zeros(HIGHEST + 2, np.int64),
        np.zeros(HIGHEST + 2, np.int64),
        np.zeros(hand, np.float64),
        weights,
    )


@inlined
def copy(into: NDArray[np.int64], source: NDArray[np.int64]) -> None:
    """Fill an array with another one that is not longer."""
    for at in range(len(source)):
        into[at] = source[at]


@inlined
def key(card: int, order: int, seat: int) -> int:
    """An open card of a seat. Keys sort in the order of placement; `order` tells equal cards apart."""
    return card << 8 | order << 4 | seat


@inlined
def take_out(hand: NDArray[np.int64], left: int, at: int) -> None:
    """Remove the card at a place of a hand of `left` cards, and close the gap."""
    while at < left - 1:
        hand[at] = hand[at + 1]
        at += 1
    hand[at] = 0


@inlined
def find(hand: NDArray[np.int64], card: int) -> int:
    """The place of a card that is in the hand."""
    at = 0
    while hand[at] != card:
        at += 1
    return at


@inlined
def sort(numbers: NDArray[np.int64], count: int) -> None:
    """Sort the first `count` numbers, which are few: without branches that a processor could mispredict."""
    for at in range(1, count):
        highest = numbers[at]
        for before in range(at):
            number = numbers[before]
            numbers[before] = min(number, highest)
            highest = max(number, highest)
        numbers[at] = highest


@inlined
def cheapest(rows: NDArray[np.int64]) -> int:
    """The row with the fewest heads, on a tie the topmost."""
    best = 0
    for row in range(1, 4):
        if rows[4 * row + WORTH] < rows[4 * best + WORTH]:
            best = row
    return best


@inlined
def target(rule: int, rows: NDArray[np.int64], card: int) -> int:
    """The row where a card goes, or -1 if it fits nowhere. Of two at the same distance (at both ends), the upper."""
    best = -1
    if rule != BOTH_ENDS:
        highest = 0
        for row in range(4):
            end = rows[4 * row + RIGHT]
            if highest < end <= card:  # equal only in double
                highest = end
                best = row
        return best
    nearest = HIGHEST
    for row in range(4):
        distance = card - rows[4 * row + RIGHT]
        if card < rows[4 * row + LEFT]:
            distance = rows[4 * row + LEFT] - card
        if 0 < distance < nearest:
            nearest = distance
            best = row
    return best


@inlined
def second_target(rows: NDArray[np.int64], card: int, first: int) -> int:
    """With rows that grow at both ends: another row at the same distance as the row `first`, or -1."""
    distance = abs(card - rows[4 * first + RIGHT])
    if card < rows[4 * first + LEFT]:
        distance = rows[4 * first + LEFT] - card
    for row in range(first + 1, 4):
        if card == rows[4 * row + RIGHT] + distance or card == rows[4 * row + LEFT] - distance:
            return row
    return -1


@inlined
def full(rows: NDArray[np.int64], row: int, card: int) -> bool:
    """Whether a card that goes to this row takes it."""
    return bool(rows[4 * row + PLACES] == FULL and rows[4 * row + RIGHT] != card)


@inlined
def side(rows: NDArray[np.int64], card: int, one: int, other: int) -> int:
    """Of two rows with equally near ends, the one that costs less, on a tie the one where the card goes to the right end."""
    cost = rows[4 * one + WORTH] * full(rows, one, card) - rows[4 * other + WORTH] * full(rows, other, card)
    if cost == 0:
        return one if card > rows[4 * one + RIGHT] else other
    return one if cost < 0 else other


@inlined
def goes_to(rule: int, rows: NDArray[np.int64], card: int) -> int:
    """The row where a card goes, of two the one of `side`; -1 if it fits nowhere."""
    row = target(rule, rows, card)
    if rule != BOTH_ENDS or row < 0:
        return row
    second = second_target(rows, card, row)
    return side(rows, card, row, second) if second >= 0 else row


@inlined
def begin_row(rows: NDArray[np.int64], row: int, card: int, copies: int) -> None:
    """Let a row consist of this card."""
    rows[4 * row + LEFT] = card
    rows[4 * row + RIGHT] = card
    rows[4 * row + PLACES] = 1
    rows[4 * row + WORTH] = HEADS[card] * copies


@inlined
def resolve(rule: int, table: Table, count: int) -> None:
    """Place the first `count` cards of the queue."""
    if rule == ONE_END:
        _resolve_quickly(table, count)
    else:
        _resolve(rule, table, count)


@inlined
def _resolve_quickly(table: Table, count: int) -> None:
    """Do as `_resolve` for rows that grow at the right with different cards: most simulations spend their time here."""
    rows = table.rows
    for at in range(count):
        card = table.queue[at] >> 8
        seat = table.queue[at] & 15
        row = -1
        highest = 0
        for other in range(4):
            end = rows[4 * other + RIGHT]
            if highest < end < card:
                highest = end
                row = other
        if row >= 0 and rows[4 * row + PLACES] < FULL:
            rows[4 * row + PLACES] += 1
            rows[4 * row + WORTH] += HEADS[card]
        else:
            if row < 0:
                row = table.wishes[seat]
                if row < 0:
                    row = cheapest(rows)
            table.taken[seat] += rows[4 * row + WORTH]
            rows[4 * row + LEFT] = card
            rows[4 * row + PLACES] = 1
            rows[4 * row + WORTH] = HEADS[card]
        rows[4 * row + RIGHT] = card


@helper
def _resolve(rule: int, table: Table, count: int) -> None:
    """Place cards by any rule."""
    rows = table.rows
    at = 0
    while at < count:
        card = table.queue[at] >> 8
        seat = table.queue[at] & 15
        at += 1
        other = -1  # the seat with an equal card, which is placed with it
        if rule == TWINS and at < count and table.queue[at] >> 8 == card:
            other = table.queue[at] & 15
            at += 1
        row = target(rule, rows, card)
        wish = table.wishes[seat]
        takes = row < 0
        if takes:
            row = wish if wish >= 0 else cheapest(rows)
        else:
            if rule == BOTH_ENDS:
                second = second_target(rows, card, row)
                if second >= 0 and wish != row:
                    row = second if wish == second else side(rows, card, row, second)
            takes = full(rows, row, card)
        if takes:
            if other >= 0:
                share = (rows[4 * row + WORTH] + 1) // 2
                table.taken[seat] += share
                table.taken[other] += share
            else:
                table.taken[seat] += rows[4 * row + WORTH]
            begin_row(rows, row, card, 1 + (other >= 0))
        else:
            rows[4 * row + PLACES] += rows[4 * row + RIGHT] != card
            rows[4 * row + WORTH] += HEADS[card] * (1 + (other >= 0))
            if card < rows[4 * row + LEFT]:
                rows[4 * row + LEFT] = card
            else:
                rows[4 * row + RIGHT] = card
