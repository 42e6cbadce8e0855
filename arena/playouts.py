"""Playouts: what each option of a decision leads to if everybody goes on by a policy, for any registered game.

A playout draws what the deciding seat cannot know anew, lets it choose an option, and plays to the end of the deal. All options of
one playout get the same hidden cards and the same random numbers, so differences between options have small errors.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.rules.game import TAKEN, Batch, Game, Option
from bullring.errors import IllegalAnswer

Policy = Callable[[Game[Any], Any, int, Random], Option]
"""Chooses the answer to request number `index` of the pending batch, from what that seat may know."""

NOISE = 0.15
"""The share of random choices in the policy "noisy"."""

LOOKS = 3
"""Samples of a turn that the policy "greedy" takes for each option."""


def cheapest(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """What the referee plays for a bot that gives no answer."""
    return game.fallback(state, index)


def at_random(game: Game[Any], state: Any, index: int, random: Random) -> Option:
    """Any option, all equally likely."""
    options = state.pending.options[index]
    return options[int(random.random() * len(options))]  # type: ignore[no-any-return]


def noisy(game: Game[Any], state: Any, index: int, random: Random, noise: float = NOISE) -> Option:
    """What `cheapest` plays, and with probability `noise` any option."""
    return (at_random if random.random() < noise else cheapest)(game, state, index, random)


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


POLICIES: dict[str, Policy] = {"random": at_random, "cheapest": cheapest, "greedy": greedy, "noisy": noisy}
"""The policies by name."""


def values(
    game: Game[Any],
    state: Any,
    seat: int,
    options: Sequence[Option],
    *,
    policy: str = "noisy",
    count: int,
    seed: int,
    noise: float = NOISE,
    hidden: bool = True,
) -> NDArray[np.int16]:
    """The heads that each seat takes from here to the end of the deal, as (count, options, seats).

    `state` is the true state, whose pending batch asks `seat`. In each of `count` playouts, everything that the seat cannot know is
    drawn anew, unless `hidden` is False; then the seat chooses each of `options` in turn, and all others, and the seat itself
    from its next decision on, follow the `policy`. In games where later deals follow from the first (`Game.is_duplicate`), a choice
    made before the first turn is played to the end of the match. The same `seed` gives the same numbers.

    Raises `IllegalAnswer` if the seat is not asked or an option is not offered, `ValueError` if there is no such policy.
    """
    index = _index(state, seat, options)
    chosen = _policy(policy, noise)
    taken = _taken(game, state)
    result = np.empty((count, len(options), game.seats), np.int16)
    for number in range(count):
        dealer = Random(f"{seed} {number} cards")
        world = game.resample(state, seat, dealer.shuffle) if hidden else state
        for at, option in enumerate(options):
            random = Random(f"{seed} {number} play")
            result[number, at] = _play_out(game, world.copy(), index, option, chosen, random, f"{seed} {number}")
    return result - np.array(taken, np.int16)


def before_the_deal(
    game: Game[Any], state: Any, *, policy: str = "noisy", count: int, seed: int, noise: float = NOISE
) -> NDArray[np.int16]:
    """The heads of each seat in a deal that everybody plays by the policy, as (count, seats); `state` waits for its cards."""
    chosen = _policy(policy, noise)
    result = np.empty((count, game.seats), np.int16)
    for number in range(count):
        random = Random(f"{seed} {number} deal")
        result[number] = _deals(game, state.copy(), chosen, random, f"{seed} {number}", whole=_whole(game, state))
    return result


def _policy(name: str, noise: float) -> Policy:
    if name not in POLICIES:
        raise ValueError(f"expected a policy, one of {', '.join(POLICIES)}; got {name!r:.40}")
    return partial(noisy, noise=noise) if name == "noisy" else POLICIES[name]


def _index(state: Any, seat: int, options: Sequence[Option]) -> int:
    batch = state.pending
    if not isinstance(batch, Batch) or seat not in batch.seats:
        raise IllegalAnswer(f"seat {seat} has nothing to decide here")
    index = batch.seats.index(seat)
    for option in options:
        if option not in batch.options[index]:
            raise IllegalAnswer(f"expected one of {list(batch.options[index])}, not {option!r}")
    return index


def _taken(game: Game[Any], state: Any) -> Sequence[int]:
    """The heads that each seat has taken in this deal so far."""
    return game.columns(state).get(TAKEN, [0] * game.seats)


def _whole(game: Game[Any], state: Any) -> bool:
    """Whether a choice here decides on the cards of all deals."""
    return game.is_duplicate and state.turn == 0


def _answers(game: Game[Any], state: Any, policy: Policy, random: Random) -> list[Option]:
    return [policy(game, state, index, random) for index in range(len(state.pending.seats))]


def _first_answers(
    game: Game[Any], state: Any, own: int, option: Option, policy: Policy, random: Random
) -> list[Option]:
    """The answers of all seats in the batch, of which the deciding one chooses `option`."""
    asked = range(len(state.pending.seats))
    return [option if index == own else policy(game, state, index, random) for index in asked]


def _one_turn(game: Game[Any], state: Any, own: int, option: Option, random: Random) -> int:
    """The heads that a seat takes in this turn if it chooses this option and everything else is random."""
    seat, turn, taken = state.pending.seats[own], state.turn, list(_taken(game, state))
    events = game.advance(state, _first_answers(game, state, own, option, at_random, random))
    while isinstance(state.pending, Batch) and state.turn == turn:
        events = game.advance(state, _answers(game, state, at_random, random))
    after = _taken(game, state) if isinstance(state.pending, Batch) else _heads(events)
    return int(after[seat] - taken[seat])


def _play_out(
    game: Game[Any], state: Any, own: int, option: Option, policy: Policy, random: Random, seed: str
) -> list[int]:
    """The heads of the deal, or of all deals if they follow from this choice."""
    whole = _whole(game, state)
    events = game.advance(state, _first_answers(game, state, own, option, policy, random))
    while isinstance(state.pending, Batch):
        events = game.advance(state, _answers(game, state, policy, random))
    heads = [*_heads(events)]
    if whole and state.pending is not None:
        later = _deals(game, state, policy, random, seed, whole=True)
        heads = [here + there for here, there in zip(heads, later, strict=True)]
    return heads


def _deals(game: Game[Any], state: Any, policy: Policy, random: Random, seed: str, *, whole: bool) -> list[int]:
    """The heads of the next deal, or of all that are left."""
    total = [0] * game.seats
    while state.pending is not None:
        deck, cards = state.pending
        random = Random(f"{seed} {state.deal}")  # so that later deals differ only by what differs before them
        shuffled = [*deck]
        random.shuffle(shuffled)
        events = game.advance_deal(state, shuffled[:cards])
        while isinstance(state.pending, Batch):
            events = game.advance(state, _answers(game, state, policy, random))
        total = [here + there for here, there in zip(total, _heads(events), strict=True)]
        if not whole:
            break
    return total


def _heads(events: Sequence[Any]) -> Sequence[int]:
    """The heads of the deal that these events end."""
    for event in reversed(events):
        if event["type"] == "deal_over":
            heads: Sequence[int] = event["heads"]
            return heads
    raise AssertionError("a deal ends with the event deal_over")
