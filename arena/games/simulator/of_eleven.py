"""11 nimmt! as a chain of choices: see `arena.games.rules.variants.eleven` for its rules and their sources."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import KIND, MOVER, SEATS, Luck, Numbers, any_of, draw, note, player
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
"""By seat."""
SIZES = BULLS + MOST_SEATS
OWNER = SIZES + MOST_SEATS
"""By card, the seat that holds it, or -1."""
UNDER = OWNER + HIGHEST + 1
"""By card of a stack, another one of it; 0 is the end. The order within a stack plays no part but for its top."""
TOP = UNDER + HIGHEST + 1
"""By stack, its top as of before this move,"""
MOST_STACKS = 48
ANY = TOP + MOST_STACKS
"""the card where the chain of `UNDER` begins,"""
COUNT = ANY + MOST_STACKS
"""its cards,"""
WORTH = COUNT + MOST_STACKS
"""their heads,"""
STEP = WORTH + MOST_STACKS
"""the largest step of the cards laid in this move, 0 if there are none."""
DRAW = STEP + MOST_STACKS
LENGTH = DRAW + HIGHEST

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
    state[OWNER : OWNER + HIGHEST + 1] = -1
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
        state[[TOP + at, ANY + at, COUNT + at]] = top, stack[-1], len(stack)
        state[[WORTH + at, STEP + at]] = HEADS[stack].sum(), (stack[-1] - top) % HIGHEST
        for under, card in pairwise(stack):
            state[UNDER + card] = under
    gaps: list[int] = []
    for seat, (size, cards) in enumerate(zip(view["hand_sizes"], known, strict=True)):
        state[SIZES + seat] = len(cards)
        for card in cards:
            state[OWNER + card] = seat
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
    spare: Numbers,
    heads: NDArray[np.int16],
    cards: NDArray[np.int16],
    choices: NDArray[np.int16],
) -> None:
    world, state = spare[0], spare[1]
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
            while state[KIND] != OVER:
                count = _options(state)
                if count == 0:  # the mover can neither lay nor take
                    break
                pick = -1
                if given >= 0 and state[MOVER] == seat:
                    pick = given
                    given = -1
                else:
                    pick = any_of(policy, count, chance)
                    if pick < 0:
                        pick = _usual(state)
                if len(choices):
                    note(choices[sample], step, count, pick)
                    step += 1
                _choose(state, pick)
            for other in range(state[SEATS]):
                heads[sample, number, other] = 0
            for card in range(1, HIGHEST + 1):
                if state[OWNER + card] >= 0:
                    heads[sample, number, state[OWNER + card]] += HEADS[card]


play = player(_play, LENGTH)


@helper
def _fill(state: Numbers, pool: Numbers, gaps: Numbers) -> None:
    """Give the hidden cards to hands and to the draw, and begin the first stack if the deal has not begun."""
    for at in range(len(gaps)):
        state[OWNER + pool[at]] = gaps[at]
        state[SIZES + gaps[at]] += 1
    state[CARDS] = len(pool) - len(gaps)
    for at in range(state[CARDS]):
        state[DRAW + at] = pool[len(gaps) + at]
    if state[STACKS] == 0 and state[KIND] == PLAY:
        _turn_up(state)


@helper
def _turn_up(state: Numbers) -> None:
    """Begin a stack with the next card of the draw."""
    card = state[DRAW + state[DRAWN]]
    at = state[STACKS]
    state[TOP + at] = card
    state[ANY + at] = card
    state[UNDER + card] = 0
    state[COUNT + at] = 1
    state[WORTH + at] = HEADS[card]
    state[STEP + at] = 0
    state[STACKS] += 1
    state[DRAWN] += 1


@inlined
def _step(top: int, card: int) -> int:
    """The difference of a card to a top, around the circle: 1..99."""
    step = card - top
    return step if step > 0 else step + HIGHEST


@inlined
def _only_used(state: Numbers) -> bool:
    """Whether no other stacks may be used in this move."""
    return bool(state[USED] >= max(1, state[BULLS + state[MOVER]]))


@helper
def _lays(state: Numbers) -> int:
    """The number of ways to lay a card of the mover's hand."""
    seat = state[MOVER]
    only = _only_used(state)
    count = 0
    for at in range(state[STACKS]):
        if only and state[STEP + at] == 0:
            continue
        card = state[TOP + at]
        for _ in range(REACH):
            card = card + 1 if card < HIGHEST else 1
            count += state[OWNER + card] == seat
    return count


@helper
def _options(state: Numbers) -> int:
    """The number of options; 0 if the deal is over because there are none."""
    kind = state[KIND]
    if kind == PLAY:
        return int(_lays(state) + state[STACKS])
    if kind == MORE:
        return 1 + _lays(state)
    count = 0
    most = _most_bulls(state)
    for seat in range(state[SEATS]):
        count += state[BULLS + seat] == most and seat != state[MOVER]
    return count


@helper
def _most_bulls(state: Numbers) -> int:
    most = 0
    for seat in range(state[SEATS]):
        most = max(most, state[BULLS + seat])
    return most


@helper
def _usual(state: Numbers) -> int:
    """The option that the referee plays: see `Eleven.fallback`."""
    if state[KIND] == BULL:
        return 0
    seat = state[MOVER]
    only = _only_used(state)
    least = REACH + 1
    best = 0
    for at in range(state[STACKS]):
        if only and state[STEP + at] == 0:
            continue
        card = state[TOP + at]
        for step in range(1, min(least, REACH) + 1):
            card = card + 1 if card < HIGHEST else 1
            if state[OWNER + card] == seat:
                if step < least or card < best:
                    least = step
                    best = card
                break
    if best == 0:
        for at in range(1, state[STACKS]):
            if state[WORTH + at] < state[WORTH + best]:
                best = at
        return best  # no card fits, so the stacks are all options
    number = int(state[KIND] == MORE)
    for card in range(1, best + 1):
        if state[OWNER + card] != seat:
            continue
        for at in range(state[STACKS]):
            if only and state[STEP + at] == 0:
                continue
            step = _step(state[TOP + at], card)
            if card == best and step == least:
                return number
            number += step <= REACH
    return number


@helper
def _choose(state: Numbers, pick: int) -> None:
    """Take an option by its number."""
    kind = state[KIND]
    if kind == BULL:
        _take_bull(state, pick)
        return
    if kind == MORE:
        if pick == 0:
            _next(state)
            return
        pick -= 1
    seat = state[MOVER]
    only = _only_used(state)
    for card in range(1, HIGHEST + 1):
        if state[OWNER + card] != seat:
            continue
        for at in range(state[STACKS]):
            if only and state[STEP + at] == 0:
                continue
            if _step(state[TOP + at], card) <= REACH:
                if pick == 0:
                    _lay(state, card, at)
                    return
                pick -= 1
    _take(state, pick)


@helper
def _lay(state: Numbers, card: int, at: int) -> None:
    """Lay a card on a stack."""
    seat = state[MOVER]
    state[OWNER + card] = -1
    state[SIZES + seat] -= 1
    state[UNDER + card] = state[ANY + at]
    state[ANY + at] = card
    state[COUNT + at] += 1
    state[WORTH + at] += HEADS[card]
    state[USED] += state[STEP + at] == 0
    state[STEP + at] = max(state[STEP + at], _step(state[TOP + at], card))
    if state[SIZES + seat] == 0:
        state[KIND] = OVER
    elif state[BULLS + seat] and _lays(state):
        state[KIND] = MORE
    else:
        _next(state)


@helper
def _take(state: Numbers, taken: int) -> None:
    """Take a stack to the hand, and turn up cards."""
    seat = state[MOVER]
    size = state[COUNT + taken]
    card = state[ANY + taken]
    while card:
        state[OWNER + card] = seat
        card = state[UNDER + card]
    state[SIZES + seat] += size
    state[STACKS] -= 1
    for at in range(taken, state[STACKS]):
        for each in range(TOP, DRAW, MOST_STACKS):
            state[each + at] = state[each + at + 1]
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
        _take_bull(state, 0)
    elif owners == 0:  # the taker alone has the most
        _next(state)


@helper
def _take_bull(state: Numbers, pick: int) -> None:
    """Take a bull from one of those with the most."""
    most = _most_bulls(state)
    for seat in range(state[SEATS]):
        if state[BULLS + seat] == most and seat != state[MOVER]:
            if pick == 0:
                state[BULLS + seat] -= 1
                break
            pick -= 1
    state[BULLS + state[MOVER]] += 1
    _next(state)


@helper
def _next(state: Numbers) -> None:
    """End the move, and ask the next seat."""
    for at in range(state[STACKS]):
        if state[STEP + at]:
            top = state[TOP + at] + state[STEP + at]
            state[TOP + at] = top if top <= HIGHEST else top - HIGHEST
            state[STEP + at] = 0
    state[USED] = 0
    state[KIND] = PLAY
    state[MOVER] = state[MOVER] + 1 if state[MOVER] + 1 < state[SEATS] else 0
