"""Logic and tournament: the draft, and the duplicate format of the tournament. One test for each ruling, by its number."""

from typing import Any

import pytest

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.logic import Logic
from bullring.arena.games.rules.variants.tournament import Tournament
from tests.arena.games.rules.playing import GameType, Step, anything, fallback, first, last, steps

draft_games = pytest.mark.parametrize("kind", [Logic, Tournament])


def drafts(match: list[Step], deal: int = 1) -> list[int]:
    """The seats in the order in which they drafted."""
    return [
        done.before.pending.seats[0]
        for done in match
        if isinstance(done.before.pending, Batch) and done.before.pending.kind == "draft" and done.after.deal == deal
    ]


@draft_games
@pytest.mark.parametrize("start", [0, 2])
def test_a16_the_starting_seat_drafts_first_and_every_lap_goes_the_same_way(kind: GameType, start: int) -> None:
    match = list(steps(kind(3, start=start), seed=1))
    assert drafts(match) == [(start + at) % 3 for at in range(30)]


def test_a16_every_deal_of_logic_has_its_own_draft_from_the_starting_seat() -> None:
    match = list(steps(Logic(3, {"deals": 2}, start=1), seed=1))
    assert drafts(match, deal=2) == drafts(match, deal=1) == [1, 2, 0] * 10


@draft_games
def test_a17_the_last_four_cards_begin_the_rows_ascending_from_the_top(kind: GameType) -> None:
    for policy in (first, last, anything):
        for done in steps(kind(2), seed=1, policy=policy):
            if done.events[-1]["type"] == "rows":
                (*_, drafted) = [event for event in done.events if event["type"] == "draft"]
                left = [card for card in done.before.pool if card != drafted["card"]]
                assert done.after.rows == [[card] for card in sorted(left)] == done.events[-1]["rows"]
                assert len(left) == 4
                assert done.after.pool == []


@draft_games
def test_nothing_is_dealt_and_all_cards_lie_open(kind: GameType) -> None:
    game = kind(2)
    state, events = game.deal(game.new(), [])
    assert events == [{"type": "deal", "deal": 1, "rows": []}]
    assert state.pool == list(range(1, 25))
    assert state.pending == Batch("draft", (0,), (tuple(range(1, 25)),))


def beginnings(match: list[Step]) -> list[Any]:
    """The position at the first card of each deal."""
    found = []
    for done in match:
        state = done.after
        if isinstance(state.pending, Batch) and state.pending.kind == "card" and state.turn == 1 and not state.queue:
            found.append(state)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a18_every_deal_of_a_tournament_begins_with_the_same_four_rows(seats: int) -> None:
    deals = beginnings(list(steps(Tournament(seats), seed=2)))
    assert len(deals) == seats
    assert all(state.rows == deals[0].rows for state in deals)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a19_a_hand_goes_to_the_left_neighbour_so_that_everybody_plays_every_hand_once(seats: int) -> None:
    match = list(steps(Tournament(seats, start=seats - 1), seed=2))
    deals = beginnings(match)
    drafted = deals[0].hands
    for number, state in enumerate(deals):
        for seat in range(seats):
            assert state.hands[(seat + number) % seats] == drafted[seat]
    assert len(drafts(match)) == 10 * seats, "there is one draft"


@pytest.mark.parametrize("seats", [2, 5])
def test_the_sheet_says_what_each_seat_took_with_each_hand_and_adds_up_to_the_scores(seats: int) -> None:
    match = list(steps(Tournament(seats), seed=2, policy=fallback))
    sheet = match[-1].events[-1]
    assert sheet["type"] == "sheet"
    assert sheet["hands"] == beginnings(match)[0].hands
    for seat in range(seats):
        assert sum(line[seat] for line in sheet["heads"]) == match[-1].after.scores[seat]
    deals_over = [event for done in match for event in done.events if event["type"] == "deal_over"]
    for number, event in enumerate(deals_over):
        for seat in range(seats):
            assert sheet["heads"][(seat - number) % seats][seat] == event["heads"][seat]


def test_the_sheet_is_empty_first_and_filled_deal_by_deal() -> None:
    for done in steps(Tournament(3), seed=2):
        played = done.after.deal - isinstance(done.after.pending, Batch)
        filled = [[heads is not None for heads in line] for line in done.after.sheet]
        assert filled == [[(seat - drafter) % 3 < played for seat in range(3)] for drafter in range(3)]
