"""Honest bots of many characters, for homes of many thousand matches of `standard` in seconds.

A character is a row of numbers, so a home can be filled with bots drawn at random that differ as programs of different authors
do: in how they weigh dangers, whether they hurry with high or with low cards, how much is left to chance, and which rows they
take. None of them knows who sits at the table.
"""

import math
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from bullring.arena.simulator.chance import below, fraction, shuffle, streams
from bullring.arena.simulator.games import HIGHEST, ONE_END
from bullring.arena.simulator.policies import count_lower
from bullring.arena.simulator.table import (
    FULL,
    PLACES,
    RIGHT,
    WORTH,
    Table,
    begin_row,
    cheapest,
    full,
    key,
    new_table,
    resolve,
    sort,
    target,
)

try:
    import numba
except ImportError:
    raise SystemExit("python -m bench.company needs numba: pip install 'bullring[fast]'") from None

EXPECTED, AT_ONCE, HEIGHT, GAP, CHANCE, ROWS = range(6)
"""What a character weighs: heads that it expects, heads that its card takes if placed at once, the number of its card, the distance
from the end of the row; and the shares of its cards and of its rows that it chooses at random."""

HAND: Final = 10
MEAN: Final = 171 / 104
"""Heads of an average card."""


F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compile, and keep nothing: the simulator keeps its own kernels by what its own folder contains."""
    return cast("F", numba.njit(nogil=True)(function))


def drawn(rng: np.random.Generator, bots: int) -> NDArray[np.float64]:
    """(K, 6): characters; about half of them look ahead, half play by the first impression."""
    found = np.zeros((bots, 6))
    ahead = rng.random(bots) < 0.5
    found[:, EXPECTED] = np.where(ahead, 1.0, 0.0)
    found[:, AT_ONCE] = np.where(ahead, rng.choice([0.0, 0.5], bots), rng.choice([0.0, 1.0], bots, p=[0.3, 0.7]))
    found[:, HEIGHT] = rng.choice([0.1, 0.02, 0.005, -0.005, -0.1], bots)
    found[:, GAP] = rng.choice([0.0, 0.01, 0.1], bots)
    found[:, CHANCE] = rng.choice([0.0, 0.05, 0.2, 0.5, 1.0], bots, p=[0.4, 0.2, 0.2, 0.15, 0.05])
    found[:, ROWS] = rng.choice([0.0, 0.0, 0.5], bots)
    return found


def play(characters: NDArray[np.float64], lineups: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """(G, n): the heads of each place in one deal of each line-up."""
    heads = np.zeros(lineups.shape, np.int64)
    _deals(characters, lineups, new_table(lineups.shape[1], HAND), streams(seed, 0, len(lineups)), heads)
    return heads


@kernel
def deal_to(table: Table, cards: NDArray[np.int64], chance: NDArray[np.int64]) -> None:
    """Begin a deal; `cards` are all cards in any order."""
    seats = len(table.taken)
    shuffle(chance, cards, seats * HAND + 4)
    table.unseen[:] = 0
    table.unseen[1 : HIGHEST + 1] = 1
    for row in range(4):
        card = cards[seats * HAND + row]
        begin_row(table.rows, row, card, 1)
        table.unseen[card] = 0
    for seat in range(seats):
        table.taken[seat] = 0
        for at in range(HAND):
            table.hands[seat, at] = cards[seat * HAND + at]


@kernel
def _deals(
    characters: NDArray[np.float64],
    lineups: NDArray[np.int64],
    table: Table,
    starts: NDArray[np.int64],
    heads: NDArray[np.int64],
) -> None:
    seats = lineups.shape[1]
    chance = np.zeros(1, np.int64)
    cards = np.arange(1, HIGHEST + 1)
    for number in range(len(lineups)):
        chance[0] = starts[number]
        deal_to(table, cards, chance)
        for left in range(HAND, 0, -1):
            count_lower(table)
            for seat in range(seats):
                character = characters[lineups[number, seat]]
                at = choose(character, table, seat, left, seats - 1, chance)
                hand = table.hands[seat]
                table.queue[seat] = key(hand[at], 0, seat)
                hand[at] = hand[left - 1]
                table.wishes[seat] = below(chance, 4) if fraction(chance) < character[ROWS] else -1
            for seat in range(seats):
                table.unseen[table.queue[seat] >> 8] = 0
            sort(table.queue, seats)
            resolve(ONE_END, table, seats)
        for seat in range(seats):
            heads[number, seat] = table.taken[seat]


@kernel
def choose(
    character: NDArray[np.float64], table: Table, seat: int, left: int, others: int, chance: NDArray[np.int64]
) -> int:
    """The place in its hand of the card that a seat plays."""
    if fraction(chance) < character[CHANCE]:
        return below(chance, left)
    best, least = 0, math.inf
    for at in range(left):
        card = table.hands[seat, at]
        row = target(ONE_END, table.rows, card)
        low = row < 0
        row = cheapest(table.rows) if low else row
        end = 0 if low else table.rows[4 * row + RIGHT]
        room = 0 if low else FULL - table.rows[4 * row + PLACES]
        takes = low or full(table.rows, row, card)
        heads = float(table.rows[4 * row + WORTH])
        cost = character[AT_ONCE] * heads * takes - character[HEIGHT] * card + character[GAP] * (card - end)
        if character[EXPECTED] > 0.0 and room <= others:
            # Each of the others plays a card that the seat has not seen; its own count as seen by itself only.
            between = table.lower[card] - table.lower[end + 1]
            hidden = table.lower[HIGHEST + 1] - left
            for other in range(left):
                between -= end < table.hands[seat, other] < card
            share = between / max(1, hidden)
            ways = 1.0
            for step in range(room):
                ways *= (others - step) / (step + 1) * share
            ways *= (1.0 - share) ** (others - room)
            cost += character[EXPECTED] * ways * (heads + (0.0 if low else room * MEAN))
        if cost < least:
            best, least = at, cost
    return best
