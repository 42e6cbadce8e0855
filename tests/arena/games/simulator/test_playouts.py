"""Playouts end as the rules say, know what the seat knows, and draw what it does not."""

from random import Random
from typing import Any

import numpy as np
import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.simulator import Position, Uncovered, histories, playouts, position
from tests.arena.games.simulator.comparing import AnyGame, begin, covered


def to_the_end(game: AnyGame, state: Any, seat: int, option: object) -> list[int]:
    """The heads of all seats from here on if `seat` chooses the option, and all others what the referee would."""
    after, before = state.copy(), state.heads.copy()
    while isinstance(batch := after.pending, Batch) and after.deal == state.deal:
        answers = [game.fallback(after, at) for at in range(len(batch.seats))]
        if option is not None and seat in batch.seats:
            answers[batch.seats.index(seat)] = option  # type: ignore[call-overload]
            option = None
        game.advance(after, answers)
    return [now - then for now, then in zip(after.heads, before, strict=True)]


@pytest.mark.parametrize(("name", "seats", "options"), covered(), ids=str)
def test_options_end_as_in_the_rules(name: str, seats: int, options: dict[str, object]) -> None:
    chance, game = Random(f"{name} {seats}"), GAMES[name](seats, options)
    state = begin(game, histories(name, seats, options, "random", 1, 7).dealt[0].tolist())
    while isinstance(batch := state.pending, Batch) and state.deal == 1:
        if batch.kind != "card" or chance.random() < 0.3:
            at = chance.randrange(len(batch.seats))
            seat, choices = batch.seats[at], list(dict.fromkeys(batch.options[at]))
            seen = position(name, options, seats, game.view(state, seat), batch.kind)
            hands = np.zeros((1, seats, len(seen.hand)), np.int64)
            for other, hand in enumerate(state.hands):
                hands[0, other, : len(hand)] = hand
            found = playouts(seen, [int(str(choice)) for choice in choices], "cheapest", 1, 0, hands=hands)
            assert found[0].tolist() == [to_the_end(game, state, seat, choice) for choice in choices]
        game.advance(state, [chance.choice(list(choices)) for choices in batch.options])


def first_turn(name: str) -> Position:
    game = GAMES[name](4, {})
    state = begin(game, histories(name, 4, {}, "random", 1, 3).dealt[0].tolist())
    return position(name, {}, 4, game.view(state, 2), "card")


def test_samples_do_not_depend_on_how_many_are_asked_for() -> None:
    seen = first_turn("standard")
    options = seen.hand.tolist()
    whole = playouts(seen, options, "noisy", 12, 5)
    assert whole.tolist() == [
        *playouts(seen, options, "noisy", 4, 5).tolist(),
        *playouts(seen, options, "noisy", 8, 5, first=4).tolist(),
    ]
    assert whole.tolist() == playouts(seen, options, "noisy", 12, 5, threads=2).tolist()
    assert whole[:, 3:5].tolist() == playouts(seen, options[3:5], "noisy", 12, 5).tolist()


def test_hidden_hands_are_drawn_anew_but_known_ones_stay() -> None:
    hidden, known = first_turn("tactics"), first_turn("logic")
    assert len(hidden.hidden) == 30
    assert len(known.hidden) == 0
    assert len({tuple(row) for row in playouts(hidden, [int(hidden.hand[0])], "greedy", 20, 1)[:, 0].tolist()}) > 1
    assert len({tuple(row) for row in playouts(known, [int(known.hand[0])], "greedy", 20, 1)[:, 0].tolist()}) == 1


def test_what_is_not_covered_is_said() -> None:
    seen = first_turn("standard")
    with pytest.raises(Uncovered, match="not 'eleven'"):
        position("eleven", {}, 4, {}, "card")
    with pytest.raises(Uncovered, match="not 'draft'"):
        position("logic", {}, 4, {}, "draft")
    with pytest.raises(ValueError, match="an option must be one of"):
        playouts(seen, [105], "random", 1, 0)
    with pytest.raises(ValueError, match="a policy is one of"):
        playouts(seen, [int(seen.hand[0])], "clever", 1, 0)
    with pytest.raises(ValueError, match="hands must be"):
        playouts(seen, [int(seen.hand[0])], "random", 2, 0, hands=np.zeros((1, 4, 10), np.int64))
