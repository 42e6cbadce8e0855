"""Playouts by the simulator, for what it covers. Without its compiler it is slower than the rules engine, and not used."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games import simulator
from bullring.arena.games.rules.game import TAKEN, Batch, Game
from bullring.arena.games.simulator.chances import chances
from bullring.arena.games.simulator.playouts import onward as simulator_onward
from bullring.arena.games.simulator.positions import KINDS

COMPILED = simulator.COMPILED


def covered(game: type[Game[Any]] | Game[Any]) -> bool:
    """Whether the simulator can play this game."""
    return game.id in simulator.GAMES


def used(game: type[Game[Any]] | Game[Any]) -> bool:
    """Whether it does so here."""
    return COMPILED and covered(game)


def covers(game: Game[Any], state: Any) -> bool:
    """Whether the simulator can play on from here: all seats hold cards and are to play one."""
    batch = state.pending
    return used(game) and isinstance(batch, Batch) and batch.kind == "card"


def decides(game: Game[Any], state: Any) -> bool:
    """Whether the simulator can play out the decision that is pending."""
    return used(game) and isinstance(state.pending, Batch) and state.pending.kind in KINDS


def together(game: Game[Any], state: Any) -> bool:
    """Whether the simulator can play on from here because all seats are to play a card at the same time."""
    return covers(game, state) and len(state.pending.seats) == game.seats and TAKEN in game.columns(state)


def onward(
    game: Game[Any], state: Any, numbers: Sequence[int], answers: Any, noise: float, seed: int
) -> NDArray[np.int16]:
    """The heads of this deal after each of `answers`, as (len(numbers), seats); the seats play `together`."""
    held = [game.hand(state, seat) for seat in range(game.seats)]
    played = simulator_onward(position(game, state, 0), held, answers, numbers, seed, noise=noise)
    return played + np.array(game.columns(state)[TAKEN], np.int16)


def position(game: Game[Any], state: Any, seat: int) -> simulator.Position:
    """The knowledge of a seat. Raises `simulator.Uncovered`."""
    if not used(game):
        raise simulator.Uncovered(game.id)
    return simulator.position(game.id, game.options, game.seats, game.view(state, seat), state.pending.kind)


def hands(game: Game[Any], state: Any, count: int) -> NDArray[np.int64]:
    """The true hands, the same `count` times, as (count, seats, cards)."""
    held = [game.hand(state, seat) for seat in range(game.seats)]
    found = np.zeros((game.seats, max(map(len, held))), np.int64)
    for seat, cards in enumerate(held):
        found[seat, : len(cards)] = cards
    return np.broadcast_to(found, (count, *found.shape))


def one(game: Game[Any], state: Any, policy: str, random: Random) -> Sequence[int]:
    """The heads that each seat takes from here to the end of the deal, in one playout with the cards as they are."""
    seat = state.pending.seats[0]
    found = position(game, state, seat)
    options = sorted(set(found.hand.tolist()))
    likely = chances(found, options, policy)
    (option,) = random.choices(options, likely.tolist())
    drawn = simulator.playouts(found, [option], policy, 1, random.getrandbits(62), hands=hands(game, state, 1))
    heads: Sequence[int] = drawn[0, 0].tolist()
    return heads


def deals(game: Game[Any], state: Any, policy: str, count: int, seed: int) -> NDArray[np.int16] | None:
    """Whole deals, as (count, seats); None if the simulator cannot deal. `state` waits for cards."""
    deck, cards = state.pending
    if not used(game) or not cards:
        return None
    after, _ = game.deal(state, deck[:cards])
    first = game.public(after).get("first", 0)
    drawn = simulator.play(game.id, game.seats, game.options, policy, count, seed)
    return np.roll(drawn, first, axis=1)
