"""Playing on from a position with everybody's actual cards: by the simulator where that covers it, else by the rules engine."""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games.playouts import POLICIES
from bullring.arena.games.rules.game import TAKEN, Batch, Game, Option
from bullring.arena.games.simulator import COMPILED, GAMES, position
from bullring.arena.games.simulator.games import spec
from bullring.arena.games.simulator.onward import onward
from bullring.arena.study.house.moves import TEMPERATURE

Heads = NDArray[np.int16]


class Onward(Protocol):
    """Plays on from positions."""

    def from_here(self, game: Game[Any], state: Any, count: int, seed: int) -> Heads:
        """The heads of this deal, as (count, seats), if everybody goes on by a policy."""

    def after(
        self, game: Game[Any], state: Any, answers: Sequence[Sequence[Option]], numbers: Sequence[int], seed: int
    ) -> Heads:
        """The heads of this deal, as (len(answers), seats), after each of `answers` to the pending batch.

        Playouts of the same seed and number get the same random numbers.
        """


class ByEngine:
    """Plays on by the rules engine: any game."""

    def __init__(self, policy: str = "cheapest") -> None:
        self._policy = POLICIES[policy]

    def from_here(self, game: Game[Any], state: Any, count: int, seed: int) -> Heads:
        found = np.empty((count, game.seats), np.int16)
        for number in range(count):
            found[number] = self._to_the_end(game, state.copy(), [], Random(f"{seed} {number}"))
        return found

    def after(
        self, game: Game[Any], state: Any, answers: Sequence[Sequence[Option]], numbers: Sequence[int], seed: int
    ) -> Heads:
        found = np.empty((len(answers), game.seats), np.int16)
        for at, (given, number) in enumerate(zip(answers, numbers, strict=True)):
            world = state.copy()
            events = game.advance(world, given)
            found[at] = self._to_the_end(game, world, events, Random(f"{seed} {number}"))
        return found

    def _to_the_end(self, game: Game[Any], state: Any, events: Sequence[Any], random: Random) -> Sequence[int]:
        """The heads of the deal, from the event that ends it."""
        while isinstance(state.pending, Batch):
            asked = range(len(state.pending.seats))
            events = game.advance(state, [self._policy(game, state, index, random) for index in asked])
        heads: Sequence[int] = next(event["heads"] for event in reversed(events) if event["type"] == "deal_over")
        return heads


class BySimulator:
    """Plays on by the simulator, with everybody drawing cards as the house does; by the rules engine where that is not covered."""

    def __init__(self, noise: float = TEMPERATURE) -> None:
        self._noise = noise
        self._engine = ByEngine()

    def from_here(self, game: Game[Any], state: Any, count: int, seed: int) -> Heads:
        if not _covers(game, state):
            return self._engine.from_here(game, state, count, seed)
        return self._onward(game, state, [], range(count), seed)

    def after(
        self, game: Game[Any], state: Any, answers: Sequence[Sequence[Option]], numbers: Sequence[int], seed: int
    ) -> Heads:
        if not _covers(game, state):
            return self._engine.after(game, state, answers, numbers, seed)
        return self._onward(game, state, answers, numbers, seed)

    def _onward(self, game: Game[Any], state: Any, cards: Any, numbers: Sequence[int], seed: int) -> Heads:
        here = position(game.id, game.options, game.seats, game.view(state, 0), "card")
        hands = [game.hand(state, seat) for seat in range(game.seats)]
        played = onward(here, hands, cards, numbers, seed, noise=self._noise)
        return played + np.array(game.columns(state)[TAKEN], np.int16)


def _covers(game: Game[Any], state: Any) -> bool:
    """Whether everybody plays a card at the same time, in a game of the simulator."""
    pending = state.pending
    together = isinstance(pending, Batch) and pending.kind == "card" and len(pending.seats) == game.seats
    return game.id in GAMES and together and TAKEN in game.columns(state)


def fastest(game: Game[Any]) -> tuple[Onward, int]:
    """The better way for this game in this installation, and how many playouts of each option it can afford."""
    simulated = COMPILED and game.id in GAMES and not spec(game.id, game.seats, game.options).serial
    return (BySimulator(), 40) if simulated else (ByEngine(), 8)
