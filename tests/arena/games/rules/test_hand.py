"""The hand game: one test for each ruling, by its number."""

from itertools import combinations
from typing import Any

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.hand import Hand
from tests.arena.games.rules.playing import steps
from tests.arena.games.rules.positions import after, asked, position

FULL = [21, 22, 23, 24, 25]
ROWS = [FULL, [30], [50], [70]]
"""The first row is taken by a card from 26 to 29."""


def fresh(hands: list[list[int]], **options: object) -> tuple[Hand, Any]:
    game = Hand(len(hands), options)
    return game, position(game, ROWS, hands)


def test_a30_the_second_card_is_chosen_when_the_first_is_placed() -> None:
    game, state = fresh([[26, 31, 90], [51]])
    assert asked(state) == ("card", 0, (26, 31, 90))
    state, events = after(game, state, 31)
    assert events == [
        {"type": "lay", "seat": 0, "card": 31},
        {"type": "place", "placed": [(0, 31, 2, 0)]},
    ]
    assert asked(state) == ("more", 0, ("stop", 26, 90))
    state, _ = after(game, state, 90)
    assert asked(state) == ("card", 1, (51,)), "there is no third card"


def test_a30_one_may_stop_after_one_card() -> None:
    game, state = fresh([[31, 90], [51]])
    state, events = after(game, state, 31, "stop")
    assert events == []
    assert asked(state) == ("card", 1, (51,))


def test_a31_the_second_card_may_come_from_the_row_just_taken() -> None:
    game, state = fresh([[26, 90], [51]])
    state, _ = after(game, state, 26, (23, 25))
    assert asked(state) == ("more", 0, ("stop", 23, 25, 90))
    state, _ = after(game, state, 25)
    assert asked(state)[:2] == ("row", 0), "the 25 is a low card now"


def test_a31_second_from_original_hand_leaves_out_what_was_just_taken() -> None:
    game, state = fresh([[26, 90], [51]], second_from_original_hand=True)
    state, _ = after(game, state, 26, (23, 25))
    assert asked(state) == ("more", 0, ("stop", 90))


def test_a31_with_nothing_else_in_the_original_hand_no_second_card_is_offered() -> None:
    game, state = fresh([[26], [51]], second_from_original_hand=True)
    state, _ = after(game, state, 26, (23, 25))
    assert asked(state) == ("card", 1, (51,))


def test_a31_cards_taken_in_an_earlier_turn_belong_to_the_original_hand() -> None:
    game, state = fresh([[26, 90], [51, 52]], second_from_original_hand=True)
    state, _ = after(game, state, 26, (23, 25), "stop", 51, "stop", 90)
    assert asked(state) == ("more", 0, ("stop", 23, 25))


@pytest.mark.parametrize(("size", "most"), [(10, 5), (11, 5), (12, 4), (13, 3), (15, 1), (16, 0)])
def test_a32_the_hand_never_has_more_than_sixteen_cards_the_played_one_has_left_it(size: int, most: int) -> None:
    game, state = fresh([[26, *range(80, 80 + size)], [51]])
    state, _ = after(game, state, 26)
    _, _, options = asked(state)
    assert options == tuple(kept for count in range(most + 1) for kept in combinations(FULL, count))
    state, events = after(game, state, options[-1])
    assert len(state.hands[0]) == size + most
    assert events[0]["heads"] == sum({25: 2, 22: 5}.get(card, 1) for card in FULL if card not in options[-1])


def test_what_is_kept_goes_to_the_hand_and_the_rest_to_the_pile() -> None:
    game, state = fresh([[26, 90], [51]])
    state, events = after(game, state, 26)
    assert events[1] == {"type": "place", "placed": [(0, 26, 1, 10)]}
    assert game.public(state)["taken"] == FULL
    state, events = after(game, state, (22, 24))
    assert events == [{"type": "keep", "seat": 0, "cards": [22, 24], "heads": 4}]
    assert state.hands[0] == [22, 24, 90]
    assert state.piles[0] == [21, 23, 25]
    assert state.heads == [4, 0]
    assert game.public(state)["known"] == [[22, 24], []]
    assert game.public(state)["taken"] == []


def test_a33_an_empty_hand_ends_the_deal_only_when_everybody_has_had_a_turn() -> None:
    game, state = fresh([[31], [51, 90], [52, 91]])
    state, _ = after(game, state, 31)
    assert asked(state) == ("card", 1, (51, 90))
    state, _ = after(game, state, 51, "stop")
    assert asked(state) == ("card", 2, (52, 91))
    state, events = after(game, state, 52, "stop")
    assert state.pending is None
    assert events[-1]["hands"] == [[], [90], [91]]
    assert events[-1]["heads"] == [0, 6, 2]


def test_a33_a_hand_that_is_refilled_in_its_turn_was_not_empty() -> None:
    game, state = fresh([[26], [51, 90]])
    state, _ = after(game, state, 26, (21,), "stop", 51, "stop")
    assert asked(state) == ("card", 0, (21,))
    assert state.turn == 2


@pytest.mark.parametrize(("cards", "over"), [(20, False), (21, True)])
@pytest.mark.parametrize("seat", [0, 1])
def test_a34_more_than_twenty_cards_in_a_pile_end_the_deal_after_the_turn(cards: int, over: bool, seat: int) -> None:
    game, state = fresh([[31, 90], [51, 91]])
    state.piles[seat] = list(range(1, cards + 1))
    state, _ = after(game, state, 31, "stop")
    assert isinstance(state.pending, Batch), "the turn is not over"
    state, _ = after(game, state, 51, "stop")
    assert (state.pending is None) == over


@pytest.mark.parametrize(("turn", "over"), [(99, False), (100, True)])
def test_a35_the_deal_ends_after_a_hundred_turns_as_it_stands(turn: int, over: bool) -> None:
    game, state = fresh([[31, 90], [51, 91]])
    state.turn = turn
    state, events = after(game, state, 31, "stop", 51, "stop")
    assert (state.pending is None) == over
    if over:
        assert events[-1]["heads"] == [6, 2]
    else:
        assert state.turn == 100


def test_the_starting_seat_plays_first_and_the_turn_ends_before_it() -> None:
    game = Hand(3, start=2)
    state = position(game, ROWS, [[31, 90], [51, 91], [71, 92]])
    state, _ = after(game, state, 71, "stop", 31, "stop")
    assert (asked(state)[1], state.turn) == (1, 1)
    state, _ = after(game, state, 51, "stop")
    assert (asked(state)[1], state.turn) == (2, 2)


def test_the_fallback_keeps_nothing_and_stops() -> None:
    game, state = fresh([[26, 90], [51]])
    state, _ = after(game, state, 26)
    assert game.fallback(state, 0) == ()
    state, _ = after(game, state, ())
    assert game.fallback(state, 0) == "stop"


def test_equal_views_with_equal_options_lead_to_the_same_kinds_of_questions() -> None:
    """A bot need not remember whether the card it placed was the first or the second of its move."""
    follows: dict[str, set[str]] = {}
    for seed in range(20):
        for done in steps(Hand(3), seed):
            batch = done.before.pending
            if isinstance(batch, Batch) and batch.kind == "keep":
                view = Hand(3).view(done.before, batch.seats[0])
                after = done.after.pending
                same = isinstance(after, Batch) and after.seats == batch.seats
                follows.setdefault(f"{view['second']}", set()).add("more" if same else "next")
                assert not (view["second"] and same)
                if not view["second"] and done.after.hands[batch.seats[0]]:
                    assert same
    assert follows.keys() == {"True", "False"}
