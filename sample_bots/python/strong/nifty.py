"""Playouts of the nifty game: two cards of each seat in a turn; the seat with the lowest card lays both, then the next one.

In them everybody plays the cards that look cheapest in this turn, give or take much: what others do is anybody's guess. A low card
takes the cheapest row.
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

KINDS = ("cards", "order", "row")
CARDS, ORDER, ROW = range(3)

HIGHEST = 104
NOISE = 20
"""Heads by which everybody may misjudge a card in playouts."""

MEAN = 171 / 104
"""Heads of an average card."""


@helper
def lay(rows: Numbers, card: int) -> int:
    """Lay a card. Returns the heads that it takes."""
    at = target(rows, card)
    if at < 0:
        return begin(rows, cheapest(rows), card)
    if rows[at, SIZE] == FULL:
        return begin(rows, at, card)
    rows[at, LAST] = card
    rows[at, SIZE] += 1
    rows[at, WORTH] += HEADS[card]
    return 0


@helper
def risk(rows: Numbers, card: int, lower: Numbers, share: float) -> float:
    """About the heads that a card takes in this turn, if each hidden card is played with a chance of `share`.

    `lower` has the number of hidden cards that are not higher, by card.
    """
    at = target(rows, card)
    if at < 0:
        return float(rows[cheapest(rows), WORTH])
    room = FULL - rows[at, SIZE]
    mean = (lower[card] - lower[rows[at, LAST]]) * share
    # The chance of at least `room` cards between, by Poisson.
    exactly = np.exp(-mean)
    fewer = 0.0
    for number in range(room):
        fewer += exactly
        exactly *= mean / (number + 1)
    return (rows[at, WORTH] + MEAN * room) * (1.0 - fewer)


@helper
def choose(
    rows: Numbers, hand: Numbers, left: int, lower: Numbers, share: float, chance: Numbers, cards: Numbers
) -> None:
    """Move two cards from a hand to `cards`, the lower one first."""
    for number in range(2):
        best = 0
        least = 1e9
        for at in range(left - number):
            cost = risk(rows, hand[at], lower, share) + NOISE / 1024 * below(chance, 1024)
            if cost < least:
                best = at
                least = cost
        cards[number] = hand[best]
        hand[best] = hand[left - number - 1]
    if cards[0] > cards[1]:
        cards[0], cards[1] = cards[1], cards[0]


@helper
def place(rows: Numbers, cards: Numbers, heads: Numbers) -> None:
    """Lay two cards of each seat. `cards` holds them by seat, the lower one first."""
    seats = len(cards)
    for _ in range(seats):
        first = -1
        for seat in range(seats):
            if cards[seat, 0] > 0 and (first < 0 or cards[seat, 0] < cards[first, 0]):
                first = seat
        if first < 0:
            return
        heads[first] += lay(rows, cards[first, 0])
        if cards[first, 1] > 0:
            heads[first] += lay(rows, cards[first, 1])
        cards[first, 0] = 0


class Scratch(NamedTuple):
    """The arrays that a kernel works on."""

    rows: Numbers
    lower: Numbers
    """By card, how many hidden ones are not higher: empty at first."""
    dealt: Numbers
    """By seat, its hand before the option is played."""
    hands: Numbers
    first: Numbers
    """By seat, its two cards of this turn."""
    cards: Numbers
    twin: Numbers
    """A copy of the chance."""


@kernel
def playouts(
    kind: int,
    options: Numbers,
    table: Numbers,
    mine: Numbers,
    hidden: Numbers,
    queue: Numbers,
    seat: int,
    chance: Numbers,
    turn_only: int,
    scratch: Scratch,
    out: Numbers,
) -> None:
    """Fill `out`, of shape (playouts, options, seats) and empty, with the heads that everybody takes until the end of the deal, or
    with `turn_only` of 1 in this turn.

    An option is two cards, or a card and 0 for the kind `order`, or a row and 0. `queue` holds the open cards by seat, 0: none.
    """
    count, tried, seats = out.shape
    rows, lower, dealt, hands, first, cards, twin = scratch
    for card in hidden:
        lower[card] += 1
    for card in range(HIGHEST):
        lower[card + 1] += lower[card]
    share = 2.0 * (seats - 1) / len(hidden)
    left = len(mine)
    for number in range(count):
        at = 0
        for other in range(seats):
            if other == seat:
                copy(dealt[other], mine)
                continue
            for card_at in range(left):
                pick = at + below(chance, len(hidden) - at)
                card = hidden[pick]
                hidden[pick] = hidden[at]
                hidden[at] = card
                dealt[other, card_at] = card
                at += 1
            if kind == CARDS:
                choose(table, dealt[other], left, lower, share, chance, first[other])
        below(chance, 2)
        for option in range(tried):
            twin[0] = chance[0]  # the same luck for all options
            heads = out[number, option]
            for row in range(ROWS):
                copy(rows[row], table[row])
            for other in range(seats):
                copy(hands[other], dealt[other])
                copy(cards[other], first[other] if kind == CARDS else queue[other])
            size = left
            if kind == CARDS:
                copy(cards[seat], options[option])
                size -= 2
                kept = 0
                for card in mine:
                    if card != options[option, 0] and card != options[option, 1]:
                        hands[seat, kept] = card
                        kept += 1
            else:
                if kind == ORDER:
                    card = cards[seat, 0] + cards[seat, 1] - options[option, 0]
                    heads[seat] += lay(rows, options[option, 0])
                else:  # the lower of my cards, or the one that is left, fits nowhere
                    heads[seat] += begin(rows, options[option, 0] - 1, cards[seat, 0])
                    card = cards[seat, 1]
                if card > 0:
                    heads[seat] += lay(rows, card)
                cards[seat, 0] = 0
            place(rows, cards, heads)
            while size > 0 and turn_only == 0:
                for other in range(seats):
                    choose(rows, hands[other], size, lower, share, twin, cards[other])
                size -= 2
                place(rows, cards, heads)


class Nifty:
    """A question of the nifty game."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.kind, self.seat, self.seats = KINDS.index(kind), view["seat"], match["seats"]
        self.options = np.array([option if isinstance(option, list) else (option, 0) for option in options])
        self.table = np.array(
            [[row[-1], len(row), heads] for row, heads in zip(view["rows"], view["row_heads"], strict=True)]
        )
        self.mine = np.array(view["hand"], np.int64)
        self.hidden = np.array(unseen(match, view), np.int64)
        self.queue = np.zeros((self.seats, 2), np.int64)
        for seat, card in view["played"]:  # those that are still to be placed, in order
            self.queue[seat, int(self.queue[seat, 0] > 0)] = card
        others = np.arange(self.seats) != self.seat  # who lay the lower one first; mine are in the order that I chose
        two = self.queue[others, 1] > 0
        self.queue[others] = np.where(two[:, None], np.sort(self.queue[others], 1), self.queue[others])

    def takes(self, count: int, chance: Numbers) -> list[float]:
        """By option, the share of playouts in which I take heads in this turn."""
        heads = self.playouts(np.arange(len(self.options)), count, chance, turn_only=1)
        return (heads[:, :, self.seat] > 0).mean(0).tolist()

    def playouts(
        self, options: NDArray[np.int64], count: int, chance: Numbers, *, turn_only: int = 0
    ) -> NDArray[np.int64]:
        """The heads that everybody takes, by playout, by place in `options` and by seat."""
        out = np.zeros((count, len(options), self.seats), np.int64)
        left = len(self.mine)
        sizes = (ROWS, 3), HIGHEST + 1, (self.seats, left), (self.seats, left), (self.seats, 2), (self.seats, 2), 1
        scratch = Scratch(*(np.zeros(size, np.int64) for size in sizes))
        playouts(
            self.kind, self.options[options], self.table, self.mine, self.hidden, self.queue, self.seat, chance,
            turn_only, scratch, out,
        )  # fmt: skip
        return out
