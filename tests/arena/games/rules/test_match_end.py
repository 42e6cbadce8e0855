"""The end of a match: only between deals, and by the rule that was agreed on."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.variants.eleven import Eleven
from bullring.arena.games.rules.variants.hand import Hand
from bullring.arena.games.rules.variants.standard import Standard
from tests.arena.games.rules.playing import (
    AnyGame,
    GameType,
    drafting,
    every_game,
    fallback,
    games,
    policies,
    seeds,
    steps,
)
from tests.arena.games.rules.positions import position

ROWS = [[10], [20], [30], [40]]


def after_the_last_turn(options: Mapping[str, object], scores: list[int]) -> object:
    """The pending step after a deal in which no seat takes anything more."""
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


HAS_DEALS = {name: kind for name, kind in GAMES.items() if any(spec.name == "deals" for spec in kind.option_specs)}


@pytest.mark.parametrize("deals", [1, 2, 7])
@pytest.mark.parametrize("kind", HAS_DEALS.values(), ids=HAS_DEALS)
def test_exactly_so_many_deals_are_played(kind: GameType, deals: int) -> None:
    target = {"target": 1} if any(spec.name == "target" for spec in kind.option_specs) else {}
    match = list(steps(kind(2, {"deals": deals, **target}), seed=5))
    assert sum(done.dealt for done in match) == deals
    assert match[-1].after.deal == deals


def test_games_whose_number_of_deals_cannot_be_chosen() -> None:
    assert [kind(4).planned_deals() for kind in (GAMES["online"], GAMES["tournament"])] == [1, 4]


@pytest.mark.parametrize(("game", "deals"), [(Eleven(2), 2), (Eleven(3), 3), (Eleven(7), 7), (Hand(3), 1)], ids=repr)
def test_eleven_has_a_deal_for_each_seat_and_hand_one_if_nothing_else_is_said(game: AnyGame, deals: int) -> None:
    """A51 and A37."""
    *_, end = steps(game, seed=1, policy=fallback)
    assert end.after.deal == deals


@every_game
@given(data=st.data())
def test_deals_and_turns_are_counted_from_one_until_the_rule_ends_the_match(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    chosen, target = game.options, int(game.options.get("target") or 0)
    deal = turn = 0
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            deal, turn = deal + 1, 0
        state = done.after
        assert state.deal == deal
        assert turn <= state.turn <= turn + 1
        assert state.turn >= 1 or (state.turn == 0 and drafting(state))
        turn = state.turn
        ended = any(event["type"] == "deal_over" for event in done.events)
        assert ended == (not isinstance(state.pending, Batch))
        if not ended:
            continue
        highest = max(state.scores)
        if (deals := game.planned_deals()) is not None:
            over = deal == deals
        else:
            over = highest > target if chosen["target_rule"] == "over" else highest >= target
        assert (state.pending is None) == over
    assert deal >= 1
