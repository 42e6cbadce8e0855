"""Bots that collude, among honest ones of many characters: homes of thousands of matches of `standard` in seconds.

A plotter plays each card of its hand to the end of the deal again and again, with hidden cards drawn anew and random play, and
chooses the one that leads to what it aims at. Alone it aims at few heads for itself, and is an honest bot. With its mate at the
table it may aim at something else, and know more. Who its mate is, and on which seat, it knows from the start: that flatters
the plotters.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.characters import HAND, ROWS, choose, deal_to, kernel
from bullring.arena.simulator.chance import below, fraction, shuffle, streams
from bullring.arena.simulator.deals import turn
from bullring.arena.simulator.games import HIGHEST, ONE_END
from bullring.arena.simulator.policies import count_lower
from bullring.arena.simulator.table import RIGHT, Manner, Table, copy, key, new_table, resolve, sort

SAMPLES: Final = 40
"""Playouts of each option."""

NOTHING, HEARS, TOLD = range(3)
"""What a plotter knows of its mate: nothing; what its last card announced; its hand, and the card that it plays in this turn."""

PART: Final = 13
"""Cards in an eighth of the deck. The number of a card modulo 8 announces the eighth in which the next card will lie."""

SLACK: Final = 1.0
"""Heads that a speaker pays at most for an announcement, and for keeping it."""

AHEAD: Final = 0.5
"""The weight of what the announced card costs: it is a guess about a table that will have changed."""


class Plot(NamedTuple):
    """Who colludes, by bot."""

    mates: NDArray[np.int64]
    """The bot that it colludes with; its own number: it is a plotter without a mate; -1: it is a character."""
    aims: NDArray[np.float64]
    """(K, 3): the weights of its own heads, of its mate's, and of those of all others, beside its mate. The least sum is best."""
    knows: NDArray[np.int64]
    """`NOTHING`, `HEARS` or `TOLD`."""
    speaks: NDArray[np.bool_]
    """Whether it announces cards."""


def nobody(bots: int) -> Plot:
    """No plotter among so many bots."""
    aims = np.tile([1.0, 0.0, 0.0], (bots, 1))
    return Plot(np.full(bots, -1), aims, np.full(bots, NOTHING), np.zeros(bots, np.bool_))


def play(characters: NDArray[np.float64], plot: Plot, lineups: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """(G, n): the heads of each place in one deal of each line-up."""
    seats = lineups.shape[1]
    heads = np.zeros(lineups.shape, np.int64)
    table, spare = new_table(seats, HAND), new_table(seats, HAND)
    _deals(characters, plot, lineups, table, spare, streams(seed, 0, len(lineups)), _at_random(seats), heads)
    return heads


def _at_random(seats: int) -> Manner:
    return Manner(ONE_END, False, np.zeros(seats, np.int64), 1.0, False)


@kernel
def _deals(
    characters: NDArray[np.float64],
    plot: Plot,
    lineups: NDArray[np.int64],
    table: Table,
    spare: Table,
    starts: NDArray[np.int64],
    manner: Manner,
    heads: NDArray[np.int64],
) -> None:
    seats = lineups.shape[1]
    chance = np.zeros(1, np.int64)
    cards = np.arange(1, HIGHEST + 1)
    announced = np.zeros(seats, np.int64)
    for number in range(len(lineups)):
        chance[0] = starts[number]
        deal_to(table, cards, chance)
        announced[:] = -1
        for left in range(HAND, 0, -1):
            count_lower(table)
            # Who is told the card of its mate chooses after it.
            for last in range(2):
                for seat in range(seats):
                    bot = lineups[number, seat]
                    if (plot.knows[bot] == TOLD) != (last == 1):
                        continue
                    hand = table.hands[seat]
                    if plot.mates[bot] < 0:
                        at = choose(characters[bot], table, seat, left, seats - 1, chance)
                        table.wishes[seat] = below(chance, 4) if fraction(chance) < characters[bot, ROWS] else -1
                    else:
                        mate = -1
                        for other in range(seats):
                            if other != seat and lineups[number, other] == plot.mates[bot]:
                                mate = other
                        at = _plotted(plot, bot, mate, table, spare, announced, seat, left, manner, chance)
                    # The card lies behind those that are left, until all have chosen.
                    hand[at], hand[left - 1] = hand[left - 1], hand[at]
            for seat in range(seats):
                card = table.hands[seat, left - 1]
                table.queue[seat] = key(card, 0, seat)
                table.unseen[card] = 0
                if plot.speaks[lineups[number, seat]]:
                    announced[seat] = card % 8
            sort(table.queue, seats)
            resolve(ONE_END, table, seats)
        copy(heads[number], table.taken)


@kernel
def _plotted(
    plot: Plot,
    bot: int,
    mate: int,
    table: Table,
    spare: Table,
    announced: NDArray[np.int64],
    seat: int,
    left: int,
    manner: Manner,
    chance: NDArray[np.int64],
) -> int:
    """The place in its hand of the card that a plotter plays. Its wish for a row is noted at the table."""
    costs = _searched(plot, bot, mate, table, spare, announced, seat, left, manner, chance)
    hand = table.hands[seat]
    best = 0
    for at in range(1, left):
        if costs[at].min() < costs[best].min():
            best = at
    if mate >= 0 and plot.speaks[bot]:
        # Of the cards that cost about as little as the best: one that was announced, and that announces a good one.
        least, limit = np.inf, costs[best].min() + SLACK
        for at in range(left):
            cost = costs[at].min()
            if cost > limit:
                continue
            following = SLACK * 4
            for other in range(left):
                if other != at and (hand[other] - 1) // PART == hand[at] % 8:
                    following = min(following, costs[other].min() - limit + SLACK)
            cost += AHEAD * following
            if announced[seat] >= 0 and (hand[at] - 1) // PART != announced[seat]:
                cost += SLACK
            if cost < least:
                best, least = at, cost
    table.wishes[seat] = int(np.argmin(costs[best])) - 1
    return best


@kernel
def _searched(
    plot: Plot,
    bot: int,
    mate: int,
    table: Table,
    spare: Table,
    announced: NDArray[np.int64],
    seat: int,
    left: int,
    manner: Manner,
    chance: NDArray[np.int64],
) -> NDArray[np.float64]:
    """(left, 5): what each card costs with each row that it may take: the cheapest, or 1..4."""
    seats = len(table.taken)
    own, its, others = 1.0, 0.0, 0.0
    told, part = False, -1
    if mate >= 0:
        own, its, others = plot.aims[bot, 0], plot.aims[bot, 1], plot.aims[bot, 2]
        told = plot.knows[bot] == TOLD
        part = announced[mate] if plot.knows[bot] == HEARS else -1
    secret = table.unseen.copy()
    for at in range(left):
        secret[table.hands[seat, at]] = 0
        if told:
            secret[table.hands[mate, at]] = 0
    pool = np.flatnonzero(secret)
    hands = table.hands.copy()
    costs = np.full((left, 5), np.inf)
    lowest = min(table.rows[RIGHT], table.rows[4 + RIGHT], table.rows[8 + RIGHT], table.rows[12 + RIGHT])
    for at in range(left):
        costs[at, : 5 if table.hands[seat, at] < lowest else 1] = 0.0
    for _ in range(SAMPLES):
        shuffle(chance, pool, len(pool))
        drawn = 0
        for at in range(len(pool)):
            if part >= 0 and (pool[at] - 1) // PART == part:
                pool[0], pool[at] = pool[at], pool[0]
                hands[mate, left - 1] = pool[0]
                drawn = 1
                break
        heard = drawn == 1
        for other in range(seats):
            hidden = other != seat and not (told and other == mate)
            # Random play takes the last card first: that is where the card lies that a mate is known to play.
            size = left - 1 if mate == other and (told or heard) else left
            for at in range(size):
                if hidden:
                    hands[other, at] = pool[drawn]
                    drawn += 1
            shuffle(chance, hands[other, :size], size)
        begun = chance[0]
        for at in range(left):
            for wish in range(5):
                if costs[at, wish] == np.inf:
                    break
                chance[0] = begun
                copy(spare.rows, table.rows)
                for other in range(seats):
                    copy(spare.hands[other], hands[other])
                    spare.taken[other] = 0
                    spare.wishes[other] = -1
                spare.wishes[seat] = wish - 1
                turn(manner, spare, left, 0, 0, seat, table.hands[seat, at], 0, chance)
                spare.wishes[seat] = -1
                for still in range(left - 1, 0, -1):
                    turn(manner, spare, still, 0, 0, -1, 0, 0, chance)
                for other in range(seats):
                    weight = own if other == seat else its if other == mate else others
                    costs[at, wish] += weight * spare.taken[other] / SAMPLES
    return costs
