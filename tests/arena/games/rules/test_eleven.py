"""11 nimmt!: one test for each ruling, by its number, and what is offered."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.eleven import Eleven
from tests.arena.games.rules.playing import games, policies, seeds, steps
from tests.arena.games.rules.positions import after, asked, stacks_position


def table(stacks: list[list[int]], *hands: list[int], **more: Any) -> tuple[Eleven, Any]:
    game = Eleven(len(hands))
    return game, stacks_position(game, stacks, hands, **more)


@pytest.mark.parametrize(("draw", "turned"), [([60, 70, 80], [[60], [70]]), ([60], [[60]]), ([], [])])
def test_a49_a56_two_new_stacks_are_turned_up_for_a_taken_one_or_as_many_as_there_are(
    draw: list[int], turned: list[list[int]]
) -> None:
    game, state = table([[1], [2, 3]], [50], [51], draw=draw)
    state, events = after(game, state, 2)
    assert state.stacks == [[1], *turned]
    assert events == [{"type": "take", "seat": 0, "stack": 2, "cards": [2, 3], "turned": [card for (card,) in turned]}]
    assert state.hands[0] == [2, 3, 50]
    assert state.known == [[2, 3], []]
    assert state.draw == draw[2:][::-1]


@pytest.mark.parametrize(("size", "bulls"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_a50_three_cards_earn_a_bull(size: int, bulls: int) -> None:
    game, state = table([list(range(1, size + 1))], [50], [51], draw=[60, 70])
    state, events = after(game, state, 1)
    assert state.bulls == [bulls, 0]
    assert [event for event in events if event["type"] == "bull"] == [{"type": "bull", "seat": 0, "from": None}] * bulls
    assert asked(state)[1] == 1


def test_without_a_bull_one_card_is_laid_and_the_turn_is_over() -> None:
    game, state = table([[10]], [11, 12], [51])
    assert asked(state) == ("play", 0, ((11, 1), (12, 1), 1))
    state, events = after(game, state, (11, 1))
    assert events == [{"type": "lay", "seat": 0, "card": 11, "stack": 1}]
    assert asked(state) == ("play", 1, (1,))


def test_a_bull_lets_several_cards_go_on_one_stack_but_not_on_another() -> None:
    game, state = table([[10], [50]], [11, 12, 13, 51, 52], [90], bulls=[1, 0])
    state, _ = after(game, state, (12, 1))
    assert asked(state) == ("more", 0, ("stop", (11, 1), (13, 1)))
    state, _ = after(game, state, (13, 1), (11, 1))
    assert asked(state)[1] == 1
    assert state.stacks == [[10, 11, 12, 13], [50]]


def test_two_bulls_let_cards_go_on_two_stacks_and_no_third() -> None:
    game, state = table([[10], [50], [70]], [11, 12, 51, 52, 71], [90], bulls=[2, 0])
    state, _ = after(game, state, (11, 1))
    assert asked(state)[2] == ("stop", (12, 1), (51, 2), (52, 2), (71, 3))
    state, _ = after(game, state, (52, 2))
    assert asked(state)[2] == ("stop", (12, 1), (51, 2))


def test_one_may_stop_although_more_could_be_laid() -> None:
    game, state = table([[10]], [11, 12], [51], bulls=[1, 0])
    state, events = after(game, state, (11, 1), "stop")
    assert events == []
    assert asked(state) == ("play", 1, (1,))
    assert state.laid == []


def test_a53_all_cards_must_be_within_ten_of_the_top_before_the_turn() -> None:
    game, state = table([[33]], [34, 43, 44, 53], [90], bulls=[1, 0])
    state, _ = after(game, state, (43, 1))
    assert asked(state)[2] == ("stop", (34, 1)), "44 and 53 would be near enough to the 43 only"


def test_a54_several_cards_are_laid_in_the_order_of_the_circle() -> None:
    game, state = table([[96]], [2, 97, 100, 50], [90], bulls=[1, 0])
    state, _ = after(game, state, (2, 1), (100, 1), (97, 1))
    assert state.stacks == [[96, 97, 100, 2]]
    assert asked(state) == ("play", 1, (1,))


def full_stack(bulls: list[int]) -> tuple[Eleven, Any]:
    """Seat 0 has just taken a stack of three, while the seats had so many bulls."""
    game, state = table([[1, 2, 3]], *[[50 + seat] for seat in range(len(bulls))], bulls=bulls, draw=[60, 70])
    return game, after(game, state, 1)[0]


@pytest.mark.parametrize(
    ("before", "bulls"),
    [
        pytest.param([2, 5, 2], [3, 5, 2], id="the tenth is the last of the supply"),
        pytest.param([2, 5, 3], [3, 4, 3], id="then one comes from the seat with the most"),
        pytest.param([5, 5], [6, 4], id="also if the taker has as many"),
        pytest.param([4, 3, 3], [4, 3, 3], id="but not if the taker alone has the most"),
    ],
)
def test_a55_the_supply_of_bulls_is_ten(before: list[int], bulls: list[int]) -> None:
    _, state = full_stack(before)
    assert state.bulls == bulls
    assert asked(state)[:2] == ("play", 1)


def test_a55_of_several_others_with_the_most_the_taker_chooses() -> None:
    _, state = full_stack([3, 3, 1, 3])
    assert asked(state) == ("bull", 0, (1, 3))
    game, state = full_stack([1, 3, 3, 3])
    assert asked(state) == ("bull", 0, (1, 2, 3))
    state, events = after(game, state, 2)
    assert state.bulls == [2, 3, 2, 3]
    assert events == [{"type": "bull", "seat": 0, "from": 2}]


def test_a56_the_deal_ends_at_once_when_somebody_can_neither_lay_nor_take() -> None:
    game, state = table([[1, 2]], [50], [51], draw=[])
    state, events = after(game, state, 1)
    assert [event["type"] for event in events] == ["take", "deal_over"]
    assert events[-1]["hands"] == [[1, 2, 50], [51]]
    assert events[-1]["heads"] == [1 + 3 + 1, 1]
    assert not isinstance(state.pending, Batch)


def test_a57_one_may_take_although_one_could_lay() -> None:
    game, state = table([[10], [50]], [11], [51], draw=[60, 70])
    assert asked(state) == ("play", 0, ((11, 1), 1, 2))
    state, _ = after(game, state, 1)
    assert state.hands[0] == [10, 11]


def test_who_can_lay_nothing_must_take() -> None:
    _, state = table([[10], [50]], [10, 21, 49, 61, 9], [51])
    assert asked(state) == ("play", 0, (1, 2))


@pytest.mark.parametrize(
    ("scores", "first", "beginner"),
    [
        ([1, 2, 30], 0, 2),
        ([30, 2, 30], 1, 2),
        ([30, 2, 30], 0, 0),
        ([30, 30, 2], 2, 0),
        ([5, 5, 5], 1, 1),
    ],
)
def test_a58_the_next_deal_is_begun_by_who_has_most_in_total_clockwise_from_who_began_before(
    scores: list[int], first: int, beginner: int
) -> None:
    game = Eleven(3)
    state = game.new()
    state.deal, state.first, state.scores = 1, first, scores
    state, events = game.deal(state, game.deck())
    assert asked(state)[:2] == ("play", beginner)
    assert events[0]["first"] == state.first == beginner


def test_the_first_deal_is_begun_by_the_starting_seat_and_ten_cards_are_dealt_to_each() -> None:
    game = Eleven(3, start=2)
    state, events = game.deal(game.new(), game.deck())
    assert events == [{"type": "deal", "deal": 1, "first": 2, "stacks": [[31]]}]
    assert state.hands == [list(range(1, 11)), list(range(11, 21)), list(range(21, 31))]
    assert state.draw == list(range(100, 31, -1))
    assert asked(state) == ("play", 2, (1,))


def test_the_deal_ends_at_once_when_a_hand_is_empty() -> None:
    game, state = table([[10]], [11], [13, 51])
    state, events = after(game, state, (11, 1))
    assert events[-1] == {
        "type": "deal_over",
        "deal": 1,
        "heads": [0, 5 + 1],
        "scores": [0, 6],
        "hands": [[], [13, 51]],
    }


def test_bulls_score_nothing_and_go_back_between_deals() -> None:
    game, state = table([[10]], [11], [51], bulls=[7, 3])
    state, events = after(game, state, (11, 1))
    assert events[-1]["heads"] == [0, 1]
    state, _ = game.deal(state, game.deck())
    assert state.bulls == [0, 0]
    assert state.known == [[], []]


def test_the_fallback_lays_the_nearest_card_and_takes_the_stack_with_the_fewest_heads() -> None:
    game, state = table([[10], [50]], [15, 52, 99], [51])
    assert game.fallback(state, 0) == (52, 2)
    game, state = table([[98], [50]], [2, 59], [51])
    assert game.fallback(state, 0) == (2, 1), "four steps from 98 around the circle"
    game, state = table([[33], [1, 4], [6, 8]], [99], [51])
    assert game.fallback(state, 0) == 2


def test_a_turn_is_counted_when_everybody_has_moved_from_who_began_the_deal() -> None:
    game = Eleven(3, start=0)
    state = stacks_position(game, [[10]], [[11, 50], [12, 51], [13, 52]], draw=[60, 70], first=1)
    seen = []
    for move in ((12, 1), (13, 1), 1, 1):
        seen.append((asked(state)[1], state.turn))
        state, _ = after(game, state, move)
    assert seen == [(1, 1), (2, 1), (0, 1), (1, 2)]


@given(data=st.data())
def test_every_card_that_fits_and_every_stack_is_offered(data: st.DataObject) -> None:
    game = data.draw(games(Eleven))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state = done.after
        if not isinstance(state.pending, Batch) or state.pending.kind == "bull":
            continue
        kind, seat, options = asked(state)
        tops = dict(enumerate(state.stacks, 1))
        used = {number for _, number in state.laid}
        if len(used) >= max(1, state.bulls[seat]):
            tops = {number: tops[number] for number in used}
        laid = {card for card, _ in state.laid}
        lays = []
        for number, stack in tops.items():
            (*_, top) = [card for card in stack if card not in laid]
            lays += [(card, number) for card in state.hands[seat] if (card - top) % 100 in range(1, 11)]
        others = ["stop"] if kind == "more" else list(range(1, len(state.stacks) + 1))
        assert (kind == "more") == bool(state.laid)
        assert sorted(options, key=str) == sorted([*lays, *others], key=str)
