"""When a match is over: only between deals, and by the rule that was agreed on."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Batch, Shuffle
from arena.rules.variants.online import Online
from arena.rules.variants.standard import Standard
from tests.rules.playing import GameType, every_game, every_game_of_four_rows, games, policies, seeds, steps
from tests.rules.positions import position

ROWS = [[10], [20], [30], [40]]


def after_the_last_turn(options: Mapping[str, object], scores: list[int]) -> object:
    """What is pending after a deal in which nobody took anything more."""
    game = Standard(2, options)
    state, events = game.apply(position(game, ROWS, [[41], [42]], scores), [41, 42])
    assert events[-1] == {"type": "deal_over", "deal": 1, "heads": [0, 0], "scores": scores}
    return state.pending


@pytest.mark.parametrize(
    ("options", "highest", "over"),
    [
        ({}, 66, False),
        ({}, 67, True),
        ({"target_rule": "over"}, 66, False),
        ({"target_rule": "reach"}, 65, False),
        ({"target_rule": "reach"}, 66, True),
        ({"target": 1}, 1, False),
        ({"target": 1}, 2, True),
        ({"target": 1, "target_rule": "reach"}, 0, False),
        ({"target": 1, "target_rule": "reach"}, 1, True),
        ({"target": 100_000}, 100_000, False),
        ({"target": 100_000}, 100_001, True),
        ({"deals": 1}, 0, True),
        ({"deals": 2}, 1000, False),
        ({"deals": 1, "target": 100_000}, 0, True),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_match_is_over_when_one_total_passes_the_target(
    options: Mapping[str, object], highest: int, over: bool, seat: int
) -> None:
    scores = [0, 0]
    scores[seat] = highest
    pending = after_the_last_turn(options, scores)
    assert (pending is None) == over
    assert over or isinstance(pending, Shuffle)


def test_the_target_is_not_looked_at_within_a_deal() -> None:
    game = Standard(2)
    state, _ = game.apply(position(game, ROWS, [[41, 43], [42, 44]], [200, 0]), [41, 42])
    assert isinstance(state.pending, Batch)


def test_a_row_taken_with_the_last_card_counts_before_the_end_is_judged() -> None:
    game = Standard(2, {"target": 26})
    rows = [[55, 66, 77, 88, 99], [1], [2], [3]]
    state, events = game.apply(position(game, rows, [[104], [4]]), [104, 4])
    assert events[-1]["scores"] == [27, 0]
    assert state.pending is None


@pytest.mark.parametrize("deals", [1, 2, 7])
@pytest.mark.parametrize("kind", [Standard, *[game for game in Standard.__subclasses__() if game is not Online]])
def test_exactly_so_many_deals_are_played(kind: type[Standard], deals: int) -> None:
    match = list(steps(kind(2, {"deals": deals, "target": 1}), seed=5))
    assert sum(done.dealt for done in match) == deals
    assert match[-1].after.deal == deals


@every_game_of_four_rows
@given(data=st.data())
def test_the_match_goes_on_after_a_deal_exactly_until_its_rule_ends_it(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    chosen = game.options
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state = done.after
        if isinstance(state.pending, Batch):
            assert state.hands[0] or state.queue
            continue
        highest = max(state.scores)
        if "target" not in chosen:
            over = state.deal == 1
        elif chosen["deals"] is not None:
            over = state.deal == chosen["deals"]
        elif chosen["target_rule"] == "over":
            over = highest > int(chosen["target"] or 0)
        else:
            over = highest >= int(chosen["target"] or 0)
        assert (state.pending is None) == over


@every_game
@given(data=st.data())
def test_deals_and_turns_are_counted_from_one(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    deal = turn = 0
    for done in steps(game, data.draw(seeds)):
        if done.dealt:
            deal += 1
            turn = 0
        state = done.after
        assert state.deal == deal
        assert turn <= state.turn <= turn + 1
        assert state.turn >= 1
        turn = state.turn
    assert deal >= 1
