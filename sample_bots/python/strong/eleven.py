"""Playouts of 11 nimmt!: cards are laid on stacks, and the heads left in the hands count.

In them everybody lays the card with the most heads, or with bulls as many cards as possible, else takes the cheapest stack. Bulls
never run out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from hidden import Message, unseen
from numpy.typing import NDArray
from simulator.chance import below
from simulator.jit import helper, kernel
from simulator.table import copy

KINDS = ("play", "more", "bull")

CARDS, REACH = 100, 10

BULL_SIZE = 3
"""Least number of cards in a taken stack that earns a bull."""

LAPS = 12
"""A playout ends after this many laps, because playing a deal to its end would take too long."""

PRIMES = {n for n in range(2, CARDS + 1) if all(n % d for d in range(2, n))}
HEADS = np.array([(5 if c in PRIMES else 7) if c % 10 == 3 else 3 if c in PRIMES else 1 for c in range(CARDS + 1)])

DECK, STACK = -1, 16
"""The place of a card: in the deck, in the hand of a seat (its number), or on a stack (STACK and its number)."""

TOP, SIZE, WORTH, BEGUN, BASE = range(5)
"""The figures of a stack: its top, its cards (none: it was taken), their heads, whether cards were laid on it in this move, and
its top before."""

STACKS = CARDS
"""More stacks than there can be."""

Numbers = NDArray[np.int64]


@helper
def distance(card: int, top: int) -> int:
    """The distance of a card above a top; 1 follows 100."""
    return (card - top + CARDS) % CARDS


@helper
def lay(place: Numbers, stacks: Numbers, at: int, card: int) -> None:
    """Lay a card on a stack on which this move has begun. The farthest card is the top."""
    base = stacks[at, BASE]
    if distance(card, base) > distance(stacks[at, TOP], base):
        stacks[at, TOP] = card
    stacks[at, SIZE] += 1
    stacks[at, WORTH] += HEADS[card]
    place[card] = STACK + at


@helper
def start_on(stacks: Numbers, at: int) -> None:
    """Begin to lay cards on a stack."""
    stacks[at, BEGUN] = 1
    stacks[at, BASE] = stacks[at, TOP]


@helper
def lay_all(place: Numbers, stacks: Numbers, at: int, seat: int) -> int:
    """Lay all cards of a seat that fit on a stack begun. Returns how many."""
    laid = 0
    for step in range(1, REACH + 1):
        card = (stacks[at, BASE] + step - 1) % CARDS + 1
        if place[card] == seat:
            lay(place, stacks, at, card)
            laid += 1
    return laid


@helper
def lay_more(place: Numbers, stacks: Numbers, many: int, seat: int, bulls: int) -> int:
    """Lay all fitting cards on the stacks begun, and on as many others as there are bulls. Returns how many cards."""
    laid = begun = 0
    for at in range(many):
        if stacks[at, SIZE] and stacks[at, BEGUN]:
            laid += lay_all(place, stacks, at, seat)
            begun += 1
    while begun < bulls:
        best = -1
        most = 0
        for at in range(many):
            if stacks[at, SIZE] and not stacks[at, BEGUN]:
                fitting = 0
                for step in range(1, REACH + 1):
                    fitting += place[(stacks[at, TOP] + step - 1) % CARDS + 1] == seat
                if fitting > most:
                    best = at
                    most = fitting
        if best < 0:
            break
        start_on(stacks, best)
        laid += lay_all(place, stacks, best, seat)
        begun += 1
    return laid


@helper
def take(place: Numbers, stacks: Numbers, at: int, seat: int) -> int:
    """Take a stack into the hand. Returns the number of its cards."""
    for card in range(1, CARDS + 1):
        if place[card] == STACK + at:
            place[card] = seat
    size = stacks[at, SIZE]
    stacks[at, SIZE] = 0
    return size


@helper
def turn_up(place: Numbers, stacks: Numbers, many: int, card: int) -> None:
    """Begin stack number `many` with a card."""
    stacks[many, TOP] = card
    stacks[many, SIZE] = 1
    stacks[many, WORTH] = HEADS[card]
    stacks[many, BEGUN] = 0
    place[card] = STACK + many


@helper
def end_move(stacks: Numbers, many: int) -> None:
    """Forget on which stacks cards were laid."""
    for at in range(many):
        stacks[at, BEGUN] = 0


@helper
def rest(
    place: Numbers,
    stacks: Numbers,
    many: int,
    sizes: Numbers,
    bulls: Numbers,
    turned: Numbers,
    seat: int,
    card: int,
    at: int,
    out: Numbers,
) -> None:
    """Let `seat` lay `card` on a stack and what goes with it (0: nothing; -1: take the stack), and play on for `LAPS` laps.

    The heads of the hands go to `out`. `turned` are the cards to turn up, the last one first.
    """
    seats = len(sizes)
    left = len(turned)
    for step in range(LAPS * seats):
        mover = (seat + step) % seats
        if step:
            over = False
            for other in range(seats):
                over = over or sizes[other] == 0
            if over:
                break
            card = 0
            most = 0
            for stack in range(many):
                if stacks[stack, SIZE]:
                    for ahead in range(1, REACH + 1):
                        found = (stacks[stack, TOP] + ahead - 1) % CARDS + 1
                        if place[found] == mover and HEADS[found] > most:
                            card = found
                            most = HEADS[found]
                            at = stack
            if card and bulls[mover]:
                sizes[mover] -= lay_more(place, stacks, many, mover, bulls[mover])
                end_move(stacks, many)
                continue
            if not card:
                card = -1
                at = -1
                for stack in range(many):
                    if stacks[stack, SIZE] and (at < 0 or stacks[stack, WORTH] < stacks[at, WORTH]):
                        at = stack
                if at < 0:
                    break
        if card > 0:
            if not stacks[at, BEGUN]:
                start_on(stacks, at)
            lay(place, stacks, at, card)
            sizes[mover] -= 1
            if bulls[mover] and not step:
                sizes[mover] -= lay_more(place, stacks, many, mover, bulls[mover])
            end_move(stacks, many)
        elif card < 0:
            cards = take(place, stacks, at, mover)
            sizes[mover] += cards
            bulls[mover] += cards >= BULL_SIZE
            for _ in range(min(2, left)):
                left -= 1
                turn_up(place, stacks, many, turned[left])
                many += 1
    for other in range(seats):
        out[other] = 0
    for number in range(1, CARDS + 1):
        if 0 <= place[number] < seats:
            out[place[number]] += HEADS[number]


class Scratch(NamedTuple):
    """The arrays that a kernel works on."""

    stacks: Numbers
    dealt: Numbers
    """The places of all cards before the option is played."""
    place: Numbers
    sizes: Numbers
    bulls: Numbers


@kernel
def playouts(
    options: Numbers,
    places: Numbers,
    table: Numbers,
    many: int,
    hand_sizes: Numbers,
    known_sizes: Numbers,
    hidden: Numbers,
    owned: Numbers,
    seat: int,
    chance: Numbers,
    scratch: Scratch,
    out: Numbers,
) -> None:
    """Fill `out`, of shape (playouts, options, seats), with the heads in everybody's hand when the playout ends.

    An option is (card, stack) as `rest` has them, and the seat that a bull comes from, or -1.
    """
    count, tried, seats = out.shape
    stacks, dealt, place, sizes, bulls = scratch
    for number in range(count):
        copy(dealt, places)
        at = 0
        for other in range(seats):
            for _ in range(hand_sizes[other] - known_sizes[other]):
                pick = at + below(chance, len(hidden) - at)
                card = hidden[pick]
                hidden[pick] = hidden[at]
                hidden[at] = card
                dealt[card] = other
                at += 1
        for last in range(len(hidden) - 1, at, -1):
            pick = at + below(chance, last + 1 - at)
            card = hidden[pick]
            hidden[pick] = hidden[last]
            hidden[last] = card
        for option in range(tried):
            copy(place, dealt)
            for at_stack in range(many):
                copy(stacks[at_stack], table[at_stack])
            copy(sizes, hand_sizes)
            copy(bulls, owned)
            giver = options[option, 2]
            if giver >= 0:
                bulls[giver] -= 1
                bulls[seat] += 1
            rest(
                place, stacks, many, sizes, bulls, hidden[at:], seat, options[option, 0], options[option, 1], out[number, option]
            )  # fmt: skip


class Eleven:
    """A question of 11 nimmt!."""

    def __init__(self, match: Message, kind: str, view: Message, options: Sequence[Any]) -> None:
        self.seat, self.seats = view["seat"], match["seats"]
        self.options = np.array([self._numbers(kind, option) for option in options])
        self.place = np.full(CARDS + 1, DECK)
        known = [view["hand"] if seat == self.seat else cards for seat, cards in enumerate(view["known"])]
        for seat, cards in enumerate(known):
            self.place[cards] = seat
        laid = [stack - 1 for _, stack in view["laid"]]
        self.stacks = np.zeros((len(view["stacks"]), 5), np.int64)
        for at, stack in enumerate(view["stacks"]):
            self.place[stack] = STACK + at
            base = stack[-1 - laid.count(at)]
            self.stacks[at] = stack[-1], len(stack), HEADS[stack].sum(), at in laid, base
        self.hand_sizes = np.array(view["hand_sizes"])
        self.known_sizes = np.array([len(cards) for cards in known])
        self.hidden = np.array(unseen(match, view), np.int64)
        self.bulls = np.array(view["bulls"])

    @staticmethod
    def _numbers(kind: str, option: Any) -> tuple[int, int, int]:
        if kind == "bull":
            return 0, 0, option
        if isinstance(option, list):
            return option[0], option[1] - 1, -1
        return (0, 0, -1) if option == "stop" else (-1, option - 1, -1)

    def playouts(self, options: NDArray[np.int64], count: int, chance: Numbers) -> NDArray[np.int64]:
        """The heads at the end of the playout, by playout, by place in `options` and by seat."""
        out = np.zeros((count, len(options), self.seats), np.int64)
        sizes = (STACKS, 5), CARDS + 1, CARDS + 1, self.seats, self.seats
        scratch = Scratch(*(np.zeros(size, np.int64) for size in sizes))
        playouts(
            self.options[options], self.place, self.stacks, len(self.stacks), self.hand_sizes, self.known_sizes,
            self.hidden, self.bulls, self.seat, chance, scratch, out,
        )  # fmt: skip
        return out
