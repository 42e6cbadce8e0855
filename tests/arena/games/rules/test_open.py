"""The open game: one test for each ruling, by its number."""

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.open import Open
from tests.arena.games.rules.playing import Step, steps
from tests.arena.games.rules.positions import after, asked, position


def test_a26_the_one_is_the_marker_so_that_there_are_not_enough_cards_for_ten() -> None:
    assert Open(9).deck() == tuple(range(2, 105))
    assert Open.seat_range == (2, 9)


def who_begins(match: list[Step], seats: int) -> list[int]:
    """By turn, the seat that plays first."""
    plays = [
        done.before.pending.seats[0]
        for done in match
        if isinstance(done.before.pending, Batch) and done.before.pending.kind == "card"
    ]
    for at in range(0, len(plays), seats):
        assert plays[at : at + seats] == [(plays[at] + seat) % seats for seat in range(seats)], "clockwise"
    return plays[::seats]


def test_a27_the_marker_goes_on_after_each_turn_also_into_the_next_deal() -> None:
    match = list(steps(Open(4, {"deals": 2}, start=3), seed=1))
    assert who_begins(match, 4) == [(3 + turn) % 4 for turn in range(20)]


def test_a27_reset_marker_begins_every_deal_at_the_starting_seat() -> None:
    match = list(steps(Open(4, {"deals": 2, "reset_marker": True}, start=3), seed=1))
    assert who_begins(match, 4) == [(3 + turn) % 4 for turn in range(10)] * 2


def test_cards_lie_in_the_order_they_were_played_and_then_in_that_of_their_placing() -> None:
    game = Open(3, start=2)
    state = position(game, [[50], [60], [70], [80]], [[10, 104], [20, 103], [30, 102]])
    assert asked(state) == ("card", 2, (30, 102))
    state, events = after(game, state, 30)
    assert events == [{"type": "lay", "seat": 2, "card": 30}]
    state, _ = after(game, state, 10)
    assert game.public(state)["played"] == [(2, 30), (0, 10)]
    assert asked(state) == ("card", 1, (20, 103))
    state, _ = after(game, state, 103)
    assert game.public(state)["played"] == [(0, 10), (2, 30), (1, 103)]
    assert asked(state) == ("row", 0, (1, 2, 3, 4))
    assert game.public(state)["first"] == 2
    state, _ = after(game, state, 1)
    assert game.public(state)["first"] == 0
    assert asked(state) == ("card", 0, (104,))
