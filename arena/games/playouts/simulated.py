"""Playouts by the simulator, for what it covers. Without its compiler it is slower than the rules engine, and not used."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.games import simulator
from bullring.arena.games.rules.game import TAKEN, Batch, Game
from bullring.arena.games.simulator import chains
from bullring.arena.games.simulator.chains import CHAINS
from bullring.arena.games.simulator.chances import chances
from bullring.arena.games.simulator.playouts import onward as simulator_onward
from bullring.arena.games.simulator.positions import KINDS

COMPILED = simulator.COMPILED


def covered(game: type[Game[Any]] | Game[Any]) -> bool:
    """Whether the simulator can play this game."""
    return game.id in simulator.GAMES or game.id in CHAINS


def used(game: type[Game[Any]] | Game[Any]) -> bool:
    """Whether it does so here."""
    return COMPILED and covered(game)


def of_turns(game: type[Game[Any]] | Game[Any]) -> bool:
    """Whether it plays the turns of this game here, with policies of their own: a card of each seat, and four rows."""
    return COMPILED and game.id in simulator.GAMES


def covers(game: Game[Any], state: Any) -> bool:
    """Whether the simulator can play on from here: all seats hold cards and are to play one."""
    batch = state.pending
    return of_turns(game) and isinstance(batch, Batch) and batch.kind == "card"


def decides(game: Game[Any], state: Any, policy: str) -> bool:
    """Whether the simulator can play out the decision that is pending."""
    try:
        if of_turns(game) and state.pending.kind in KINDS:
            return True
        chain(game, state, state.pending.seats[0], policy)
    except simulator.Uncovered:
        return False
    return True


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


def chain(
    game: Game[Any], state: Any, seat: int, policy: str, *, hidden: bool = True, whole: bool = False
) -> chains.Chain:
    """The knowledge of a seat in a game of chains, or all cards; `whole`: to be played to the end of the match.

    Raises `simulator.Uncovered`.
    """
    if not COMPILED or not chains.follows(game.id, policy):
        raise simulator.Uncovered(game.id)
    cards = None if hidden else [game.hand(state, other) for other in range(game.seats)]
    draw: Sequence[int] = () if hidden else getattr(state, "draw", ())[::-1]
    view, batch, deals = game.view(state, seat), state.pending, game.seats if whole else 1
    asked = batch.kind, batch.seats[0]
    return chains.chain(game.id, game.options, game.seats, view, *asked, deals=deals, cards=cards, draw=draw)


def to_the_end(
    game: Game[Any], state: Any, numbers: Sequence[int], policy: str, seed: int, *, seat: int | None = None
) -> NDArray[np.int16]:
    """The heads from here to the end of the deal if everybody follows the policy, as (len(numbers), seats).

    With everybody's actual cards, or with those that `seat` does not know drawn anew. Raises `simulator.Uncovered`.
    """
    if covers(game, state):
        held = None if seat is not None else [game.hand(state, other) for other in range(game.seats)]
        here = position(game, state, seat or 0)
        return simulator_onward(here, held, (), numbers, seed, noise=1.0, policy=policy)
    known = chain(game, state, seat or 0, policy, hidden=seat is not None)
    return chains.follow(known, [-1], policy, numbers, seed)[:, 0]


def position(game: Game[Any], state: Any, seat: int) -> simulator.Position:
    """The knowledge of a seat. Raises `simulator.Uncovered`."""
    if not of_turns(game):
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


def deals(game: Game[Any], state: Any, policy: str, count: int, seed: int, *, whole: bool) -> NDArray[np.int16] | None:
    """Deals, as (count, seats); None if the simulator cannot deal. `state` waits for cards.

    With `whole`, all deals of a match in which they follow from the first.
    """
    deck, cards = state.pending
    if not used(game):
        return None
    after, _ = game.deal(state, deck[:cards])
    if chains.follows(game.id, policy) and after.pending.kind == chains.kinds(game.id)[0]:
        start, number = after.pending.seats[0], game.seats if whole else 1
        here = chains.opening(game.id, game.options, game.seats, start=start, deals=number)
        return chains.follow(here, [-1], policy, range(count), seed)[:, 0]
    if not cards or not of_turns(game):
        return None
    first = game.public(after).get("first", 0)
    drawn = simulator.play(game.id, game.seats, game.options, policy, count, seed)
    return np.roll(drawn, first, axis=1)
