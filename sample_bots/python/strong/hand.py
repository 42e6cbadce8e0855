"""Playouts of the hand game: one or two open cards in a move, and cards of a taken row may go to the hand.

In them everybody plays the card with the most heads that takes nothing, then another such card, and keeps nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from hidden import Message, unseen
from numpy.typing import NDArray
from simulator.chance import below
from simulator.jit import helper, kernel
from simulator.table import copy
from table import FULL, HEADS, LAST, ROWS, SIZE, WORTH, Numbers, begin, cheapest, target

KINDS = ("card", "row", "keep", "more")
CARD, ROW, KEEP, MORE = range(4)

ROOM = 32
"""Most cards in a hand here: 16 by the rules, and a taken row while its owner sorts it."""

LONGEST_PILE, TURNS = 20, 15
"""A playout ends with the turn after which a pile is longer, as the rules say, or after this many turns: with this policy few deals
last that long."""


@helper
def cost(rows: Numbers, card: int) -> int:
    """The heads that a card takes."""
    at = target(rows, card)
    if at < 0:
        return rows[cheapest(rows), WORTH]
    return rows[at, WORTH] if rows[at, SIZE] == FULL else 0


@helper
def play(rows: Numbers, hand: Numbers, size: int, at: int, pile: Numbers) -> None:
    """Lay the card at this place of a hand; a row that it takes goes to the pile, an array of (cards, heads)."""
    card = hand[at]
    for after in range(at, size - 1):
        hand[after] = hand[after + 1]
    row = target(rows, card)
    if row >= 0 and rows[row, SIZE] < FULL:
        rows[row, LAST] = card
        rows[row, SIZE] += 1
        rows[row, WORTH] += HEADS[card]
        return
    if row < 0:
        row = cheapest(rows)
    pile[0] += rows[row, SIZE]
    pile[1] += rows[row, WORTH]
    begin(rows, row, card)


@helper
def safe(rows: Numbers, hand: Numbers, size: int) -> int:
    """The place in the hand of the first card that takes nothing, or -1."""
    for at in range(size):
        if cost(rows, hand[at]) == 0:
            return at
    return -1


@helper
def insert(hand: Numbers, size: int, card: int) -> None:
    """Put a card into a hand, which stays in the order of heads, most first."""
    at = size
    while at > 0 and HEADS[hand[at - 1]] < HEADS[card]:
        hand[at] = hand[at - 1]
        at -= 1
    hand[at] = card


@helper
def move(rows: Numbers, hand: Numbers, size: int, pile: Numbers) -> int:
    """A move as everybody makes it in playouts. Returns the new size of the hand."""
    for second in range(2):
        if size == 0:
            return 0
        at = safe(rows, hand, size)
        if at < 0:
            if second:
                return size
            at = 0
            for other in range(1, size):
                if cost(rows, hand[other]) < cost(rows, hand[at]):
                    at = other
        play(rows, hand, size, at, pile)
        size -= 1
    return size


@helper
def decided(
    kind: int, option: int, rows: Numbers, hand: Numbers, size: int, pile: Numbers, taken: Numbers, played: int
) -> int:
    """Play the choice of the deciding seat. Returns the new size of its hand."""
    if kind == ROW:
        pile[0] += rows[option - 1, SIZE]
        pile[1] += rows[option - 1, WORTH]
        begin(rows, option - 1, played)
    elif kind == KEEP:  # bit number i of the option: keep card number i
        for at in range(len(taken)):
            if option >> at & 1:
                insert(hand, size, taken[at])
                size += 1
            else:
                pile[0] += 1
                pile[1] += HEADS[taken[at]]
    elif option > 0:  # 0: stop
        for at in range(size):
            if hand[at] == option:
                play(rows, hand, size, at, pile)
                return size - 1
    return size


@helper
def rest(
    rows: Numbers, hands: Numbers, sizes: Numbers, piles: Numbers, mover: int, first: int, seats: int, out: Numbers
) -> None:
    """Play from the move of `mover` on; the heads of everybody's pile and twice those of the hand go to `out`."""
    for step in range((TURNS - 1) * seats):
        seat = (mover + step) % seats
        if seat == first:
            over = False
            for other in range(seats):
                over = over or sizes[other] == 0 or piles[other, 0] > LONGEST_PILE
            if over:
                break
        sizes[seat] = move(rows, hands[seat], sizes[seat], piles[seat])
    for seat in range(seats):
        heads = piles[seat, 1]
        for at in range(sizes[seat]):
            heads += 2 * HEADS[hands[seat, at]]
        out[seat] = heads


class Scratch(NamedTuple):
    """The arrays that a kernel works on."""

    rows: Numbers
    dealt: Numbers
    """By seat, its hand before the option is played."""
    hands: Numbers
    sizes: Numbers
    piles: Numbers


@kernel
def playouts(
    kind: int,
    options: Numbers,
    rows: Numbers,
    known: Numbers,
    known_sizes: Numbers,
    hand_sizes: Numbers,
    hidden: Numbers,
    piles: Numbers,
    taken: Numbers,
    played: int,
    seat: int,
    first: int,
    last_card: bool,
    chance: Numbers,
    scratch: Scratch,
    out: Numbers,
) -> None:
    """Fill `out`, of shape (playouts, options, seats), with the heads of everybody at the end of the deal."""
    count, many, seats = out.shape
    table, dealt, hands, sizes, heaps = scratch
    for number in range(count):
        at = 0
        for other in range(seats):
            size = 0
            for place in range(known_sizes[other]):
                insert(dealt[other], size, known[other, place])
                size += 1
            while size < hand_sizes[other]:
                pick = at + below(chance, len(hidden) - at)
                card = hidden[pick]
                hidden[pick] = hidden[at]
                hidden[at] = card
                at += 1
                insert(dealt[other], size, card)
                size += 1
        for option in range(many):
            for row in range(ROWS):
                copy(table[row], rows[row])
            for other in range(seats):
                copy(hands[other], dealt[other])
                copy(heaps[other], piles[other])
            copy(sizes, hand_sizes)
            size = decided(kind, options[option], table, hands[seat], sizes[seat], heaps[seat], taken, played)
            if not last_card and size > 0:
                at_hand = safe(table, hands[seat], size)
                if at_hand >= 0:
                    play(table, hands[seat], size, at_hand, heaps[seat])
                    size -= 1
            sizes[seat] = size
            rest(table, hands, sizes, heaps, (seat + 1) % seats, first, seats, out[number, option])


class Hand:
    """A question of the hand game."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.kind, self.seat, self.seats = KINDS.index(kind), view["seat"], match["seats"]
        self.options = np.array([self._number(option, view["taken"]) for option in options])
        rows = zip(view["rows"], view["row_heads"], strict=True)
        self.rows = np.array([[row[-1], len(row), heads] for row, heads in rows])
        self.known = np.zeros((self.seats, ROOM), np.int64)
        known = [view["hand"] if seat == self.seat else cards for seat, cards in enumerate(view["known"])]
        for seat, cards in enumerate(known):
            self.known[seat, : len(cards)] = cards
        self.known_sizes = np.array([len(cards) for cards in known])
        self.hand_sizes = np.array(view["hand_sizes"])
        self.hidden = np.array(unseen(match, view), np.int64)
        self.piles = np.array([[len(pile), heads] for pile, heads in zip(view["piles"], view["heads"], strict=True)])
        self.taken = np.array(view["taken"], np.int64)
        self.played = view["played"][0][1] if view["played"] else 0
        # A first card may be followed by a second one; `second` says that there is none after this decision.
        self.last_card = bool(view["second"]) or kind == "more"
        self.first = view["first"]

    @staticmethod
    def _number(option: Any, taken: Sequence[int]) -> int:
        if isinstance(option, list):
            return sum(1 << taken.index(card) for card in option)
        return 0 if option == "stop" else int(option)

    def playouts(self, options: NDArray[np.int64], count: int, chance: Numbers) -> NDArray[np.int64]:
        """The heads from here to the end of the deal, by playout, by place in `options` and by seat."""
        out = np.zeros((count, len(options), self.seats), np.int64)
        sizes = (ROWS, 3), (self.seats, ROOM), (self.seats, ROOM), self.seats, (self.seats, 2)
        scratch = Scratch(*(np.zeros(size, np.int64) for size in sizes))
        playouts(
            self.kind, self.options[options], self.rows, self.known, self.known_sizes, self.hand_sizes, self.hidden,
            self.piles, self.taken, self.played, self.seat, self.first, self.last_card, chance, scratch,
            out,
        )  # fmt: skip
        return out - self.piles[:, 1]
