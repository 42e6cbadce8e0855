"""The policies of playouts by the rules engine, for any registered game, by the names that the simulator's have.

======== ==============================================================================================================
random   any option
cheapest what the referee plays for a bot that gives no answer
greedy   the option that takes the fewest heads in this turn, on average, against random hidden cards and random play
noisy    what `cheapest` plays, and sometimes any option
trained  the same as `noisy`: nothing was learned for the rules engine
sharp    the same as `noisy`
======== ==============================================================================================================
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from bullring.arena.games import simulator
from bullring.arena.games.rules.game import TAKEN, Batch, Game, Option

Policy = Callable[[Game[Any], Any, int, Random], Option]
"""Chooses the answer to request number `index` of the pending batch, from the knowledge of that seat."""

NOISE = 0.15
"""The share of random choices in the policy "noisy"."""

LOOKS = 3
"""Samples of a turn that the policy "greedy" takes for each option."""


def cheapest(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """Play as the referee does for a bot that gives no answer."""
    return game.fallback(state, index)


def at_random(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """Any option, all equally likely."""
    options = state.pending.options[index]
    return options[int(random.random() * len(options))]  # type: ignore[no-any-return]


def noisy(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """Play as `cheapest`, and with probability `NOISE` any option."""
    return (at_random if random.random() < NOISE else cheapest)(game, state, index, random)


def greedy(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """The option that takes the fewest heads in this turn, on average, against random hidden cards and random play.

    Among equals the one that `cheapest` plays, else the first.
    """
    batch: Batch = state.pending
    seat, options = batch.seats[index], batch.options[index]
    if len(options) == 1:
        return options[0]
    costs = [0] * len(options)
    for _ in range(LOOKS):
        world, draw = game.resample(state, seat, random.shuffle), random.random()
        for at, option in enumerate(options):
            costs[at] += _one_turn(game, world.copy(), index, option, Random(draw))
    least = min(costs)
    usual = game.fallback(state, index)
    best = [option for option, cost in zip(options, costs, strict=True) if cost == least]
    return usual if usual in best else best[0]


DRAWS = 8
"""Number of choices that show how the policy "greedy" decides, which samples turns."""

POLICIES: dict[str, Policy] = dict(
    zip(simulator.POLICIES, (at_random, cheapest, greedy, noisy, noisy, noisy), strict=True)
)
"""The policies by name."""


def named(name: str) -> Policy:
    """The policy of this name. Raises `ValueError`."""
    if name not in POLICIES:
        raise ValueError(f"expected a policy, one of {', '.join(POLICIES)}; got {name!r:.40}")
    return POLICIES[name]


def chances(name: str, game: Game[Any], state: Any, index: int, random: Random) -> list[float]:
    """The probability with which the policy chooses each option of request number `index`. Raises `ValueError`."""
    policy, options = named(name), state.pending.options[index]
    even = 1 / len(options)
    if policy is at_random:
        return [even] * len(options)
    if policy is noisy:
        usual = game.fallback(state, index)
        return [NOISE * even + (1 - NOISE) * (option == usual) for option in options]
    draws = [policy(game, state, index, random) for _ in range(DRAWS if policy is greedy else 1)]
    return [draws.count(option) / len(draws) for option in options]


def taken(game: Game[Any], state: Any) -> Sequence[int]:
    """The heads that each seat has taken in this deal so far, in games that count them at once."""
    return game.columns(state).get(TAKEN, [0] * game.seats)


def heads_of(events: Sequence[Any]) -> Sequence[int]:
    """The heads of the deal that these events end."""
    (over,) = [event for event in events if event["type"] == "deal_over"]
    heads: Sequence[int] = over["heads"]
    return heads


def answers(game: Game[Any], state: Any, policy: Policy, random: Random) -> list[Option]:
    """The answers of all seats by a policy."""
    return [policy(game, state, index, random) for index in range(len(state.pending.seats))]


def answers_with(game: Game[Any], state: Any, own: int, option: Option, policy: Policy, random: Random) -> list[Option]:
    """The same, but request number `own` is answered with `option`."""
    asked = range(len(state.pending.seats))
    return [option if index == own else policy(game, state, index, random) for index in asked]


def _one_turn(game: Game[Any], state: Any, own: int, option: Option, random: Random) -> int:
    """The heads that a seat takes in this turn if it chooses this option and everything else is random."""
    seat, turn, before = state.pending.seats[own], state.turn, list(taken(game, state))
    events = game.advance(state, answers_with(game, state, own, option, at_random, random))
    while isinstance(state.pending, Batch) and state.turn == turn:
        events = game.advance(state, answers(game, state, at_random, random))
    after = taken(game, state) if isinstance(state.pending, Batch) else heads_of(events)
    return int(after[seat] - before[seat])
