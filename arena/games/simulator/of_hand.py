"""The hand game as a chain of choices: see `arena.games.rules.variants.hand` for its rules and their sources."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import KIND, MOVER, SEATS, SKILLED, Luck, Numbers, at_random, draw, note, player
from .chance import below
from .games import HEADS, HIGHEST, ONE_END
from .jit import helper, inlined, kernel
from .table import FULL, PLACES, RIGHT, WORTH, begin_row, cheapest, copy, target

KINDS = ("card", "row", "keep", "more")
CARD, ROW, KEEP, MORE, OVER = range(5)

DECK = range(1, HIGHEST + 1)
DRAWS = False
"""Whether cards are turned up from the deck later."""

HAND, MOST, MOST_SEATS, MOST_IN_PILE, LAST_TURN = 14, 16, 7, 20, 100
"""Cards in a hand when a deal begins, and most cards in it; seats; cards in a pile, one more ends the deal; turns."""

START, TURN, SECOND, BARRED, LAID, TAKEN, FRESH = range(3, 10)
"""Places: the seat that begins; the turn, 0 before the rows are dealt; whether a second card was offered; whether kept cards may
not be played at once; the card that waits for a row; the number of cards in the row just taken, and of those kept of it."""
ROWS = 10
"""As those of a `Table`,"""
CARDS = ROWS + 16
"""their cards,"""
TAKEN_CARDS = CARDS + 4 * FULL
FRESH_CARDS = TAKEN_CARDS + FULL
PILES = FRESH_CARDS + FULL
"""by seat cards in the pile,"""
TAKES = PILES + MOST_SEATS
"""heads,"""
SIZES = TAKES + MOST_SEATS
HANDS = SIZES + MOST_SEATS
LENGTH = HANDS + MOST_SEATS * MOST

_KEPT = [[kept for size in range(n + 1) for kept in combinations(range(n), size)] for n in range(FULL + 1)]
_MASKS: Numbers = np.zeros((FULL + 1, 1 << FULL), np.int64)
"""By the number of cards of a row and the number of an option, the cards that are kept, as bits."""
_WAYS: Numbers = np.zeros((FULL + 1, FULL + 1), np.int64)
"""By the number of cards of a row and the most that may be kept, the number of options."""
for _n, _all in enumerate(_KEPT):
    _MASKS[_n, : len(_all)] = [sum(1 << bit for bit in kept) for kept in _all]
    _WAYS[_n] = [sum(len(kept) <= most for kept in _all) for most in range(FULL + 1)]


def dealt(seats: int) -> int:
    """The number of cards that are dealt."""
    return HAND * seats + 4


def opening(seats: int, options: Mapping[str, object], start: int, deals: int) -> tuple[Numbers, Numbers]:
    """The state before a deal, and its gaps: the places of the cards of all hands; the next four cards begin the rows."""
    state = np.zeros(LENGTH, np.int64)
    state[[KIND, MOVER, SEATS, START]] = CARD, start, seats, start
    state[BARRED] = bool(options.get("second_from_original_hand"))
    state[SIZES : SIZES + seats] = HAND
    return state, np.array([HANDS + MOST * seat + at for seat in range(seats) for at in range(HAND)], np.int64)


def read(
    seats: int,
    options: Mapping[str, object],
    view: Mapping[str, Any],
    kind: str,
    mover: int,
    known: Sequence[Sequence[int]],
    deals: int,
) -> tuple[Numbers, Numbers]:
    """The state as it is told, and its gaps: the places of the unknown cards of hands."""
    state, _ = opening(seats, options, int(view["first"]), deals)
    state[[KIND, MOVER, TURN, SECOND]] = KINDS.index(kind), mover, view["turn"], bool(view["second"] or kind == "more")
    state[LAID] = view["played"][0][1] if view["played"] else 0
    state[[TAKEN, FRESH]] = len(view["taken"]), len(view["fresh"])
    state[TAKEN_CARDS : TAKEN_CARDS + len(view["taken"])] = view["taken"]
    state[FRESH_CARDS : FRESH_CARDS + min(FULL, len(view["fresh"]))] = view["fresh"][:FULL]
    for at, (row, heads) in enumerate(zip(view["rows"], view["row_heads"], strict=True)):
        state[ROWS + 4 * at : ROWS + 4 * at + 4] = row[0], row[-1], len(row), heads
        state[CARDS + FULL * at : CARDS + FULL * at + len(row)] = row
    gaps: list[int] = []
    for seat, (size, cards) in enumerate(zip(view["hand_sizes"], known, strict=True)):
        place = HANDS + MOST * seat
        state[PILES + seat], state[SIZES + seat] = len(view["piles"][seat]), size
        state[place : place + len(cards)] = cards
        gaps += range(place + len(cards), place + size)
    return state, np.array(gaps, np.int64)


def seen(view: Mapping[str, Any], known: Sequence[Sequence[int]]) -> Iterator[int]:
    """All cards that are not hidden."""
    for cards in (*view["rows"], *view["piles"], *known, view["taken"], [card for _, card in view["played"]]):
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
            while state[KIND] != OVER:
                if given >= 0 and state[MOVER] == seat:
                    pick = given
                    given = -1
                elif policy == SKILLED:
                    pick = _skilled(state, chance[0])
                elif at_random(policy, chance):
                    pick = below(chance, _options(state))
                else:
                    pick = _usual(state)
                if len(choices):
                    note(choices[sample], step, _options(state), pick)
                    step += 1
                _choose(state, pick)
            for other in range(state[SEATS]):
                own = state[TAKES + other]
                for at in range(state[SIZES + other]):
                    own += 2 * HEADS[state[HANDS + MOST * other + at]]
                heads[sample, number, other] = own


play = player(_play, LENGTH)


@helper
def _fill(state: Numbers, pool: Numbers, gaps: Numbers) -> None:
    """Fill the gaps, and begin the rows if the deal has not begun."""
    for at in range(len(gaps)):
        place = gaps[at]
        begin = place - (place - HANDS) % MOST
        while place > begin and state[place - 1] > pool[at]:
            state[place] = state[place - 1]
            place -= 1
        state[place] = pool[at]
    if state[TURN] == 0:
        state[TURN] = 1
        for row in range(4):
            _begin(state, row, pool[len(gaps) + row])


@inlined
def _begin(state: Numbers, row: int, card: int) -> None:
    begin_row(state[ROWS : ROWS + 16], row, card, 1)
    state[CARDS + FULL * row] = card


@helper
def _options(state: Numbers) -> int:
    """The number of options."""
    kind = state[KIND]
    if kind == CARD:
        return int(state[SIZES + state[MOVER]])
    if kind == ROW:
        return 4
    if kind == KEEP:
        return int(_WAYS[state[TAKEN], min(FULL, MOST - state[SIZES + state[MOVER]])])
    return int(1 + _seconds(state))


@inlined
def _cost(rows: Numbers, card: int) -> int:
    """The heads that a card takes."""
    row = target(ONE_END, rows, card)
    if row < 0:
        return int(rows[4 * cheapest(rows) + WORTH])
    return int(rows[4 * row + WORTH]) if rows[4 * row + PLACES] == FULL else 0


@helper
def _skilled(state: Numbers, salt: int) -> int:
    """The option of a better player: as many cards as take nothing, those with the most heads first. It keeps nothing.

    Of cards with equal heads the `salt` chooses, any number.
    """
    if state[KIND] == ROW or state[KIND] == KEEP:
        return _usual(state)
    rows = state[ROWS : ROWS + 16]
    hand = HANDS + MOST * state[MOVER]
    more = state[KIND] == MORE
    best = 0
    least = 1 << 20
    for number in range(_seconds(state) if more else state[SIZES + state[MOVER]]):
        card = state[hand + (_second(state, number) if more else number)]
        cost = ((61 * card ^ salt) & 127) - 128 * HEADS[card]
        if cost >= least:
            continue
        cost += 1024 * _cost(rows, card)
        if cost < least:
            least = cost
            best = number
    if more:
        return best + 1 if least < 0 else 0
    return best


@helper
def _usual(state: Numbers) -> int:
    """The option that the referee plays: see `rows.RowGame.cost`. Keeping nothing and stopping cost nothing."""
    rows = state[ROWS : ROWS + 16]
    if state[KIND] == ROW:
        return cheapest(rows)
    if state[KIND] != CARD:
        return 0
    hand = HANDS + MOST * state[MOVER]
    best = 0
    least = 1000
    for at in range(state[SIZES + state[MOVER]]):
        cost = _cost(rows, state[hand + at])
        if cost < least:
            least = cost
            best = at
            if cost == 0:
                break
    return best


@helper
def _seconds(state: Numbers) -> int:
    """The number of cards that may be played second."""
    return int(state[SIZES + state[MOVER]] - (state[FRESH] if state[BARRED] else 0))


@helper
def _choose(state: Numbers, pick: int) -> None:
    """Take an option by its number."""
    kind = state[KIND]
    if kind == CARD:
        state[SECOND] = 0
        state[FRESH] = 0
        _lay(state, pick)
    elif kind == ROW:
        _take(state, state[LAID], pick)
    elif kind == KEEP:
        _keep(state, _MASKS[state[TAKEN], pick])
        _go_on(state)
    elif pick == 0:
        _next(state)
    else:
        _lay(state, _second(state, pick - 1))


@helper
def _second(state: Numbers, number: int) -> int:
    """The place in the hand of a card that may be played second, by its number."""
    if not state[BARRED]:
        return number
    hand = HANDS + MOST * state[MOVER]
    at = 0
    while True:
        barred = False
        for fresh in range(state[FRESH]):
            barred = barred or state[FRESH_CARDS + fresh] == state[hand + at]
        if not barred:
            if number == 0:
                return at
            number -= 1
        at += 1


@helper
def _lay(state: Numbers, at: int) -> None:
    """Lay the card at a place of the mover's hand."""
    seat = state[MOVER]
    place = HANDS + MOST * seat + at
    card = state[place]
    state[SIZES + seat] -= 1
    while place < HANDS + MOST * seat + state[SIZES + seat]:
        state[place] = state[place + 1]
        place += 1
    rows = state[ROWS : ROWS + 16]
    row = target(ONE_END, rows, card)
    if row < 0:
        state[LAID] = card
        state[KIND] = ROW
    elif rows[4 * row + PLACES] == FULL:
        _take(state, card, row)
    else:
        state[CARDS + FULL * row + rows[4 * row + PLACES]] = card
        rows[4 * row + PLACES] += 1
        rows[4 * row + RIGHT] = card
        rows[4 * row + WORTH] += HEADS[card]
        _go_on(state)


@helper
def _take(state: Numbers, card: int, row: int) -> None:
    """Take a row; its owner is asked which of its cards to keep."""
    size = state[ROWS + 4 * row + PLACES]
    for at in range(size):
        state[TAKEN_CARDS + at] = state[CARDS + FULL * row + at]
    state[TAKEN] = size
    _begin(state, row, card)
    state[KIND] = KEEP


@helper
def _keep(state: Numbers, kept: int) -> None:
    """Move cards of the row just taken to the hand, and the others to the pile."""
    seat = state[MOVER]
    hand = HANDS + MOST * seat
    for at in range(state[TAKEN]):
        card = state[TAKEN_CARDS + at]
        if kept >> at & 1:
            place = hand + state[SIZES + seat]
            while place > hand and state[place - 1] > card:
                state[place] = state[place - 1]
                place -= 1
            state[place] = card
            state[SIZES + seat] += 1
            if not state[SECOND]:  # else they no longer matter
                state[FRESH_CARDS + state[FRESH]] = card
                state[FRESH] += 1
        else:
            state[PILES + seat] += 1
            state[TAKES + seat] += HEADS[card]
    state[TAKEN] = 0


@helper
def _go_on(state: Numbers) -> None:
    """Offer a second card, or go on to the next seat."""
    if state[SECOND] == 0 and _seconds(state) > 0:
        state[SECOND] = 1
        state[KIND] = MORE
    else:
        _next(state)


@helper
def _next(state: Numbers) -> None:
    """Ask the next seat, or end the deal after a full turn."""
    seats = state[SEATS]
    mover = state[MOVER] + 1
    if mover == seats:
        mover = 0
    state[MOVER] = mover
    state[KIND] = CARD
    if mover == state[START]:
        over = state[TURN] == LAST_TURN
        for seat in range(seats):
            over = over or state[PILES + seat] > MOST_IN_PILE or state[SIZES + seat] == 0
        if over:
            state[KIND] = OVER
        state[TURN] += 1
