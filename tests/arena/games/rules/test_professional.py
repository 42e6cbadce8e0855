"""The professional game: one test for each ruling, by its number."""

import pytest

from bullring.arena.games.rules.variants.professional import Professional
from tests.arena.games.rules.positions import after, asked, position


def test_a21_the_owner_of_a_card_as_near_to_a_left_end_as_to_a_right_one_chooses() -> None:
    game = Professional(2)
    state, _ = game.apply(position(game, [[49, 50], [54, 58], [90], [95, 100]], [[91], [52]]), [91, 52])
    assert asked(state) == ("side", 1, (1, 2))
    left, events = after(game, state, 2)
    assert left.rows == [[49, 50], [52, 54, 58], [90, 91], [95, 100]]
    assert events[0] == {"type": "place", "placed": [(1, 52, 2, 0), (0, 91, 3, 0)]}
    right, _ = after(game, state, 1)
    assert right.rows == [[49, 50, 52], [54, 58], [90, 91], [95, 100]]


def test_a21_only_the_nearest_ends_are_offered_and_the_sixth_card_takes_on_either_side() -> None:
    game = Professional(2)
    rows = [[46, 47, 48, 49, 50], [54, 55, 56, 57, 58], [40], [95, 100]]
    state, _ = game.apply(position(game, rows, [[52], [101]]), [52, 101])
    assert asked(state) == ("side", 0, (1, 2))
    for row in (1, 2):
        new, _ = after(game, state, row)
        assert new.rows[row - 1] == [52]
        assert new.piles[0] == rows[row - 1]


@pytest.mark.parametrize("card", [59, 60])
def test_a22_a_card_within_all_rows_fits_nowhere_and_takes_a_row_of_its_owners_choice(card: int) -> None:
    game = Professional(2)
    rows = [[12, 40, 61], [30, 62], [58, 70, 75], [55, 57, 64, 90, 99]]
    state, _ = game.apply(position(game, rows, [[card], [100]]), [card, 100])
    assert asked(state) == ("row", 0, (1, 2, 3, 4))
    new, _ = after(game, state, 3)
    assert new.rows[2] == [card]
    assert new.piles[0] == [58, 70, 75]


def test_a22_it_need_not_be_the_lowest_card_that_fits_nowhere_and_the_next_one_fits_beside_it() -> None:
    game = Professional(3)
    rows = [[40, 59, 70], [41, 71], [42, 72], [43, 73]]
    state, _ = game.apply(position(game, rows, [[50], [69], [39]]), [50, 69, 39])
    assert asked(state)[:2] == ("row", 0)
    assert state.rows[0] == [39, 40, 59, 70]
    state, events = after(game, state, 2)
    assert state.rows == [[39, 40, 59, 70], [50, 69], [42, 72], [43, 73]]
    assert [placed[1] for placed in events[0]["placed"]] == [50, 69]


def test_a24_the_sixth_card_at_the_left_takes_all_five_and_lies_alone() -> None:
    game = Professional(2)
    rows = [[40, 47, 50, 53, 55], [1, 100], [2, 101], [3, 102]]
    state, events = game.apply(position(game, rows, [[17], [104]]), [17, 104])
    assert state.rows[0] == [17]
    assert state.piles[0] == [40, 47, 50, 53, 55]
    assert events[1]["placed"][0] == (0, 17, 1, 15)


def test_a_low_card_goes_to_the_left_instead_of_taking_a_row() -> None:
    game = Professional(2)
    state, _ = game.apply(position(game, [[20], [30], [40], [50]], [[1], [2]]), [1, 2])
    assert state.rows == [[1, 20], [2, 30], [40], [50]]


def test_the_fallback_takes_the_cheaper_side_and_of_equals_the_right_end() -> None:
    game = Professional(2)
    rows = [[46, 47, 48, 49, 51], [55], [90], [95, 100]]
    state, _ = game.apply(position(game, rows, [[53], [101]]), [53, 101])
    assert game.fallback(state, 0) == 2, "the other takes a row, though one with fewer heads"
    for rows, right in (([[54, 58], [49, 50], [90], [95]], 2), ([[49, 50], [54, 58], [90], [95]], 1)):
        state, _ = game.apply(position(game, rows, [[52], [101]]), [52, 101])
        assert game.fallback(state, 0) == right
