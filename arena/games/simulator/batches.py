"""Many deals of one game side by side, stepped by arrays of cards: for training."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chance import below, shuffle, streams
from .deals import copies, lay_out
from .games import HIGHEST, TWINS, Uncovered, policy_numbers, spec
from .jit import inlined, kernel
from .policies import RANDOM, choose, count_lower, manner_of
from .table import Manner, Table, copy, find, key, new_table, resolve, sort, take_out


class _Arrays(NamedTuple):
    """The arrays of all tables, for kernels."""

    hands: NDArray[np.int64]
    rows: NDArray[np.int64]
    """(count, 16), as those of a `Table`."""
    heads: NDArray[np.int64]
    unseen: NDArray[np.int64]


class Tables:
    """Deals of one game that are played in step. All arrays are updated in place; copy what you keep.

    ========= ===================== ==========================================================================================
    array     shape                 holds
    ========= ===================== ==========================================================================================
    `hands`   (count, seats, cards) ascending; zeros after the last card
    `rows`    (count, 4, 4)         for each row its first card, last card, places (1..5) and heads
    `heads`   (count, seats)        the heads that each seat took in this deal
    `unseen`  (count, 106)          by card, how many of it lie neither open nor in a pile: in hands, or not dealt
    ========= ===================== ==========================================================================================

    All are int64. `left` is the number of cards in each hand, 0 before the first and after the last turn of a deal.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, object], count: int) -> None:
        """Raise `Uncovered` for games that the kernels do not cover, and for those in which seats play one after the other."""
        self.game = spec(game, seats, options)
        if self.game.serial:
            raise Uncovered(f"in {game} the seats play one after the other, so its tables cannot be stepped together")
        self.count, self.seats, self.left = count, seats, 0
        self.hands = np.zeros((count, seats, self.game.hand), np.int64)
        self.rows = np.zeros((count, 4, 4), np.int64)
        self.heads = np.zeros((count, seats), np.int64)
        self.unseen = np.zeros((count, HIGHEST + 2), np.int64)
        self._arrays = _Arrays(self.hands, self.rows.reshape(-1, 16), self.heads, self.unseen)
        self._spare = new_table(seats, self.game.hand)
        self._chance = np.zeros((count, 1), np.int64)
        self._deck, self._copies = np.array(self.game.deck, np.int64), copies(self.game)

    @property
    def turn(self) -> int:
        """The number of the turn that is to be played, from 1."""
        return self.game.hand - self.left + 1

    def deal(self, seed: int) -> None:
        """Begin a new deal at every table."""
        self._chance[:, 0] = streams(seed, 0, self.count)
        self.left = self.game.hand
        self.heads[:] = 0
        _deal_all(
            self._deck,
            self._copies,
            self.game.turned,
            self.game.open_hands,
            self._arrays,
            self._chance,
            self._deck.copy(),
        )

    def legal(self) -> NDArray[np.bool_]:
        """(count, seats, 106): whether a seat holds the card."""
        found = np.zeros((self.count, self.seats, HIGHEST + 2), np.bool_)
        np.put_along_axis(found, self.hands, True, axis=2)
        found[:, :, 0] = False
        return found

    def choose(self, policies: str | Sequence[str], noise: float = 1.0) -> NDArray[np.int64]:
        """(count, seats): the cards that these policies play, one policy for all seats or one for each. Nothing is stepped."""
        numbers = policy_numbers(policies, self.seats)
        cards = np.zeros((self.count, self.seats), np.int64)
        if self.left:
            manner = manner_of(self.game, numbers, noise)
            _choose_all(manner, self.left, self._spare, self._arrays, self._chance, cards)
        return cards

    def step(self, cards: NDArray[np.int64], rows: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Play a card of every seat and place them. Returns the heads taken in this turn, (count, seats).

        `cards` is (count, seats). `rows` is (count, seats): the row 1..4 that a seat takes if it is asked for one in this turn; 0
        is the cheapest. Raises `ValueError` if a card is not in its hand, or if the deal is over; then nothing has changed.
        """
        if not self.left:
            raise ValueError("the deal is over, or has not begun: call deal")
        played = self._array("cards", cards)
        wishes = self._array("rows", rows) if rows is not None else np.zeros_like(played)
        if not ((self.hands == played[:, :, None]) & (played[:, :, None] > 0)).any(axis=2).all():
            raise ValueError("every card must be in the hand of its seat")
        if wishes.min(initial=0) < 0 or wishes.max(initial=0) > 4:
            raise ValueError("a row is one of 1..4, or 0 for the cheapest")
        before = self.heads.copy()
        _step_all(self.game.rule, self.left, self.turn - 1, self._spare, self._arrays, played, wishes)
        self.left -= 1
        return self.heads - before

    def _array(self, name: str, given: NDArray[np.int64]) -> NDArray[np.int64]:
        found = np.ascontiguousarray(given, np.int64)
        if found.shape != (self.count, self.seats):
            raise ValueError(f"{name} must be ({self.count}, {self.seats}) numbers, not {found.shape}")
        return found


@kernel
def _deal_all(
    deck: NDArray[np.int64],
    there: NDArray[np.int64],
    turned: int,
    ascending: bool,
    arrays: _Arrays,
    chance: NDArray[np.int64],
    cards: NDArray[np.int64],
) -> None:
    """Deal to all tables."""
    hands, rows, unseen = arrays.hands, arrays.rows, arrays.unseen
    count, seats, size = hands.shape
    for number in range(count):
        copy(cards, deck)
        shuffle(chance[number], cards, seats * size + turned)
        for seat in range(seats):
            copy(hands[number, seat], cards[seat * size : (seat + 1) * size])
            sort(hands[number, seat], size)
        copy(unseen[number], there)
        lay_out(rows[number], unseen[number], cards[seats * size : seats * size + turned], ascending)


@inlined
def _at(spare: Table, arrays: _Arrays, number: int) -> Table:
    """One of the tables, with the scratch arrays of a spare one."""
    rows, heads, hands, unseen = arrays.rows[number], arrays.heads[number], arrays.hands[number], arrays.unseen[number]
    return Table(rows, heads, hands, spare.queue, spare.wishes, unseen, spare.lower, spare.costs, spare.weights)


@kernel
def _choose_all(
    manner: Manner,
    left: int,
    spare: Table,
    arrays: _Arrays,
    chance: NDArray[np.int64],
    cards: NDArray[np.int64],
) -> None:
    """The cards that policies play at all tables."""
    count, seats = cards.shape
    for number in range(count):
        table = _at(spare, arrays, number)
        if manner.looks:
            count_lower(table)
        for seat in range(seats):
            if manner.policies[seat] == RANDOM:
                at = below(chance[number], left)
            else:
                at = choose(
                    manner.policies[seat], manner.noise, manner.rule, table, seat, left, 0, seats - 1, chance[number]
                )
            cards[number, seat] = table.hands[seat, at]


@kernel
def _step_all(
    rule: int,
    left: int,
    turn: int,
    spare: Table,
    arrays: _Arrays,
    cards: NDArray[np.int64],
    wishes: NDArray[np.int64],
) -> None:
    """Play a turn at all tables."""
    count, seats = cards.shape
    for number in range(count):
        table = _at(spare, arrays, number)
        for seat in range(seats):
            card = cards[number, seat]
            take_out(table.hands[seat], left, find(table.hands[seat], card))
            table.unseen[card] -= 1
            spare.wishes[seat] = wishes[number, seat] - 1
            spare.queue[seat] = key(card, (seat - turn) % seats if rule == TWINS else 0, seat)
        sort(spare.queue, seats)
        resolve(rule, table, seats)
