"""The nifty game as a chain of choices: see `arena.games.rules.variants.nifty` for its rules and their sources.

Pairs are chosen one seat after the other, which is the same as at one time: no policy looks at them before all are chosen.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import KIND, MOVER, SEATS, SKILLED, Luck, Numbers, at_random, draw, note, player
from .chance import below
from .games import HEADS, HIGHEST, ONE_END
from .jit import helper, inlined, kernel
from .table import FULL, PLACES, RIGHT, WORTH, begin_row, cheapest, copy, sort, target

KINDS = ("cards", "order", "row")
PAIR, ORDER, ROW, OVER = range(4)

DECK = range(1, HIGHEST + 1)
DRAWS = False
"""Whether cards are turned up from the deck later."""

HAND, MOST_SEATS = 14, 7

MISJUDGED, HEADS_OF_A_CARD, SURE = 20, 2, 1 << 20
"""Heads by which a skilled player may misjudge a card, those of a card (about), and what stands for certainty in chances."""

LEFT, TURN, WAITING, PLACING, ONE_TURN = range(3, 8)
"""Places: the cards in each hand; the turn, 0 before the rows are dealt; the number of cards that wait for the order of their
owner; the number of cards of the mover that are still to be placed; whether no turn after this one is played."""
ROWS = 8
"""As those of a `Table`,"""
TAKES = ROWS + 16
"""by seat heads,"""
PICKS = TAKES + MOST_SEATS
"""the number of the pair of this turn,"""
PLACED = PICKS + MOST_SEATS
"""the mover's cards in the order of placement,"""
QUEUE = PLACED + 2
"""the waiting cards as 16 * card + seat, ascending,"""
COSTS = QUEUE + 2 * MOST_SEATS
"""the costs of the cards of a hand."""
HANDS = COSTS + HAND
LENGTH = HANDS + MOST_SEATS * HAND


def dealt(seats: int) -> int:
    """The number of cards that are dealt."""
    return HAND * seats + 4


def opening(seats: int, options: Mapping[str, object], start: int, deals: int) -> tuple[Numbers, Numbers]:
    """The state before a deal, and its gaps: the places of the cards of all hands; the next four cards begin the rows."""
    state = np.zeros(LENGTH, np.int64)
    state[[KIND, MOVER, SEATS, LEFT]] = PAIR, 0, seats, HAND
    return state, np.array([HANDS + HAND * seat + at for seat in range(seats) for at in range(HAND)], np.int64)


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
    state = np.zeros(LENGTH, np.int64)
    size = len(view["hand"])
    state[[KIND, MOVER, SEATS]] = KINDS.index(kind), 0 if kind == "cards" else mover, seats
    state[[LEFT, TURN]] = size, view["turn"]
    placing = [card for seat, card in view["played"] if seat == mover] if kind == "row" else []
    waiting = sorted(16 * card + seat for seat, card in view["played"] if card not in placing)
    state[[PLACING, WAITING]] = len(placing), len(waiting)
    state[PLACED : PLACED + len(placing)] = placing
    state[QUEUE : QUEUE + len(waiting)] = waiting
    for at, (row, heads) in enumerate(zip(view["rows"], view["row_heads"], strict=True)):
        state[ROWS + 4 * at : ROWS + 4 * at + 4] = row[0], row[-1], len(row), heads
    gaps: list[int] = []
    for seat, cards in enumerate(known):
        place = HANDS + HAND * seat
        state[place : place + len(cards)] = cards
        gaps += range(place + len(cards), place + size)
    return state, np.array(gaps, np.int64)


def seen(view: Mapping[str, Any], known: Sequence[Sequence[int]]) -> Iterator[int]:
    """All cards that are not hidden."""
    for cards in (*view["rows"], *view["piles"], *known, [card for _, card in view["played"]]):
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
    table = spare[1]
    if policy == SKILLED:
        _foresee(table, hidden, before[SEATS])
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
                    pick = _skilled(state, table, chance)
                elif at_random(policy, chance):
                    pick = below(chance, _options(state))
                else:
                    pick = _usual(state)
                if len(choices):
                    note(choices[sample], step, _options(state), pick)
                    step += 1
                _choose(state, pick)
            for other in range(state[SEATS]):
                heads[sample, number, other] = state[TAKES + other]


play = player(_play, LENGTH, (FULL + 1) * (HIGHEST + 1))


@helper
def _fill(state: Numbers, pool: Numbers, gaps: Numbers) -> None:
    """Fill the gaps, and begin the rows if the deal has not begun."""
    for at in range(len(gaps)):
        state[gaps[at]] = pool[at]
    for seat in range(state[SEATS]):
        sort(state[HANDS + HAND * seat : HANDS + HAND * seat + HAND], state[LEFT])
    if state[TURN] == 0:
        state[TURN] = 1
        for row in range(4):
            begin_row(state[ROWS : ROWS + 16], row, pool[len(gaps) + row], 1)


@helper
def _foresee(table: Numbers, hidden: Numbers, seats: int) -> None:
    """Fill in the table of the skilled policy, as if each hidden card were played in a turn with the same chance.

    First, by card, the hidden cards that are not higher. Then, by free places of a row and by hidden cards that may come between,
    the chance that as many do (Poisson's distribution), as a part of `SURE`.
    """
    for card in range(HIGHEST + 1):
        table[card] = 0
    for card in hidden:
        table[card] += 1
    for card in range(HIGHEST):
        table[card + 1] += table[card]
    for count in range(HIGHEST + 1):
        mean = 2.0 * (seats - 1) * count / max(1, len(hidden))
        exactly = math.exp(-mean)
        enough = 1.0
        for room in range(FULL):
            table[(1 + room) * (HIGHEST + 1) + count] = int(SURE * enough)
            enough -= exactly
            exactly *= mean / (room + 1)


@helper
def _skilled(state: Numbers, table: Numbers, chance: Numbers) -> int:
    """The option of a better player: the cards that take the fewest heads, give or take much; it lays the lower one first."""
    if state[KIND] != PAIR:
        return _usual(state) if state[KIND] == ROW else 0
    left = state[LEFT]
    rows = state[ROWS : ROWS + 16]
    hand = HANDS + HAND * state[MOVER]
    best = second = 0
    least = next_least = 1 << 60
    for at in range(left):
        card = state[hand + at]
        row = target(ONE_END, rows, card)
        risk = below(chance, MISJUDGED * SURE)
        if row < 0:
            risk += rows[4 * cheapest(rows) + WORTH] * SURE
        else:
            room = FULL - rows[4 * row + PLACES]
            between = table[card] - table[rows[4 * row + RIGHT]]
            risk += (rows[4 * row + WORTH] + HEADS_OF_A_CARD * room) * table[(1 + room) * (HIGHEST + 1) + between]
        if risk < least:
            second, next_least = best, least
            best, least = at, risk
        elif risk < next_least:
            second, next_least = at, risk
    low, high = min(best, second), max(best, second)
    return int(low * (2 * left - low - 1) // 2 + high - low - 1)


@inlined
def _options(state: Numbers) -> int:
    """The number of options."""
    if state[KIND] == PAIR:
        return int(state[LEFT] * (state[LEFT] - 1) // 2)
    return 2 if state[KIND] == ORDER else 4


@inlined
def _cost(rows: Numbers, card: int) -> int:
    """The heads that a card takes if it is placed now and alone."""
    row = target(ONE_END, rows, card)
    if row < 0:
        return int(rows[4 * cheapest(rows) + WORTH])
    return int(rows[4 * row + WORTH]) if rows[4 * row + PLACES] == FULL else 0


@helper
def _usual(state: Numbers) -> int:
    """The option that the referee plays: a pair costs what its cards would cost alone."""
    rows = state[ROWS : ROWS + 16]
    if state[KIND] == ROW:
        return cheapest(rows)
    if state[KIND] == ORDER:
        lower, higher = _pair(state)
        return int(_cost(rows, state[QUEUE + higher] >> 4) < _cost(rows, state[QUEUE + lower] >> 4))
    left = state[LEFT]
    hand = HANDS + HAND * state[MOVER]
    for at in range(left):
        state[COSTS + at] = _cost(rows, state[hand + at])
    best = 0
    least = 1000
    number = 0
    for lower in range(left - 1):
        for higher in range(lower + 1, left):
            cost = state[COSTS + lower] + state[COSTS + higher]
            if cost < least:
                least = cost
                best = number
                if cost == 0:
                    return best
            number += 1
    return best


@inlined
def _pair(state: Numbers) -> tuple[int, int]:
    """The places in the queue of the two cards of the mover."""
    higher = 1
    while state[QUEUE + higher] & 15 != state[MOVER]:
        higher += 1
    return 0, higher


@helper
def _choose(state: Numbers, pick: int) -> None:
    """Take an option by its number."""
    if state[KIND] == PAIR:
        state[PICKS + state[MOVER]] = pick
        state[MOVER] += 1
        if state[MOVER] == state[SEATS]:
            _lay(state)
        return
    if state[KIND] == ORDER:
        lower, higher = _pair(state)
        state[PLACED + pick] = state[QUEUE + lower] >> 4
        state[PLACED + 1 - pick] = state[QUEUE + higher] >> 4
        state[PLACING] = 2
        state[WAITING] -= 2
        into = 0
        for at in range(1, state[WAITING] + 2):
            if at != higher:
                state[QUEUE + into] = state[QUEUE + at]
                into += 1
    else:
        _take(state, pick)
    _place(state)


@helper
def _lay(state: Numbers) -> None:
    """Show the pairs of all seats, and ask for the first order."""
    left = state[LEFT]
    seats = state[SEATS]
    for seat in range(seats):
        hand = HANDS + HAND * seat
        number = state[PICKS + seat]
        lower = 0
        while number >= left - 1 - lower:
            number -= left - 1 - lower
            lower += 1
        higher = lower + 1 + number
        state[QUEUE + 2 * seat] = state[hand + lower] << 4 | seat
        state[QUEUE + 2 * seat + 1] = state[hand + higher] << 4 | seat
        for at in range(lower, left - 2):
            state[hand + at] = state[hand + at + 1 + (at + 1 >= higher)]
    state[LEFT] = left - 2
    state[WAITING] = 2 * seats
    sort(state[QUEUE : QUEUE + 2 * seats], 2 * seats)
    state[KIND] = ORDER
    state[MOVER] = state[QUEUE] & 15


@helper
def _take(state: Numbers, row: int) -> None:
    """Let the next card of the mover take a row."""
    state[TAKES + state[MOVER]] += state[ROWS + 4 * row + WORTH]
    begin_row(state[ROWS : ROWS + 16], row, state[PLACED], 1)
    state[PLACED] = state[PLACED + 1]
    state[PLACING] -= 1


@helper
def _place(state: Numbers) -> None:
    """Place the cards of the mover until one of them fits nowhere; then go on to the next seat, or turn."""
    rows = state[ROWS : ROWS + 16]
    while state[PLACING]:
        card = state[PLACED]
        row = target(ONE_END, rows, card)
        if row < 0:
            state[KIND] = ROW
            return
        if rows[4 * row + PLACES] == FULL:
            _take(state, row)
            continue
        rows[4 * row + PLACES] += 1
        rows[4 * row + RIGHT] = card
        rows[4 * row + WORTH] += HEADS[card]
        state[PLACED] = state[PLACED + 1]
        state[PLACING] -= 1
    if state[WAITING]:
        state[KIND] = ORDER
        state[MOVER] = state[QUEUE] & 15
    else:
        state[TURN] += 1
        state[MOVER] = 0
        state[KIND] = PAIR if state[LEFT] and not state[ONE_TURN] else OVER
