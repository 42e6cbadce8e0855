"""Playouts: the outcome of each option of a decision if all seats go on by a policy, for any registered game.

A playout draws what the deciding seat cannot know anew, lets it choose an option, and plays to the end of the deal. All options of
one playout get the same hidden cards and the same random numbers, so differences between options have small errors.

The simulator (`arena.games.simulator`) plays what it covers, if it is compiled: a hundred times faster. Everything else is
played by the rules engine, with policies of the same names (`policies`): there "noisy", "trained" and "sharp" are the cheapest
play with some chance, and "greedy" samples the rest of the turn. So numbers differ between machines with and without numba.
"""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games import simulator
from bullring.arena.games.playouts import engine, simulated
from bullring.arena.games.playouts.policies import POLICIES, chances, heads_of, named, taken
from bullring.arena.games.rules.errors import IllegalAnswer
from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.games.simulator import chains
from bullring.arena.games.simulator.chances import chances as chances_of

__all__ = ["POLICIES", "after_the_deal", "before_the_deal", "onward", "values", "weights"]


def values(
    game: Game[Any],
    state: Any,
    seat: int,
    options: Sequence[Option],
    *,
    policy: str = "trained",
    count: int,
    seed: int,
    hidden: bool = True,
    whole: bool = True,
) -> NDArray[np.int16]:
    """The heads that each seat takes from here to the end of the deal, as (count, options, seats).

    `state` is the true state, whose pending batch asks `seat`. In each of `count` playouts, everything that the seat cannot know is
    drawn anew, unless `hidden` is False; then the seat chooses each of `options` in turn, and all others, and the seat itself
    from its next decision on, follow the `policy`. In games where later deals follow from the first (`Game.is_duplicate`), a choice
    made before the first turn is played to the end of the match, unless `whole` is False. The same `seed` gives the same numbers.

    Raises `IllegalAnswer` if the seat is not asked or an option is not offered, `ValueError` if there is no such policy.
    """
    named(policy)
    index = _index(state, seat, options)
    whole = whole and engine.whole_match(game, state)
    with suppress(simulator.Uncovered):
        position = simulated.position(game, state, seat)
        cards: Any = options
        hands = None if hidden else simulated.hands(game, state, count)
        return simulator.playouts(position, cards, policy, count, seed, hands=hands)
    with suppress(simulator.Uncovered):
        chain = simulated.chain(game, state, seat, policy, hidden=hidden, whole=whole)
        picks = [state.pending.options[index].index(option) for option in options]
        return chains.follow(chain, picks, policy, range(count), seed)
    return _by_the_engine(game, state, index, options, policy, count, seed, hidden=hidden, whole=whole)


def weights(game: Game[Any], state: Any, seat: int, *, policy: str = "trained", seed: int) -> list[float]:
    """The probability of each option of `seat` under the policy. Raises like `values`."""
    index = _index(state, seat, ())
    named(policy)
    try:
        position = simulated.position(game, state, seat)
    except simulator.Uncovered:
        return chances(policy, game, state, index, Random(f"{seed} weights"))
    found: list[float] = chances_of(position, state.pending.options[index], policy).tolist()
    return found


def after_the_deal(
    game: Game[Any], state: Any, seat: int, *, policy: str = "trained", count: int, seed: int
) -> NDArray[np.int16]:
    """The heads of each seat to the end of the deal if everybody follows the policy from here on, as (count, seats).

    The cards that `seat` cannot know are drawn anew, also if another seat is asked. Raises `ValueError` if there is no such policy.
    """
    named(policy)
    with suppress(simulator.Uncovered):
        return simulated.to_the_end(game, state, range(count), policy, seed, seat=seat)
    result = np.empty((count, game.seats), np.int16)
    for number in range(count):
        random = Random(f"{seed} {number}")
        world = game.resample(state, seat, random.shuffle)
        result[number] = engine.to_the_end(game, world, policy, random)
    return result - np.array(taken(game, state), np.int16)


def before_the_deal(
    game: Game[Any], state: Any, *, policy: str = "trained", count: int, seed: int, whole: bool = True
) -> NDArray[np.int16]:
    """The heads of each seat in a deal that everybody plays by the policy, as (count, seats); `state` waits for its cards.

    In games where later deals follow from the first, it is all deals that are left, unless `whole` is False. Raises `ValueError` if
    there is no such policy.
    """
    named(policy)
    whole = whole and game.is_duplicate
    drawn = simulated.deals(game, state, policy, count, seed, whole=whole)
    if drawn is None:
        found = [engine.deals(game, state.copy(), policy, f"{seed} {number}", whole=whole) for number in range(count)]
        drawn = np.array(found, np.int16)
    return drawn


def onward(
    game: Game[Any],
    state: Any,
    numbers: Sequence[int],
    answers: Sequence[Sequence[Option]] = (),
    *,
    noise: float = 1.0,
    policy: str = "cheapest",
    seed: int,
) -> NDArray[np.int16]:
    """The heads of this deal with everybody's actual cards, as (len(numbers), seats).

    Each playout begins with one of `answers` to the pending batch, or from here if there are none. Those with the same seed and
    number get the same random numbers. Where all seats play a card at the same time in a game of the simulator, everybody follows
    the policy "noisy" with `noise` as its temperature in heads, else `policy`.
    """
    if simulated.together(game, state):
        return simulated.onward(game, state, numbers, answers, noise, seed)
    found = np.empty((len(numbers), game.seats), np.int16)
    alike: dict[Sequence[Option], list[int]] = {}
    for at in range(len(numbers)):
        alike.setdefault(tuple(answers[at]) if answers else (), []).append(at)
    for given, places in alike.items():
        world = state.copy()
        events = game.advance(world, given) if given else ()
        own = [numbers[at] for at in places]
        try:
            if any(event["type"] == "deal_over" for event in events):
                found[places] = heads_of(events)
            else:
                found[places] = simulated.to_the_end(game, world, own, policy, seed) + np.array(taken(game, world))
        except simulator.Uncovered:
            ends = (engine.to_the_end(game, world.copy(), policy, Random(f"{seed} {number}"), events) for number in own)
            found[places] = list(ends)
    return found


def _by_the_engine(
    game: Game[Any],
    state: Any,
    index: int,
    options: Sequence[Option],
    policy: str,
    count: int,
    seed: int,
    *,
    hidden: bool,
    whole: bool,
) -> NDArray[np.int16]:
    seat = state.pending.seats[index]
    result = np.empty((count, len(options), game.seats), np.int16)
    for number in range(count):
        world = game.resample(state, seat, Random(f"{seed} {number} cards").shuffle) if hidden else state
        for at, option in enumerate(options):
            result[number, at] = engine.from_option(
                game, world.copy(), index, option, policy, f"{seed} {number}", whole=whole
            )
    return result - np.array(taken(game, state), np.int16)


def _index(state: Any, seat: int, options: Sequence[Option]) -> int:
    batch = state.pending
    if not isinstance(batch, Batch) or seat not in batch.seats:
        raise IllegalAnswer(f"seat {seat} has nothing to decide here")
    index = batch.seats.index(seat)
    for option in options:
        if option not in batch.options[index]:
            raise IllegalAnswer(f"expected one of {list(batch.options[index])}, not {option!r}")
    return index
