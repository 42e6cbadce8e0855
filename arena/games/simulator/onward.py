"""Playing on from a position with everybody's actual cards."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chance import streams
from .deals import turn
from .games import TWINS, Uncovered, policy_numbers
from .jit import lean
from .policies import manner_of
from .positions import Position
from .table import Manner, Table, copy, find, key, new_table, resolve, sort, take_out


@lean
def _onward(
    manner: Manner,
    table: Table,
    rows: NDArray[np.int64],
    unseen: NDArray[np.int64],
    hands: NDArray[np.int64],
    before: int,
    cards: NDArray[np.int64],
    starts: NDArray[np.int64],
    chance: NDArray[np.int64],
    heads: NDArray[np.int16],
) -> None:
    """Play to the end of the deal, once for each of `starts`; `before` turns of the deal are over."""
    seats, size = hands.shape
    for number in range(len(starts)):
        chance[0] = starts[number]
        copy(table.rows, rows)
        copy(table.unseen, unseen)
        for seat in range(seats):
            copy(table.hands[seat], hands[seat])
            table.taken[seat] = 0
        left = size
        if len(cards):
            for seat in range(seats):
                card = cards[number, seat]
                take_out(table.hands[seat], left, find(table.hands[seat], card))
                table.unseen[card] -= 1
                table.queue[seat] = key(card, (seat - before) % seats if manner.rule == TWINS else 0, seat)
            sort(table.queue, seats)
            resolve(manner.rule, table, seats)
            left -= 1
        for still in range(left, 0, -1):
            turn(manner, table, still, 0, 0, -1, 0, (before + size - still) % seats, chance)
        copy(heads[number], table.taken)


def onward(
    position: Position,
    hands: Sequence[Sequence[int]],
    cards: ArrayLike,
    numbers: ArrayLike,
    seed: int,
    *,
    noise: float,
) -> NDArray[np.int16]:
    """The heads from here to the end of the deal, as (len(numbers), seats), if everybody goes on by the policy noisy.

    `position` is that of any seat at the beginning of a turn, `hands` are those of all seats. `cards` is (len(numbers), seats):
    what everybody plays in this turn; if it is empty, the policy chooses that, too. Playouts of the same seed and number get the
    same random numbers, so differences between cards have small errors. `noise` is the temperature in heads.

    Raises `Uncovered` if the seats do not all play at the same time.
    """
    game = position.spec
    if game.serial or position.kind != "card" or len(position.queue):
        raise Uncovered("the simulator plays on only where all seats are asked for a card at the same time")
    of_playouts = np.asarray(numbers, np.int64)
    first, last = int(of_playouts.min()), int(of_playouts.max())
    found = np.zeros((len(of_playouts), game.seats), np.int16)
    _onward(
        manner_of(game, policy_numbers("noisy", game.seats), noise),
        new_table(game.seats, len(hands[0])),
        position.rows.ravel(),
        position.unseen,
        np.array([sorted(hand) for hand in hands], np.int64),
        position.turn - 1,
        np.asarray(cards, np.int64).reshape(-1, game.seats),
        streams(seed, first, last - first + 1)[of_playouts - first],
        np.zeros(1, np.int64),
        found,
    )
    return found
