"""Playouts one by one, by the rules engine. Where the simulator can go on, it does."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from bullring.arena.games.playouts import simulated
from bullring.arena.games.playouts.policies import answers, answers_with, heads_of, named, taken
from bullring.arena.games.rules.game import Batch, Game, Option

Heads = Sequence[int]
"""By seat."""


def from_option(game: Game[Any], state: Any, own: int, option: Option, policy: str, seed: str, *, whole: bool) -> Heads:
    """The heads of the deal if request number `own` is answered with `option`, or if `whole` is set of all deals.

    Changes `state`.
    """
    random = Random(seed)
    events = game.advance(state, answers_with(game, state, own, option, named(policy), random))
    heads = to_the_end(game, state, policy, random, events)
    if whole and state.pending is not None:
        heads = np.add(heads, deals(game, state, policy, seed, whole=True)).tolist()
    return heads


def to_the_end(game: Game[Any], state: Any, policy: str, random: Random, events: Sequence[Any] = ()) -> Heads:
    """The heads of a deal in which all follow the policy from here on; `events` are the last ones. Changes `state`."""
    chosen = named(policy)
    while isinstance(state.pending, Batch):
        if simulated.covers(game, state):
            heads = np.add(taken(game, state), simulated.one(game, state, policy, random))
            # Where later deals follow from the first, they do so whatever is played in this one.
            while game.is_duplicate and isinstance(state.pending, Batch):
                game.advance(state, [options[0] for options in state.pending.options])
            return heads.tolist()  # type: ignore[no-any-return]
        events = game.advance(state, answers(game, state, chosen, random))
    return heads_of(events)


def deals(game: Game[Any], state: Any, policy: str, seed: str, *, whole: bool) -> Heads:
    """The heads of the next deal, or of all that are left. Changes `state`, which waits for cards."""
    total = np.zeros(game.seats, np.int64)
    while state.pending is not None:
        deck, cards = state.pending
        random = Random(f"{seed} {state.deal}")  # so that later deals differ only by what differs before them
        shuffled = [*deck]
        random.shuffle(shuffled)
        events = game.advance_deal(state, shuffled[:cards])
        total += to_the_end(game, state, policy, random, events)
        if not whole:
            break
    return total.tolist()


def whole_match(game: Game[Any], state: Any) -> bool:
    """Whether a choice here decides on the cards of all deals."""
    return game.is_duplicate and state.turn == 0
