"""11 nimmt! as a chain of choices: see `arena.games.rules.variants.eleven` for its rules and their sources."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import KIND, MOVER, SEATS, SKILLED, Luck, Numbers, at_random, draw, note, player
from .chance import below
from .jit import helper, inlined, kernel
from .table import copy

KINDS = ("play", "more", "bull")
PLAY, MORE, BULL, OVER = range(4)

HIGHEST = 100
DECK = range(1, HIGHEST + 1)
DRAWS = True
"""Whether cards are turned up from the deck later."""

HAND, MOST_SEATS, ALL_BULLS, REACH, BULL_SIZE, TURNED = 10, 7, 10, 10, 3, 2
"""Cards in a hand when a deal begins; seats; bulls; the largest step to the top of a stack; cards in a taken stack that earn a
bull; cards turned up after a stack is taken."""

STACKS, USED, DRAWN, CARDS = range(3, 7)
"""Places: the number of stacks, 0 before a deal; of those used in this move; of cards turned up from the draw, and of all in it."""
BULLS = 7
"""By seat bulls,"""
SIZES = BULLS + MOST_SEATS
"""cards in the hand,"""
HELD = SIZES + MOST_SEATS
"""their heads,"""
LOWER = HELD + MOST_SEATS
"""the cards of 1..60 as bits, the lowest first,"""
UPPER = LOWER + MOST_SEATS
"""and those of 51..100 and, above them, 1..10 again: so any ten cards that follow one another lie side by side in one of both."""
TOP = UPPER + MOST_SEATS
"""By stack, its top as of before this move,"""
MOST_STACKS = 48
COUNT = TOP + MOST_STACKS
"""its cards,"""
WORTH = COUNT + MOST_STACKS
"""their heads,"""
STEP = WORTH + MOST_STACKS
"""the largest step of the cards laid in this move, 0 if there are none,"""
LOWER_OF = STEP + MOST_STACKS
"""and its cards, as those of a hand. Their order plays no part."""
UPPER_OF = LOWER_OF + MOST_STACKS
DRAW = UPPER_OF + MOST_STACKS
LENGTH = DRAW + HIGHEST

HALF = 50
_LOWER_BIT: Numbers = np.array([0, *(1 << card - 1 if card <= HALF + REACH else 0 for card in DECK)])
_UPPER_BIT: Numbers = np.array(
    [0, *(1 << (card - 1 - HALF) % HIGHEST if card > HALF or card <= REACH else 0 for card in DECK)]
)
_MANY: Numbers = np.array([bits.bit_count() for bits in range(1 << REACH)])
"""By ten bits, how many are set,"""
_FIRST: Numbers = np.array([(bits & -bits).bit_length() for bits in range(1 << REACH)])
"""and the first one, from 1; 0 if none is."""

STOP = -1
"""A move that ends what the mover does. Other moves are `CARD` * card + stack; without a card they take the stack, or the bull of
a seat."""
CARD = 64

_PRIMES = {n for n in range(2, HIGHEST + 1) if all(n % d for d in range(2, n))}
HEADS: Numbers = np.array(
    [0] + [(5 if n in _PRIMES else 7) if n % 10 == 3 else 3 if n in _PRIMES else 1 for n in range(1, HIGHEST + 1)]
)
"""Heads by card."""


def dealt(seats: int) -> int:
    """The number of cards that are dealt, those that are turned up later included."""
    return HIGHEST


def opening(seats: int, options: Mapping[str, object], start: int, deals: int) -> tuple[Numbers, Numbers]:
    """The state before a deal, and its gaps: by unknown card of a hand, the seat. The next cards are the draw."""
    state = np.zeros(LENGTH, np.int64)
    state[[KIND, MOVER, SEATS]] = PLAY, start, seats
    return state, np.repeat(np.arange(seats, dtype=np.int64), HAND)


def read(
    seats: int,
    options: Mapping[str, object],
    view: Mapping[str, Any],
    kind: str,
    mover: int,
    known: Sequence[Sequence[int]],
    deals: int,
) -> tuple[Numbers, Numbers]:
    """The state as it is told, and its gaps: by unknown card of a hand, the seat. The next cards are the draw."""
    state, _ = opening(seats, options, mover, deals)
    laid = [0] * len(view["stacks"])
    for _, number in view["laid"]:
        laid[number - 1] += 1
    state[[KIND, STACKS, USED]] = KINDS.index(kind), len(laid), sum(map(bool, laid))
    state[BULLS : BULLS + seats] = view["bulls"]
    for at, (stack, above) in enumerate(zip(view["stacks"], laid, strict=True)):
        top = stack[-1 - above]
        state[[TOP + at, COUNT + at]] = top, len(stack)
        state[[WORTH + at, STEP + at]] = HEADS[stack].sum(), (stack[-1] - top) % HIGHEST
        state[[LOWER_OF + at, UPPER_OF + at]] = _LOWER_BIT[stack].sum(), _UPPER_BIT[stack].sum()
    gaps: list[int] = []
    for seat, (size, cards) in enumerate(zip(view["hand_sizes"], known, strict=True)):
        for card in cards:
            _give(state, seat, card)
        gaps += [seat] * (size - len(cards))
    return state, np.array(gaps, np.int64)


def seen(view: Mapping[str, Any], known: Sequence[Sequence[int]]) -> Iterator[int]:
    """All cards that are not hidden."""
    for cards in (*view["stacks"], *known):
        yield from cards


@kernel
def _play(
    before: Numbers,
    hidden: Numbers,
    gaps: Numbers,
    drawn: int,
    seat: int,
    policy: int,
    picks: Numbers,
    starts: Numbers,
    luck: Luck,
    spare: tuple[Numbers, Numbers],
    heads: NDArray[np.int16],
    cards: NDArray[np.int16],
    choices: NDArray[np.int16],
) -> None:
    world, state = spare[0][0], spare[0][1]
    chance = luck.chance
    for sample in range(len(starts)):
        chance[0] = starts[sample]
        draw(hidden, drawn, luck)
        copy(world, before)
        _fill(world, luck.pool, gaps)
        if len(cards):
            copy(cards[sample], luck.pool)
        begun = chance[0]
        for number in range(len(picks)):
            chance[0] = begun
            copy(state, world)
            given = picks[number]
            step = 0
            while state[KIND] != OVER and (
                state[STACKS] or state[KIND] != PLAY
            ):  # else the mover can neither lay nor take
                if given >= 0 and state[MOVER] == seat:
                    move = _option(state, given)
                    given = -1
                elif policy == SKILLED:
                    move = _skilled(state)
                elif at_random(policy, chance):
                    move = _any(state, below(chance, _options(state)))
                else:
                    move = _usual(state)
                if len(choices):
                    pick = 0
                    while _option(state, pick) != move:
                        pick += 1
                    note(choices[sample], step, _options(state), pick)
                    step += 1
                _move(state, move)
            for other in range(state[SEATS]):
                heads[sample, number, other] = state[HELD + other]


play = player(_play, LENGTH)


@helper
def _fill(state: Numbers, pool: Numbers, gaps: Numbers) -> None:
    """Give the hidden cards to hands and to the draw, and begin the first stack if the deal has not begun."""
    for at in range(len(gaps)):
        _give(state, gaps[at], pool[at])
    state[CARDS] = len(pool) - len(gaps)
    for at in range(state[CARDS]):
        state[DRAW + at] = pool[len(gaps) + at]
    if state[STACKS] == 0 and state[KIND] == PLAY:
        _turn_up(state)


@helper
def _give(state: Numbers, seat: int, card: int) -> None:
    """Add a card to a hand."""
    state[SIZES + seat] += 1
    state[HELD + seat] += HEADS[card]
    state[LOWER + seat] |= _LOWER_BIT[card]
    state[UPPER + seat] |= _UPPER_BIT[card]


@helper
def _turn_up(state: Numbers) -> None:
    """Begin a stack with the next card of the draw."""
    card = state[DRAW + state[DRAWN]]
    at = state[STACKS]
    state[TOP + at] = card
    state[COUNT + at] = 1
    state[WORTH + at] = HEADS[card]
    state[STEP + at] = 0
    state[LOWER_OF + at] = _LOWER_BIT[card]
    state[UPPER_OF + at] = _UPPER_BIT[card]
    state[STACKS] += 1
    state[DRAWN] += 1


@inlined
def _fitting(state: Numbers, at: int) -> int:
    """The mover's cards that may be laid on a stack: the first bit is the card after its top."""
    if state[STEP + at] == 0 and state[USED] >= max(1, state[BULLS + state[MOVER]]):
        return 0  # no other stacks may be used in this move
    top = state[TOP + at]
    held = state[LOWER + state[MOVER]] >> top if top <= HALF else state[UPPER + state[MOVER]] >> top - HALF
    return int(held & (1 << REACH) - 1)


@inlined
def _after(top: int, step: int) -> int:
    """The card so many steps after a top: 1 follows 100."""
    card = top + step
    return card if card <= HIGHEST else card - HIGHEST


@inlined
def _lays(state: Numbers) -> int:
    """The number of ways to lay a card of the mover's hand."""
    count = 0
    for at in range(state[STACKS]):
        count += _MANY[_fitting(state, at)]
    return count


@helper
def _options(state: Numbers) -> int:
    """The number of options."""
    kind = state[KIND]
    if kind == BULL:
        most = _most_bulls(state)
        count = 0
        for seat in range(state[SEATS]):
            count += state[BULLS + seat] == most and seat != state[MOVER]
        return count
    return int(_lays(state) + (state[STACKS] if kind == PLAY else 1))


@helper
def _most_bulls(state: Numbers) -> int:
    most = 0
    for seat in range(state[SEATS]):
        most = max(most, state[BULLS + seat])
    return most


@helper
def _usual(state: Numbers) -> int:
    """The move that the referee plays: see `Eleven.fallback`."""
    if state[KIND] == BULL:
        return _option(state, 0)
    least = REACH + 1
    card = best = 0
    for at in range(state[STACKS]):
        step = _FIRST[_fitting(state, at)]
        if 0 < step <= least:
            found = _after(state[TOP + at], step)
            if step < least or found < card:
                least, card, best = step, found, at
    if card == 0:
        for at in range(1, state[STACKS]):
            if state[WORTH + at] < state[WORTH + best]:
                best = at
    return CARD * card + best


@helper
def _skilled(state: Numbers) -> int:
    """The move of a better player: it lays as many cards as it may, those with the most heads first, and never stops."""
    if state[KIND] != BULL:
        most = card = best = 0
        for at in range(state[STACKS]):
            fitting = _fitting(state, at)
            while fitting:
                found = _after(state[TOP + at], _FIRST[fitting])
                fitting &= fitting - 1
                if HEADS[found] > most:
                    most, card, best = HEADS[found], found, at
        if card:
            return int(CARD * card + best)
    return _usual(state)


@helper
def _any(state: Numbers, number: int) -> int:
    """One of the moves by a number: by stacks, and not in the order of the options, which takes longer to find."""
    if state[KIND] == BULL:
        return _option(state, number)
    if state[KIND] == MORE:
        if number == 0:
            return STOP
        number -= 1
    for at in range(state[STACKS]):
        fitting = _fitting(state, at)
        if number >= _MANY[fitting]:
            number -= _MANY[fitting]
            continue
        while number:
            fitting &= fitting - 1
            number -= 1
        return int(CARD * _after(state[TOP + at], _FIRST[fitting]) + at)
    return number


@helper
def _option(state: Numbers, number: int) -> int:
    """The move of an option by its number."""
    if state[KIND] == BULL:
        most = _most_bulls(state)
        for seat in range(state[SEATS]):
            if state[BULLS + seat] == most and seat != state[MOVER]:
                if number == 0:
                    return seat
                number -= 1
    if state[KIND] == MORE:
        if number == 0:
            return STOP
        number -= 1
    for card in range(1, HIGHEST + 1):
        for at in range(state[STACKS]):
            step = (card - state[TOP + at]) % HIGHEST
            if 0 < step <= REACH and _fitting(state, at) >> step - 1 & 1:
                if number == 0:
                    return CARD * card + at
                number -= 1
    return number


@helper
def _move(state: Numbers, move: int) -> None:
    """Make a move."""
    if move == STOP:
        _next(state)
    elif state[KIND] == BULL:
        _take_bull(state, move)
    elif move >= CARD:
        _lay(state, move // CARD, move % CARD)
    else:
        _take(state, move)


@helper
def _lay(state: Numbers, card: int, at: int) -> None:
    """Lay a card on a stack."""
    seat = state[MOVER]
    state[SIZES + seat] -= 1
    state[HELD + seat] -= HEADS[card]
    state[LOWER + seat] ^= _LOWER_BIT[card]
    state[UPPER + seat] ^= _UPPER_BIT[card]
    state[LOWER_OF + at] |= _LOWER_BIT[card]
    state[UPPER_OF + at] |= _UPPER_BIT[card]
    state[COUNT + at] += 1
    state[WORTH + at] += HEADS[card]
    if state[SIZES + seat] == 0:
        state[KIND] = OVER
        return
    if state[BULLS + seat] == 0:
        state[TOP + at] = card
        _next(state)
        return
    state[USED] += state[STEP + at] == 0
    step = card - state[TOP + at]
    state[STEP + at] = max(state[STEP + at], step if step > 0 else step + HIGHEST)
    state[KIND] = MORE
    for other in range(state[STACKS]):
        if _fitting(state, other):
            return
    _next(state)


@helper
def _take(state: Numbers, taken: int) -> None:
    """Take a stack to the hand, and turn up cards."""
    seat = state[MOVER]
    size = state[COUNT + taken]
    state[SIZES + seat] += size
    state[HELD + seat] += state[WORTH + taken]
    state[LOWER + seat] |= state[LOWER_OF + taken]
    state[UPPER + seat] |= state[UPPER_OF + taken]
    state[STACKS] -= 1
    for each in range(TOP, DRAW, MOST_STACKS):
        for at in range(each + taken, each + state[STACKS]):
            state[at] = state[at + 1]
    for _ in range(min(TURNED, state[CARDS] - state[DRAWN])):
        _turn_up(state)
    if size < BULL_SIZE:
        _next(state)
        return
    given = 0
    for other in range(state[SEATS]):
        given += state[BULLS + other]
    if given < ALL_BULLS:
        state[BULLS + seat] += 1
        _next(state)
        return
    state[KIND] = BULL
    owners = _options(state)
    if owners == 1:
        _take_bull(state, _option(state, 0))
    elif owners == 0:  # the taker alone has the most
        _next(state)


@helper
def _take_bull(state: Numbers, owner: int) -> None:
    """Take a bull from a seat."""
    state[BULLS + owner] -= 1
    state[BULLS + state[MOVER]] += 1
    _next(state)


@helper
def _next(state: Numbers) -> None:
    """End the move, and ask the next seat."""
    if state[USED]:
        for at in range(state[STACKS]):
            state[TOP + at] = _after(state[TOP + at], state[STEP + at])
            state[STEP + at] = 0
        state[USED] = 0
    state[KIND] = PLAY
    state[MOVER] = state[MOVER] + 1 if state[MOVER] + 1 < state[SEATS] else 0
