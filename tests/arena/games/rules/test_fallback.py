"""The move that is made for a bot that gives none: the cheapest at once, the first of equals."""

import pytest

from bullring.arena.games.rules.variants.double import Double
from bullring.arena.games.rules.variants.logic import Logic
from bullring.arena.games.rules.variants.nifty import Nifty
from bullring.arena.games.rules.variants.open import Open
from bullring.arena.games.rules.variants.professional import Professional
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rules.playing import RowGameType, fallback, steps
from tests.arena.games.rules.positions import asked, position

FULL = [21, 22, 23, 24, 25]
ROWS = [FULL, [30], [50, 55], [70, 71]]
"""A card from 26 to 29 takes ten heads."""

card_games = pytest.mark.parametrize("kind", [Standard, Open, Professional, Double])


@card_games
@pytest.mark.parametrize(("hand", "chosen"), [([26, 31], 31), ([31, 26, 90], 31), ([26, 27], 26), ([90, 80], 80)])
def test_of_cards_the_lowest_that_takes_nothing(kind: RowGameType, hand: list[int], chosen: int) -> None:
    game = kind(2)
    assert game.fallback(position(game, ROWS, [hand, [100] * len(hand)]), 0) == chosen


@pytest.mark.parametrize("kind", [Standard, Open, Double])
def test_a_low_card_costs_what_the_cheapest_row_costs(kind: RowGameType) -> None:
    """Here two heads, less than the ten of the row that the 26 takes."""
    game = kind(2)
    assert game.fallback(position(game, ROWS, [[1, 26], [100, 101]]), 0) == 1


@pytest.mark.parametrize("kind", [Standard, Professional, Double, Logic])
def test_of_rows_the_one_with_the_fewest_heads_and_the_topmost_of_equals(kind: RowGameType) -> None:
    game = kind(2)
    if kind is Professional:
        rows, card = [[40, 55, 60], [41, 61], [42, 62], [30, 63]], 50
    else:
        rows, card = [[40, 55], [41, 61], [42, 62], [60]], 10
    state, _ = game.apply(position(game, rows, [[card], [100]]), [card, 100])
    assert asked(state)[0] == "row"
    assert game.fallback(state, 0) == 2


def test_a_card_upon_its_twin_costs_nothing() -> None:
    game = Double(2)
    assert game.fallback(position(game, ROWS, [[25, 1], [100, 101]]), 0) == 25


def test_a_pair_costs_what_its_cards_would_cost_alone() -> None:
    game = Nifty(2)
    state = position(game, ROWS, [[1, 26, 27, 80, 90], [100, 101, 102, 103, 104]])
    assert game.fallback(state, 0) == (80, 90)
    state = position(game, ROWS, [[1, 26, 27], [100, 101, 102]])
    assert game.fallback(state, 0) == (1, 26), "three and ten are less than twice ten"


def test_of_a_pair_the_card_that_costs_less_now_goes_first() -> None:
    game = Nifty(2)
    state, _ = game.apply(position(game, ROWS, [(26, 80), (100, 101)]), [(26, 80), (100, 101)])
    assert asked(state) == ("order", 0, (26, 80))
    assert game.fallback(state, 0) == 80


def test_a_draft_takes_the_lowest_card_that_is_left() -> None:
    for done in steps(Logic(3, {"deals": 1}), seed=1, policy=fallback):
        if not done.dealt and done.before.pending.kind == "draft":
            assert done.given == [min(done.before.pool)]
