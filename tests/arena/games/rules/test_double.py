"""The double game: one test for each ruling, by its number."""

from collections import Counter
from typing import Any

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.double import Double
from tests.arena.games.rules.playing import steps
from tests.arena.games.rules.positions import after, asked, position

FULL = [1, 2, 3, 4, 5]


def turn(rows: list[list[int]], *cards: int, at: int = 1) -> tuple[Double, Any]:
    """The position after one card of each seat, in this turn."""
    game = Double(len(cards))
    state = position(game, rows, [[card, 104] for card in cards])
    state.turn = at
    state, _ = game.apply(state, cards)
    return game, state


def test_a38_a_card_upon_its_twin_takes_nothing_even_at_the_end_of_a_full_row() -> None:
    _, state = turn([FULL, [37], [43], [58]], 5, 38)
    assert state.rows[0] == [*FULL, 5]
    assert state.heads == [0, 0]


def test_a38_the_next_card_takes_the_stacked_row_with_all_six_cards() -> None:
    _, state = turn([[*FULL, 5], [37], [43], [58]], 6, 38)
    assert state.rows[0] == [6]
    assert state.heads == [8, 0]
    assert state.piles[0] == [*FULL, 5]


def test_a_twin_within_a_row_means_nothing() -> None:
    game, state = turn([[20, 25], [37], [43], [58]], 20, 59)
    assert asked(state) == ("row", 0, (1, 2, 3, 4))
    state, _ = after(game, state, 1)
    assert state.rows[0] == [20]


@pytest.mark.parametrize("cards", [(44, 45, 44), (44, 44, 45), (45, 44, 44)])
def test_a39_equal_cards_are_placed_together_as_one(cards: tuple[int, ...]) -> None:
    _, state = turn([[12], [37], [39, 40, 41, 43], [58]], *cards)
    seat = cards.index(45)
    assert state.rows[2] == [45], "44 and 44 are the fifth position, 45 is the sixth"
    assert state.piles[seat] == [39, 40, 41, 43, 44, 44]
    assert [heads > 0 for heads in state.heads] == [card == 45 for card in cards]


def test_a39_equal_cards_that_are_the_sixth_position_take_the_row_together_and_both_begin_it() -> None:
    _, state = turn([FULL, [37], [43], [58]], 6, 6)
    assert state.rows[0] == [6, 6]
    assert state.heads == [3, 3]
    assert state.shared == [(0, 1, FULL)]
    assert state.piles == [[], []]


@pytest.mark.parametrize(("at", "chooser"), [(1, 2), (2, 2), (3, 2), (4, 3), (5, 2), (8, 3)])
def test_a40_of_two_owners_the_first_clockwise_from_the_seat_of_the_turn_chooses(at: int, chooser: int) -> None:
    """Turn 1 counts from seat 0, turn 4 from seat 3, turn 5 from seat 0 again."""
    game, state = turn([[20], [30], [40], [50]], 60, 61, 10, 10, at=at)
    assert asked(state) == ("row", chooser, (1, 2, 3, 4))
    assert game.public(state)["played"][:2] == [(chooser, 10), (5 - chooser, 10)]


def test_a41_two_equal_low_cards_share_a_row_and_neither_goes_on_the_other_for_nothing() -> None:
    game, state = turn([[20], [30, 35], [40], [50]], 10, 10)
    state, events = after(game, state, 2)
    assert events[0] == {"type": "place", "placed": [(0, 10, 2, 3), (1, 10, 2, 3)]}
    assert state.rows == [[20], [10, 10], [40], [50]]
    assert isinstance(state.pending, Batch)
    assert state.pending.kind == "card", "the other owner is not asked"


@pytest.mark.parametrize(
    ("row", "share"), [([21], 1), ([21, 23], 1), ([20], 2), ([20, 21], 2), ([22, 23], 3), ([55], 4)]
)
def test_a42_each_of_two_takes_half_of_the_heads_rounded_up(row: list[int], share: int) -> None:
    game, state = turn([row, [90], [91], [92]], 10, 10)
    state, _ = after(game, state, 1)
    assert state.heads == state.scores == [share, share]


def test_a43_who_holds_both_plays_one_a_turn_and_the_other_later_goes_on_it() -> None:
    game = Double(2)
    state = position(game, [[20], [30], [40], [50]], [[44, 44], [60, 61]])
    assert isinstance(state.pending, Batch)
    assert state.pending.options[0] == (44,), "either is meant"
    state, _ = game.apply(state, [44, 60])
    assert state.hands[0] == [44]
    state, _ = game.apply(state, [44, 61])
    assert state.rows == [[20], [30], [40, 44, 44], [50, 60, 61]]


def dealt(*turned: int) -> Any:
    game = Double(2)
    hands = [card for card in range(80, 105) if card not in turned][:20]
    state, _ = game.deal(game.new(), [*hands, *turned])
    return state


def test_a44_equal_cards_that_begin_a_row_lie_on_each_other_and_another_is_turned_up() -> None:
    assert dealt(33, 33, 7, 12, 7, 70, 71).rows == [[33, 33], [7, 7], [12], [70]]
    assert dealt(1, 2, 3, 3, 2, 1, 4).rows == [[1, 1], [2, 2], [3, 3], [4]]


def test_a44_nothing_is_turned_up_after_the_fourth_row_has_begun() -> None:
    state = dealt(1, 2, 3, 4, 4, 1, 2)
    assert state.rows == [[1], [2], [3], [4]]
    assert state.row_heads == [1, 1, 1, 1]


def test_a44_the_heads_of_equal_beginnings_are_counted() -> None:
    assert dealt(33, 33, 7, 55, 55, 70, 71).row_heads == [10, 1, 14, 3]


def test_a45_with_the_option_only_nine_doublets_are_there_twice() -> None:
    twice = Counter(Double(2, {"doublets": True}).deck())
    assert twice.total() == 113
    assert {card for card, count in twice.items() if count == 2} == {11, 22, 33, 44, 55, 66, 77, 88, 99}
    assert Counter(Double(2).deck()) == dict.fromkeys(range(1, 105), 2)


def test_equal_cards_do_meet_in_play() -> None:
    """The laws that hold for them are not held for nothing."""
    shared = stacked = 0
    for seed in range(10):
        for done in steps(Double(10, {"deals": 1}), seed):
            shared += len(done.after.shared)
            stacked += any(len(set(row)) < len(row) for row in done.after.rows)
    assert shared
    assert stacked
