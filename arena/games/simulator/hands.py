"""What a network that plays a whole hand reads of many tables: a few numbers of each card, of the rows, and of what is hidden.

`bullring.train.policy.compact` says what they are, and makes the same of one question; it is declared twice because a bot carries a
copy of either folder without the other. Tests hold them equal.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .games import HEADS, HIGHEST
from .jit import helper, kernel
from .policies import _MEAN
from .table import FULL, PLACES, RIGHT, WORTH

HAND = 10
OF_CARD = 12
SIZE = HAND * OF_CARD + 4 * 3 + 5 + 10 + 2


class Seen(NamedTuple):
    """Many tables, as `Tables` has them."""

    hands: NDArray[np.int64]
    rows: NDArray[np.int64]
    """(count, 16)."""
    heads: NDArray[np.int64]
    unseen: NDArray[np.int64]


@kernel
def read(
    seen: Seen, left: int, lower: NDArray[np.int64], order: NDArray[np.int64], numbers: NDArray[np.float32]
) -> None:
    """Fill in the numbers of the first seats of each table, (count, learners, `SIZE`), in which each has `left` cards.

    `lower`, (`HIGHEST` + 3,), and `order`, (4,), are space to work in.
    """
    count, learners, _ = numbers.shape
    seats = seen.heads.shape[1]
    for number in range(count):
        rows, unseen = seen.rows[number], seen.unseen[number]
        below = 0
        for card in range(HIGHEST + 2):
            lower[card] = below
            below += unseen[card]
        lower[HIGHEST + 2] = below
        for row in range(4):  # insertion sort by ends
            at = row
            while at > 0 and rows[4 * order[at - 1] + RIGHT] > rows[4 * row + RIGHT]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = row
        for seat in range(learners):
            _read_hand(rows, seen.hands[number, seat], left, lower, order, seats - 1, numbers[number, seat])
            into = numbers[number, seat]
            place = SIZE - 12
            for step in range(10):
                other = seat + step
                if other >= seats:
                    other -= seats
                into[place + step] = seen.heads[number, other] / 30.0 if step < seats else 0.0
            into[SIZE - 2] = (seats - 1) / 9.0
            into[SIZE - 1] = left / 10.0


@helper
def _read_hand(
    rows: NDArray[np.int64],
    hand: NDArray[np.int64],
    left: int,
    lower: NDArray[np.int64],
    order: NDArray[np.int64],
    others: int,
    into: NDArray[np.float32],
) -> None:
    """Fill in the numbers of a seat, but for the last ones."""
    unseen = lower[HIGHEST + 2] - left  # by this seat
    hidden = max(1, unseen)
    cheapest = 0
    for row in range(1, 4):
        if rows[4 * row + WORTH] < rows[4 * cheapest + WORTH]:
            cheapest = row
    nearest = -1  # the place among the ends, of the row that a card goes to
    first = 0  # the place of the first own card above its end
    for at in range(left):
        card = hand[at]
        while nearest < 3 and rows[4 * order[nearest + 1] + RIGHT] <= card:
            nearest += 1
            first = at + (rows[4 * order[nearest] + RIGHT] == card)
        low = nearest < 0
        row = cheapest if low else order[nearest]
        end = 0 if low else rows[4 * row + RIGHT]
        room = 0 if low else FULL - rows[4 * row + PLACES]
        heads = rows[4 * row + WORTH]
        own = at - first
        share = min(max((lower[card] - lower[end + 1] - own) / hidden, 0.0), 1.0)
        exactly, fewer = _chances(room, others, share)
        more = min(max(1.0 - exactly - fewer, 0.0), 1.0)
        place = at * OF_CARD
        into[place] = 1.0 if low else 0.0
        into[place + 1] = (heads + room * _MEAN) * exactly / 10.0
        into[place + 2] = exactly
        into[place + 3] = more
        into[place + 4] = share
        into[place + 5] = room / 5.0
        into[place + 6] = heads / 10.0
        into[place + 7] = card / 104.0
        into[place + 8] = HEADS[card] / 7.0
        into[place + 9] = (card - end) / 30.0
        into[place + 10] = own / 5.0
        higher = lower[HIGHEST + 2] - lower[card + 1] - (left - 1 - at)
        into[place + 11] = min(max(higher / hidden, 0.0), 1.0)
    for number in range(left * OF_CARD, HAND * OF_CARD):
        into[number] = 0.0
    place = HAND * OF_CARD
    for at in range(4):
        row = order[at]
        into[place] = rows[4 * row + RIGHT] / 104.0
        into[place + 1] = rows[4 * row + PLACES] / 5.0
        into[place + 2] = rows[4 * row + WORTH] / 10.0
        place += 3
    before = 0
    mine = 0
    for at in range(4):
        end = rows[4 * order[at] + RIGHT]
        while mine < left and hand[mine] <= end:
            mine += 1
        under = lower[end + 1] - mine
        into[place] = (under - before) / hidden
        before = under
        place += 1
    into[place] = (unseen - before) / hidden


@helper
def _chances(room: int, others: int, share: float) -> tuple[float, float]:
    """The probabilities that exactly `room`, and that fewer, of `others` random cards are of a `share` of all cards."""
    rest = 1.0
    for _ in range(others):
        rest *= 1.0 - share
    fewer = 0.0
    if room >= FULL or room > others:  # more than can come
        return 0.0, 1.0
    if share >= 1.0:
        return (1.0, 0.0) if room == others else (0.0, 0.0 if room < others else 1.0)
    chance = rest  # that none comes
    ratio = share / (1.0 - share)
    for come in range(room):
        fewer += chance
        chance *= ratio * (others - come) / (come + 1)
    return chance, fewer
