"""The moves of the house and their probabilities."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from bullring.arena.games.rules.game import Batch, Game
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.study.house.moves import SECRET, chances, house_player


def _view(rows: list[list[int]], hand: list[int]) -> dict[str, Any]:
    game = find("standard")
    heads = [sum(game.heads[card] for card in row) for row in rows]
    return {"rows": rows, "row_heads": heads, "hand": hand, "played": [], "piles": [[], [], [], []]}


STANDARD = find("standard")(4, {"deals": 1})


@pytest.mark.parametrize("name", GAMES)
def test_the_house_plays_every_game_by_what_its_seat_is_told(name: str) -> None:
    kind: type[Game[Any]] = find(name)
    game = kind(max(kind.seat_range[0], min(3, kind.seat_range[1])))
    chance = Random(name)
    house = house_player(game, chance.random)
    state = game.new()
    for _ in range(60):
        batch = state.pending
        if batch is None:
            break
        if not isinstance(batch, Batch):
            game.advance_deal(state, chance.sample(batch.deck, batch.cards))
            continue
        answers = []
        for seat, options in zip(batch.seats, batch.options, strict=True):
            view = game.view(state, seat)
            probable = chances(game, view, batch.kind, options)
            assert sum(probable) == pytest.approx(1.0)
            assert min(probable) >= 0
            assert len(probable) == len(options)
            answers.append(house({"kind": batch.kind, "options": options, "view": view}))
        game.advance(state, answers)


def test_a_card_that_would_take_a_row_is_unlikely() -> None:
    view = _view([[10, 11, 12, 13, 14], [30], [50], [100]], [15, 51, 104])
    sixth, next_to_an_end, last = chances(STANDARD, view, "card", view["hand"])
    assert sixth < 0.001
    assert next_to_an_end == pytest.approx(last, rel=0.01)


def test_a_low_card_costs_the_cheapest_row_if_nobody_plays_a_lower_one() -> None:
    rows = [[20, 30, 40], [55, 66], [70, 77], [99]]
    lowest, higher = chances(STANDARD, _view(rows, [1, 19]), "card", [1, 19])
    assert lowest < higher


def test_the_cheapest_row_is_certain() -> None:
    view = _view([[10, 20], [7], [55], [8]], [1])
    assert chances(STANDARD, view, "row", (1, 2, 3, 4)) == [0.0, 1.0, 0.0, 0.0]


def test_draws_follow_the_probabilities() -> None:
    view = _view([[10], [30, 31, 32, 33], [50, 55], [60]], [34, 57, 104])
    probable = chances(STANDARD, view, "card", view["hand"])
    house = house_player(STANDARD, Random(1).random)
    drawn = Counter(house({"kind": "card", "options": view["hand"], "view": view}) for _ in range(1500))
    for card, probability in zip(view["hand"], probable, strict=True):
        assert drawn[card] / 1500 == pytest.approx(probability, abs=0.05)


def test_without_other_random_numbers_the_house_draws_those_of_the_operating_system() -> None:
    assert type(getattr(SECRET, "__self__", None)).__name__ == "SystemRandom"
