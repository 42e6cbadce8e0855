"""Whole gauges by the thousand: how often is `bullring gauge` wrong, at a fixed number of matches and with `--until-error`?

`bench.gauge` plays its strangers with the code of the command, at tens of milliseconds a match. Here a match and its luck are one
compiled function, some ten times as fast, so that every gauge has matches of its own. The house is the policy noisy at the
temperature of the house, the luck is as `arena.house.luck` has it, with fewer playouts (they cost gain, not correctness), and what
is made of results and luck is the command's own `Score`. Needs bullring[fast]. `python -m bench.gauges --help` has the options.

The truth is known: 0 heads and half of the points for `house`; for others, the mean of millions of plain deals with another seed.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bullring.arena.house.luck import UNLIKELY, Luck, outcomes
from bullring.arena.house.moves import TEMPERATURE
from bullring.arena.simulator import COMPILED
from bullring.arena.simulator.chance import below, fraction, shuffle, streams
from bullring.arena.simulator.deals import copies, lay_out, play, turn
from bullring.arena.simulator.games import POLICIES, TWINS, policy_numbers, spec
from bullring.arena.simulator.jit import inlined, lean
from bullring.arena.simulator.policies import NOISY, RANDOM, choose, count_lower, manner_of
from bullring.arena.simulator.table import Manner, Table, copy, key, new_table, resolve, sort, take_out
from bullring.ladder.gauging.score import Sample, Score
from bullring.ladder.rating.scales import elo, wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PLAIN = 2_000_000
"""Deals for the truth of a stranger."""


class Space(NamedTuple):
    """Room for the luck of one match."""

    world: Table
    """Where playouts are played."""
    rest: Manner
    """How they are played."""
    weights: Floats
    """(seats, cards): the probabilities of the house in this turn."""
    drawn: Ints
    """(seats,): the place in the hand of the card that is played."""
    later: Ints
    """(playouts, seats): what the house might have drawn."""
    starts: Ints
    """(playouts,): random numbers, the same for all options."""
    chance: Ints
    forecasts: Floats
    """(cards, 2)"""
    sums: Floats
    """(2,)"""


@inlined
def _draw(weights: Floats, left: int, chance: Ints) -> int:
    rest = fraction(chance)
    for at in range(left - 1):
        rest -= weights[at]
        if rest < 0.0:
            return at
    return left - 1


@lean
def _add_outcome(taken: Ints, seat: int, sums: Floats) -> None:
    """Add the heads minus the mean of the others, and the share of the others that the seat is ahead of."""
    own, others = taken[seat], len(taken) - 1
    for other in range(len(taken)):
        if other != seat:
            sums[0] += (own - taken[other]) / others
            sums[1] += (1.0 if own < taken[other] else 0.5 if own == taken[other] else 0.0) / others


@lean
def _playout(table: Table, space: Space, left: int, number: int, asked: int, option: int) -> None:
    """Play a copy of `table` to the end; seat `asked` plays its card number `option` first (-1: nothing is fixed)."""
    world, seats = space.world, len(table.hands)
    space.chance[0] = space.starts[number]
    copy(world.rows, table.rows)
    copy(world.unseen, table.unseen)
    copy(world.taken, table.taken)
    for seat in range(seats):
        copy(world.hands[seat], table.hands[seat])
    if asked >= 0:
        for seat in range(seats):
            at = space.drawn[seat]
            if seat == asked:
                at = option
            elif seat > asked and space.later[number, seat] >= 0:
                at = space.later[number, seat]
            _lay(world, left, seat, at)
        sort(world.queue, seats)
        resolve(space.rest.rule, world, seats)
        left -= 1
    for still in range(left, 0, -1):
        turn(space.rest, world, still, 0, 0, -1, 0, 0, space.chance)


@inlined
def _lay(table: Table, left: int, seat: int, at: int) -> None:
    card = table.hands[seat, at]
    take_out(table.hands[seat], left, at)
    table.unseen[card] -= 1
    table.queue[seat] = key(card, 0, seat)


@lean
def _new_numbers(space: Space, chance: Ints) -> None:
    for number in range(len(space.starts)):
        space.starts[number] = below(chance, 1 << 30) | (1 + below(chance, 1 << 29)) << 32


@lean
def _luck_of_turn(table: Table, space: Space, left: int, stranger: int, chance: Ints, found: Floats) -> None:
    """Add the luck of what the house has drawn, `space.drawn`."""
    count = len(space.starts)
    _new_numbers(space, chance)
    for number in range(count):
        for seat in range(len(table.hands)):
            space.later[number, seat] = -1 if seat == stranger else _draw(space.weights[seat], left, chance)
    for seat in range(len(table.hands)):
        if seat == stranger:
            continue
        weights, likely = space.weights[seat], 0
        for at in range(left):
            likely += weights[at] >= UNLIKELY
        if likely < 2:
            continue
        total, mean_heads, mean_share = 0.0, 0.0, 0.0
        for at in range(left):
            if weights[at] >= UNLIKELY:
                space.sums[0] = space.sums[1] = 0.0
                for number in range(count):
                    _playout(table, space, left, number, seat, at)
                    _add_outcome(space.world.taken, stranger, space.sums)
                space.forecasts[at, 0] = space.sums[0] / count
                space.forecasts[at, 1] = space.sums[1] / count
                total += weights[at]
                mean_heads += weights[at] * space.forecasts[at, 0]
                mean_share += weights[at] * space.forecasts[at, 1]
        drawn = space.drawn[seat]
        if weights[drawn] >= UNLIKELY:
            found[0] += space.forecasts[drawn, 0] - mean_heads / total
            found[1] += space.forecasts[drawn, 1] - mean_share / total


@lean
def _matches(
    manner: Manner,
    policy: int,
    table: Table,
    space: Space,
    deck: Ints,
    there: Ints,
    turned: int,
    starts: Ints,
    cards: Ints,
    chance: Ints,
    found: Floats,
) -> None:
    """Play a match of one deal for each of `starts` and fill `found` (matches, 3, 2): result, deal, draws; heads, share."""
    seats, size = table.hands.shape
    for match in range(len(starts)):
        chance[0] = starts[match]
        stranger = below(chance, seats)
        copy(cards, deck)
        shuffle(chance, cards, seats * size + turned)
        copy(table.unseen, there)
        lay_out(table.rows, table.unseen, cards[seats * size : seats * size + turned], False)
        for seat in range(seats):
            copy(table.hands[seat], cards[seat * size : (seat + 1) * size])
            sort(table.hands[seat], size)
            table.taken[seat] = 0
        _new_numbers(space, chance)
        for number in range(len(space.starts)):
            _playout(table, space, size, number, -1, 0)
            _add_outcome(space.world.taken, stranger, found[match, 1])
        found[match, 1, 0] /= len(space.starts)
        found[match, 1, 1] = found[match, 1, 1] / len(space.starts) - 0.5
        for left in range(size, 0, -1):
            count_lower(table)
            for seat in range(seats):
                if seat != stranger:
                    at = choose(NOISY, manner.noise, manner.rule, table, seat, left, 0, seats - 1, chance)
                    total = 0.0
                    for each in range(left):
                        total += table.costs[each]  # which are the weights now
                    for each in range(left):
                        space.weights[seat, each] = table.costs[each] / total
                elif policy == RANDOM:
                    at = below(chance, left)
                else:
                    at = choose(policy, manner.noise, manner.rule, table, seat, left, 0, seats - 1, chance)
                space.drawn[seat] = at
            if left > 1:
                _luck_of_turn(table, space, left, stranger, chance, found[match, 2])
            for seat in range(seats):
                _lay(table, left, seat, space.drawn[seat])
            sort(table.queue, seats)
            resolve(manner.rule, table, seats)
        _add_outcome(table.taken, stranger, found[match, 0])


def matches(game: str, seats: int, stranger: str, count: int, playouts: int, seed: int) -> Floats:
    """Matches of one deal of a stranger among the house, as (count, 3, 2): result, luck of the deal, of the draws; heads, share."""
    of = spec(game, seats, {})
    if of.rule == TWINS or of.serial or of.open_hands:
        raise ValueError(f"{game} is not simulated here")
    manner = manner_of(of, policy_numbers("noisy", seats), TEMPERATURE)
    space = Space(
        new_table(seats, of.hand),
        manner,
        np.zeros((seats, of.hand)),
        np.zeros(seats, np.int64),
        np.zeros((playouts, seats), np.int64),
        np.zeros(playouts, np.int64),
        np.zeros(1, np.int64),
        np.zeros((of.hand, 2)),
        np.zeros(2),
    )
    deck, found = np.array(of.deck, np.int64), np.zeros((count, 3, 2))
    policy = NOISY if stranger == "house" else POLICIES.index(stranger)
    room = new_table(seats, of.hand), space, deck, copies(of), of.turned
    _matches(manner, policy, *room, streams(seed, 0, count), deck.copy(), np.zeros(1, np.int64), found)
    return found


def truth(game: str, seats: int, stranger: str, seed: int) -> tuple[float, float]:
    """The expected heads and share of a stranger among the house."""
    if stranger == "house":
        return 0.0, 0.5
    heads = play(game, seats, {}, [stranger, *["noisy"] * (seats - 1)], PLAIN, seed, noise=TEMPERATURE)
    mean = outcomes(heads, 0).mean(axis=0)
    return float(mean[0]), float(mean[1])


def samples(found: Floats) -> list[Sample]:
    """As the command keeps them."""
    return [Sample(0, Luck(result, deal, draws, 0.0), 0, 0.0) for result, deal, draws in found.tolist()]


def at_fixed_size(played: Sequence[Sample], size: int) -> Iterator[Score]:
    """Gauges of `size` matches, one after another."""
    for first in range(0, len(played) - size + 1, size):
        yield Score("", list(played[first : first + size]))


def until_error(played: Sequence[Sample], error: float) -> Iterator[Score]:
    """Gauges that end as soon as they are settled, one after another. The last, unfinished one is left out."""
    score = Score("", [])
    for sample in played:
        score.add(sample)
        if score.settled(error):
            yield score
            score = Score("", [])


def report(title: str, gauges: Sequence[Score], expected: tuple[float, float]) -> None:
    """Print how many gauges were wrong, and to which side."""
    if not gauges:
        print(f"  {title}: the matches do not suffice")
        return
    print(f"  {title}: {len(gauges)} gauges of {np.mean([len(one.samples) for one in gauges]):.0f} matches in the mean")
    for outcome, name in enumerate(("heads", "points")):
        means = [(one.heads, one.share)[outcome] for one in gauges]
        for kind, each in (("adjusted", [one.adjusted for one in means]), ("raw", [one.raw for one in means])):
            low = sum(one.low > expected[outcome] for one in each)
            high = sum(one.high < expected[outcome] for one in each)
            rate = (low + high) / len(each)
            ends = wilson(rate, len(each))
            bias = np.mean([one.value for one in each]) - expected[outcome]
            error = np.std([one.value for one in each]) / len(each) ** 0.5
            print(
                f"    {name:6} {kind:8} wrong {rate:.1%} ({ends[0]:.1%} to {ends[1]:.1%}; {low} above, {high} below),"
                f" mean off by {bias:+.4f} ± {1.96 * error:.4f}"
            )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and report."""
    parser = argparse.ArgumentParser(prog="python -m bench.gauges", description=__doc__)
    parser.add_argument("strangers", nargs="*", default=["house"], help=f"of house, {', '.join(POLICIES)}")
    parser.add_argument("--game", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--matches", type=int, default=40_000, help="of each stranger, shared by its gauges")
    parser.add_argument("--playouts", type=int, default=6, help="for each option of the house and for each deal")
    parser.add_argument("--size", type=int, nargs="*", default=[50, 100], help="matches of a gauge")
    parser.add_argument("--until-error", type=float, nargs="*", default=[40.0], help="in Elo")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args(arguments)
    if not COMPILED:
        parser.error("this needs compiled functions; install them with: pip install 'bullring[fast]'")
    print(
        f"{given.game}, {given.seats} seats, {given.matches} matches, {given.playouts} playouts an option, seed {given.seed}"
    )
    for name in given.strangers:
        found = matches(given.game, given.seats, name, given.matches, given.playouts, given.seed)
        expected = truth(given.game, given.seats, name, given.seed + 1)
        whole = Score(name, samples(found))
        gains = [
            f"{part.gain.value:.2f} ({part.gain.low:.2f} to {part.gain.high:.2f})"
            for part in (whole.heads, whole.share)
            if part.gain
        ]
        print(
            f"{name}: {expected[0]:+.3f} heads, {float(elo(expected[1])):+.1f} Elo; gain {' in heads, '.join(gains)} in points;",
            end=" ",
        )
        print("luck", ", ".join(f"{one:+.1f}" for one in (*whole.heads.alarms, *whole.share.alarms)), "SE from 0")
        for size in given.size:
            report(f"{size} matches", list(at_fixed_size(whole.samples, size)), expected)
        for error in given.until_error:
            report(f"until ± {error:g} Elo", list(until_error(whole.samples, error)), expected)


if __name__ == "__main__":
    main()
