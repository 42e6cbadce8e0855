"""Playouts: a position played to the end of the deal again and again, once for each option, with hidden cards drawn anew."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .chance import shuffle, streams
from .deals import in_threads, turn
from .games import BOTH_ENDS, TWINS, Uncovered, policy_numbers
from .jit import helper, kernel
from .policies import RANDOM, manner_of
from .positions import Position
from .table import NO_WEIGHTS, Manner, Table, copy, find, key, new_table, resolve, second_target, sort, take_out, target

CHUNK = 256
"""Samples that a kernel plays in one call."""


class Seen(NamedTuple):
    """The arrays of a `Position`, by the same names, for kernels. The rows come first, as 16 numbers."""

    rows: NDArray[np.int64]
    queue: NDArray[np.int64]
    hand: NDArray[np.int64]
    sizes: NDArray[np.int64]
    known: NDArray[np.int64]
    hidden: NDArray[np.int64]
    unseen: NDArray[np.int64]


@helper
def _deal(
    seen: Seen,
    seat: int,
    policies: NDArray[np.int64],
    pool: NDArray[np.int64],
    given: NDArray[np.int64],
    sample: int,
    hands: NDArray[np.int64],
    chance: NDArray[np.int64],
) -> None:
    """Give each seat a hand: what is known of it, then hidden cards; or, unless `given` is empty, the hand in it."""
    seats = len(policies)
    drawn = 0
    if len(given) == 0:
        for other in range(seats):
            if other != seat:
                for at in range(seen.sizes[other]):
                    drawn += seen.known[other, at] == 0
        copy(pool, seen.hidden)
        shuffle(chance, pool, drawn)
        drawn = 0
    for other in range(seats):
        size = seen.sizes[other]
        for at in range(size):
            if other == seat:
                hands[other, at] = seen.hand[at]
            elif len(given):
                hands[other, at] = given[sample, other, at]
            elif seen.known[other, at]:
                hands[other, at] = seen.known[other, at]
            else:
                hands[other, at] = pool[drawn]
                drawn += 1
        if policies[other] == RANDOM:
            shuffle(chance, hands[other, :size], size)
        else:
            sort(hands[other], size)


@kernel
def _playouts(
    manner: Manner,
    table: Table,
    seen: Seen,
    seat: int,
    before: int,
    first: int,
    picks_row: bool,
    stop: int,
    options: NDArray[np.int64],
    cards: NDArray[np.int64],
    starts: NDArray[np.int64],
    given: NDArray[np.int64],
    hands: NDArray[np.int64],
    pool: NDArray[np.int64],
    chance: NDArray[np.int64],
    heads: NDArray[np.int16],
) -> None:
    """Play each option for each of `starts`, after `before` turns, until no hand has more than `stop` cards.

    Without options, go on with `cards` of all seats, if any.
    """
    seats = len(manner.policies)
    queued = len(seen.queue)
    for sample in range(len(starts)):
        chance[0] = starts[sample]
        _deal(seen, seat, manner.policies, pool, given, sample, hands, chance)
        begun = chance[0]
        for number in range(max(1, len(options))):
            chance[0] = begun
            copy(table.rows, seen.rows)
            copy(table.unseen, seen.unseen)
            copy(table.queue, seen.queue)
            for other in range(seats):
                copy(table.hands[other], hands[other])
                table.taken[other] = 0
            turns = before
            left = len(seen.hand)
            if len(cards):
                for other in range(seats):
                    card = cards[sample, other]
                    take_out(table.hands[other], left, find(table.hands[other], card))
                    table.unseen[card] -= 1
                    table.queue[other] = key(card, (other - turns) % seats if manner.rule == TWINS else 0, other)
                sort(table.queue, seats)
                resolve(manner.rule, table, seats)
                left -= 1
            elif len(options) == 0:
                turns -= 1
            elif picks_row:
                table.wishes[seat] = options[number] - 1
                resolve(manner.rule, table, queued)
                table.wishes[seat] = -1
            else:
                turn(manner, table, left, first, queued, seat, options[number], turns % seats, chance)
                left -= 1
            while left > stop:
                turns += 1
                starter = (first + turns - before) % seats if manner.serial else 0
                turn(manner, table, left, starter, 0, -1, 0, turns % seats, chance)
                left -= 1
            copy(heads[sample, number], table.taken)


def playouts(
    position: Position,
    options: Sequence[int],
    policy: str | Sequence[str],
    count: int,
    seed: int,
    *,
    noise: float = 1.0,
    hands: NDArray[np.int64] | None = None,
    first: int = 0,
    threads: int = 1,
    turn_only: bool = False,
    weights: NDArray[np.float64] = NO_WEIGHTS,
) -> NDArray[np.int16]:
    """The heads that each seat takes from here to the end of the deal, or in this turn, as (count, options, seats).

    In each of `count` samples the hidden cards are drawn anew, and each of `options` (cards, or rows 1..4) is played to the end by
    `policy`: one name, or one for each seat. Cards and random numbers of a sample are the same for all options, so differences
    between options have less noise than the options. `noise` is the temperature of the policy noisy, in heads.

    `hands` replaces the draws: (count, seats, cards) with the hands of the other seats; cards beyond a hand's size and the row of
    the deciding seat are not read. With `turn_only`, no turn after this one is played.
    With `weights`, the policy of a seat may also be "fitted" (`fitted`).
    `first` is the number of the first sample: samples 0..9 and 10..19 of a seed are samples 0..19.

    Raises `ValueError` if an option is not legal, or if names or shapes are wrong.
    """
    game = position.spec
    picks_row = position.kind != "card"
    legal = position.hand.tolist()
    if position.kind == "side":
        rows, card = position.rows.ravel(), int(position.queue[0]) >> 8
        upper = target(BOTH_ENDS, rows, card)
        legal = [upper + 1, second_target(rows, card, upper) + 1]
    elif picks_row:
        legal = [1, 2, 3, 4]
    for option in options:
        if option not in legal:
            raise ValueError(f"an option must be one of {sorted(set(legal))}, not {option!r}")
    size = len(position.hand)
    given = np.zeros((0, 0, 0), np.int64)
    if hands is not None:
        given = np.ascontiguousarray(hands, np.int64)
        if given.shape[:2] != (count, game.seats) or given.shape[2] < position.sizes.max():
            raise ValueError(f"hands must be ({count}, {game.seats}, {size}) cards, not {given.shape}")
    starts, cards = streams(seed, first, count), np.zeros((0, game.seats), np.int64)
    stop = size if turn_only else 0
    chosen = np.array(options, np.int64)
    return _played(position, policy, noise, stop, chosen, cards, starts, given, threads, weights)


def onward(
    position: Position,
    hands: Sequence[Sequence[int]] | None,
    cards: ArrayLike,
    numbers: ArrayLike,
    seed: int,
    *,
    noise: float,
    policy: str = "noisy",
) -> NDArray[np.int16]:
    """The heads from here to the end of the deal if everybody follows the policy, as (len(numbers), seats).

    `position` is that of any seat at the beginning of a turn, `hands` are those of all seats; if it is None, those that the seat
    does not know are drawn. `cards` is (len(numbers), seats): what everybody plays in this turn; if it is empty, the policy chooses
    that, too. Playouts of the same seed and number get the same random numbers, so differences between cards have small errors.
    `noise` is the temperature in heads.

    Raises `Uncovered` in the middle of a turn, and with `cards` if the seats do not all play at the same time.
    """
    game, of_playouts = position.spec, np.asarray(numbers, np.int64)
    together = np.asarray(cards, np.int64).reshape(-1, game.seats)
    if position.kind != "card" or len(position.queue) or (game.serial and len(together)):
        raise Uncovered("the simulator plays on only where a turn begins, with cards only if all play at the same time")
    first, last = int(of_playouts.min()), int(of_playouts.max())
    starts = streams(seed, first, last - first + 1)[of_playouts - first]
    given = np.zeros((0, 0, 0), np.int64)
    if hands is not None:
        given = np.repeat(np.array([[sorted(hand) for hand in hands]], np.int64), len(of_playouts), axis=0)
    return _played(position, policy, noise, 0, np.zeros(0, np.int64), together, starts, given, 1)[:, 0]


def _played(
    position: Position,
    policy: str | Sequence[str],
    noise: float,
    stop: int,
    options: NDArray[np.int64],
    cards: NDArray[np.int64],
    starts: NDArray[np.int64],
    given: NDArray[np.int64],
    threads: int,
    weights: NDArray[np.float64] = NO_WEIGHTS,
) -> NDArray[np.int16]:
    """The heads of all seats by sample and option, from kernels that play `CHUNK` samples at a time."""
    game, size = position.spec, max(len(position.hand), 1)
    manner = manner_of(game, policy_numbers(policy, game.seats, fitted=len(weights) > 0), noise)
    seen = Seen(position.rows.ravel(), *(getattr(position, name) for name in Seen._fields[1:]))
    found = np.zeros((len(starts), max(1, len(options)), game.seats), np.int16)

    def part(begin: int) -> None:
        own = slice(begin, begin + CHUNK)
        _playouts(
            manner,
            new_table(game.seats, size, weights),
            seen,
            position.seat,
            position.turn - 1,
            position.first,
            position.kind != "card",
            stop,
            options,
            cards[own],
            starts[own],
            given[own],
            np.zeros((game.seats, size), np.int64),
            position.hidden.copy(),
            np.zeros(1, np.int64),
            found[own],
        )

    in_threads(part, range(0, len(starts), CHUNK), threads)
    return found
