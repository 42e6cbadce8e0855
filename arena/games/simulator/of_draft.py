"""The draft of logic and tournament as a chain of choices: see `arena.games.rules.draft` for its rules. Then turns as in all rows.

The referee drafts the lowest card.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chain import KIND, MOVER, SEATS, Luck, Numbers, at_random, note
from .chance import below, shuffle
from .deals import turn
from .games import HIGHEST, MOST_SEATS, spec
from .jit import helper, kernel
from .policies import RANDOM, manner_of
from .table import Manner, Table, begin_row, copy, new_table

KINDS = ("draft",)
DRAFT, OVER = range(2)

DECK = range(0)
"""Nothing is hidden."""
DRAWS = False

HAND = 10

LEFT, DEALS = 3, 4
"""Places: the number of cards left to draft; that of the deals to play, in which each hand moves on to the left neighbour."""
SIZES = 5
POOL = SIZES + MOST_SEATS
"""The cards left, ascending."""
HANDS = POOL + HIGHEST
"""By seat, ascending."""
LENGTH = HANDS + MOST_SEATS * HAND


def dealt(seats: int) -> int:
    """The number of cards that are dealt: none."""
    return 0


def opening(seats: int, options: Mapping[str, object], start: int, deals: int) -> tuple[Numbers, Numbers]:
    """The state before a draft; it has no gaps."""
    return _state(seats, start, [[]] * seats, range(1, HAND * seats + 5), deals)


def read(
    seats: int,
    options: Mapping[str, object],
    view: Mapping[str, Any],
    kind: str,
    mover: int,
    known: Sequence[Sequence[int]],
    deals: int,
) -> tuple[Numbers, Numbers]:
    """The state of a draft as it is told; it has no gaps."""
    return _state(seats, mover, known, view["pool"], deals)


def _state(
    seats: int, mover: int, hands: Sequence[Sequence[int]], pool: Sequence[int], deals: int
) -> tuple[Numbers, Numbers]:
    state = np.zeros(LENGTH, np.int64)
    state[[KIND, MOVER, SEATS, LEFT, DEALS]] = DRAFT, mover, seats, len(pool), deals
    state[POOL : POOL + len(pool)] = pool
    for seat, hand in enumerate(hands):
        state[SIZES + seat] = len(hand)
        state[HANDS + HAND * seat : HANDS + HAND * seat + len(hand)] = sorted(hand)
    return state, np.zeros(0, np.int64)


def seen(view: Mapping[str, Any], known: Sequence[Sequence[int]]) -> Iterator[int]:
    """All cards that are not hidden; none are."""
    return iter(())


def play(
    position: Any,
    policy: int,
    of_rows: int,
    picks: Numbers,
    starts: Numbers,
    luck: Luck,
    heads: NDArray[np.int16],
    cards: NDArray[np.int16],
    choices: NDArray[np.int16],
) -> None:
    """Fill in what `chains.Course` says; `of_rows` is the number of the policy for the turns after the draft."""
    seats = position.seats
    manner = manner_of(spec(position.game, seats, {}), np.full(seats, of_rows, np.int64), 1.0)
    state, table = np.zeros(LENGTH, np.int64), new_table(seats, HAND)
    given = position.state, position.seat, policy, manner, table
    _play(*given, picks, starts, luck.chance, state, heads, choices)


@kernel
def _play(
    before: Numbers,
    seat: int,
    policy: int,
    manner: Manner,
    table: Table,
    picks: Numbers,
    starts: Numbers,
    chance: Numbers,
    state: Numbers,
    heads: NDArray[np.int16],
    choices: NDArray[np.int16],
) -> None:
    seats = before[SEATS]
    for sample in range(len(starts)):
        for number in range(len(picks)):
            chance[0] = starts[sample]
            copy(state, before)
            given = picks[number]
            step = 0
            while state[KIND] != OVER:
                if given >= 0 and state[MOVER] == seat:
                    pick = given
                    given = -1
                elif at_random(policy, chance):
                    pick = below(chance, state[LEFT])
                else:
                    pick = 0
                if len(choices):
                    note(choices[sample], step, state[LEFT], pick)
                    step += 1
                _choose(state, pick)
            for other in range(seats):
                table.taken[other] = 0
            for deal in range(state[DEALS]):
                _deal(manner, table, state, deal, chance)
            copy(heads[sample, number], table.taken)


@helper
def _choose(state: Numbers, pick: int) -> None:
    """Draft a card by its number in the pool."""
    seat = state[MOVER]
    card = state[POOL + pick]
    state[LEFT] -= 1
    for at in range(POOL + pick, POOL + state[LEFT]):
        state[at] = state[at + 1]
    at = HANDS + HAND * seat + state[SIZES + seat]
    while at > HANDS + HAND * seat and state[at - 1] > card:
        state[at] = state[at - 1]
        at -= 1
    state[at] = card
    state[SIZES + seat] += 1
    state[MOVER] = seat + 1 if seat + 1 < state[SEATS] else 0
    if state[LEFT] == 4:
        state[KIND] = OVER


@helper
def _deal(manner: Manner, table: Table, state: Numbers, deal: int, chance: Numbers) -> None:
    """Play the turns of a deal, in which each seat holds the hand that was drafted so many seats to its right."""
    seats = state[SEATS]
    for card in range(HIGHEST + 2):
        table.unseen[card] = 0
    for seat in range(seats):
        drafter = seat - deal
        if drafter < 0:
            drafter += seats
        for at in range(HAND):
            card = state[HANDS + HAND * drafter + at]
            table.hands[seat, at] = card
            table.unseen[card] = 1
        if manner.policies[seat] == RANDOM:
            shuffle(chance, table.hands[seat], HAND)
    for row in range(4):
        begin_row(table.rows, row, state[POOL + row], 1)
    for at in range(HAND):
        turn(manner, table, HAND - at, 0, 0, -1, 0, at % seats, chance)
