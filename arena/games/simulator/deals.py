"""Whole deals, in batches: the turns of a deal, `play`, and `histories` for data sets and for comparison with the rules engine."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .chance import shuffle, streams
from .games import HIGHEST, TWINS, Spec, policy_numbers, spec
from .jit import helper, inlined, kernel
from .policies import RANDOM, choose, count_lower, manner_of
from .table import RIGHT, Manner, Table, begin_row, copy, find, key, new_table, resolve, sort, take_out

CHUNK = 1 << 14
"""Deals that a kernel plays in one call."""


@helper
def lay_out(rows: NDArray[np.int64], unseen: NDArray[np.int64], turned: NDArray[np.int64], ascending: bool) -> None:
    """Begin the rows with the cards that are turned up, and count them as seen. Equal ones share a row."""
    if ascending:
        sort(turned, len(turned))
    begun = 0
    for card in turned:
        if begun == 4:
            break
        twin = -1
        for row in range(begun):
            if rows[4 * row + RIGHT] == card:
                twin = row
        if twin >= 0:
            begin_row(rows, twin, card, 2)
        else:
            begin_row(rows, begun, card, 1)
            begun += 1
        unseen[card] -= 1


@inlined
def turn(
    manner: Manner,
    table: Table,
    left: int,
    first: int,
    played: int,
    mine: int,
    card: int,
    equal: int,
    chance: NDArray[np.int64],
) -> None:
    """Let the seats that have not played yet play one of their `left` cards, and place all cards.

    The seats play from `first` on, of which `played` have played and are in the queue. Seat `mine` plays `card` (-1: no seat does).
    `equal` is the seat whose card is placed first if two are equal.
    """
    seats = len(manner.policies)
    seat = first + played
    if seat >= seats:
        seat -= seats
    for order in range(played, seats):
        if manner.looks and (manner.serial or order == played):
            count_lower(table)
        if seat == mine:
            at = find(table.hands[seat], card)
        elif manner.policies[seat] == RANDOM:
            at = left - 1
        else:
            shown = order if manner.serial else 0
            others = seats - 1 - shown
            at = choose(manner.policies[seat], manner.noise, manner.rule, table, seat, left, shown, others, chance)
        chosen = table.hands[seat, at]
        take_out(table.hands[seat], left, at)
        if manner.serial:
            table.unseen[chosen] -= 1
        table.queue[order] = key(chosen, (seat - equal) % seats if manner.rule == TWINS else 0, seat)
        seat += 1
        if seat == seats:
            seat = 0
    if manner.looks and not manner.serial:
        for order in range(played, seats):
            table.unseen[table.queue[order] >> 8] -= 1
    sort(table.queue, seats)
    resolve(manner.rule, table, seats)


@kernel
def _deals(
    manner: Manner,
    table: Table,
    deck: NDArray[np.int64],
    there: NDArray[np.int64],
    turned: int,
    ascending: bool,
    starts: NDArray[np.int64],
    cards: NDArray[np.int64],
    chance: NDArray[np.int64],
    heads: NDArray[np.int16],
    dealt: NDArray[np.int16],
    played: NDArray[np.int16],
    rows: NDArray[np.int16],
) -> None:
    """Play a deal for each of `starts`, with rows `ascending` or as they come.

    `dealt`, `played` and `rows` are filled if they are not empty.
    """
    seats, size = table.hands.shape
    for number in range(len(starts)):
        chance[0] = starts[number]
        copy(cards, deck)
        shuffle(chance, cards, seats * size + turned)
        for seat in range(seats):
            copy(table.hands[seat], cards[seat * size : (seat + 1) * size])
            table.taken[seat] = 0
        copy(table.unseen, there)
        lay_out(table.rows, table.unseen, cards[seats * size : seats * size + turned], ascending)
        if len(dealt):
            copy(dealt[number], cards[: seats * size + turned])
        for seat in range(seats):
            if manner.policies[seat] != RANDOM:
                sort(table.hands[seat], size)
        for at in range(size):
            starter = at % seats
            turn(manner, table, size - at, starter if manner.serial else 0, 0, -1, 0, starter, chance)
            if len(played):
                for order in range(seats):
                    played[number, at, table.queue[order] & 15] = table.queue[order] >> 8
                copy(rows[number, at], table.rows)
        for seat in range(seats):
            heads[number, seat] = table.taken[seat]


class Histories(NamedTuple):
    """The course of many deals."""

    heads: NDArray[np.int16]
    """(deals, seats): the heads of the whole deal."""
    dealt: NDArray[np.int16]
    """(deals, cards): the cards as dealt, hands in seat order, then those that begin the rows."""
    cards: NDArray[np.int16]
    """(deals, turns, seats): the card that each seat played."""
    rows: NDArray[np.int16]
    """(deals, turns, 4, 4): each row after the turn, as first card, last card, places and heads."""


def play(
    game: str,
    seats: int,
    options: Mapping[str, object],
    policies: str | Sequence[str],
    deals: int,
    seed: int,
    *,
    noise: float = 1.0,
    threads: int = 1,
) -> NDArray[np.int16]:
    """The heads of whole deals, as (deals, seats).

    `policies` is one name, or one for each seat; `noise` is the temperature of the policy noisy, in heads. Deal number d of a seed
    is the same whatever the number of deals and threads. In open, seat 0 begins each deal.

    Raises `Uncovered` for games that the kernels do not cover, `ValueError` for seats and policies that do not exist.
    """
    return _play(spec(game, seats, options), policy_numbers(policies, seats), deals, seed, noise, threads, False).heads


def histories(
    game: str,
    seats: int,
    options: Mapping[str, object],
    policies: str | Sequence[str],
    deals: int,
    seed: int,
    *,
    noise: float = 1.0,
    threads: int = 1,
) -> Histories:
    """Like `play`, with everything that happened in the deals."""
    return _play(spec(game, seats, options), policy_numbers(policies, seats), deals, seed, noise, threads, True)


def copies(game: Spec) -> NDArray[np.int64]:
    """By card, how many of it are in the deck."""
    return np.bincount(game.deck, minlength=HIGHEST + 2).astype(np.int64)


def _play(
    game: Spec, policies: NDArray[np.int64], deals: int, seed: int, noise: float, threads: int, told: bool
) -> Histories:
    cards = game.seats * game.hand + game.turned
    logged = deals if told else 0
    found = Histories(
        np.zeros((deals, game.seats), np.int16),
        np.zeros((logged, cards), np.int16),
        np.zeros((logged, game.hand, game.seats), np.int16),
        np.zeros((logged, game.hand, 16), np.int16),
    )
    deck, there = np.array(game.deck, np.int64), copies(game)
    manner = manner_of(game, policies, noise)

    def part(first: int) -> None:
        count = min(CHUNK, deals - first)
        own = slice(first, first + count)
        table = new_table(game.seats, game.hand)
        starts = streams(seed, first, count)
        kept = [each[own] for each in found]
        _deals(
            manner, table, deck, there, game.turned, game.open_hands, starts, deck.copy(), np.zeros(1, np.int64), *kept
        )

    in_threads(part, range(0, deals, CHUNK), threads)
    return found._replace(rows=found.rows.reshape(logged, game.hand, 4, 4))


def in_threads(part: Callable[[int], None], parts: Sequence[int], threads: int) -> None:
    """Call `part` with each of `parts`, in as many threads."""
    if threads <= 1:
        for each in parts:
            part(each)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(part, parts))
