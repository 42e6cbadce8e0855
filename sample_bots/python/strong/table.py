"""Four rows of which only the ends matter: an array of four rows by last card, number of cards and heads."""

import numpy as np
from hidden import HEADS as HEADS_OF_CARDS
from numpy.typing import NDArray
from simulator.jit import helper

ROWS, FULL, LAST, SIZE, WORTH = 4, 5, 0, 1, 2

HEADS = np.array(HEADS_OF_CARDS)

Numbers = NDArray[np.int64]


@helper
def target(rows: Numbers, card: int) -> int:
    """The row where a card goes, or -1 if it fits nowhere."""
    found = -1
    for at in range(ROWS):
        if rows[at, LAST] < card and (found < 0 or rows[at, LAST] > rows[found, LAST]):
            found = at
    return found


@helper
def cheapest(rows: Numbers) -> int:
    """The row with the fewest heads."""
    found = 0
    for at in range(1, ROWS):
        if rows[at, WORTH] < rows[found, WORTH]:
            found = at
    return found


@helper
def begin(rows: Numbers, at: int, card: int) -> int:
    """Take a row, which begins anew with a card. Returns its heads."""
    heads = rows[at, WORTH]
    rows[at, LAST] = card
    rows[at, SIZE] = 1
    rows[at, WORTH] = HEADS[card]
    return heads
