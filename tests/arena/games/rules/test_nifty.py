"""The nifty game: one test for each ruling, by its number."""

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.variants.nifty import Nifty
from tests.arena.games.rules.positions import after, asked, position

ROWS = [[10], [30], [50], [70]]


def test_a28_next_is_who_has_the_lowest_card_among_those_who_have_not_placed() -> None:
    """After seat 1, seat 2 has 13 and seat 0 has 12: cards that lie on the table do not count."""
    game = Nifty(3)
    pairs = [(12, 71), (11, 100), (13, 31)]
    state, _ = game.apply(position(game, ROWS, pairs), pairs)
    assert asked(state) == ("order", 1, (11, 100))
    state, _ = after(game, state, 100)
    assert asked(state) == ("order", 0, (12, 71))
    state, _ = after(game, state, 71)
    assert asked(state) == ("order", 2, (13, 31))


def test_a29_the_order_is_chosen_when_its_owner_places_and_not_before() -> None:
    game = Nifty(2)
    pairs = [(11, 71), (12, 31)]
    state, events = game.apply(position(game, ROWS, pairs), pairs)
    assert events == [{"type": "play", "turn": 1, "cards": [[11, 71], [12, 31]]}]
    state, events = after(game, state, 71)
    assert events == [{"type": "place", "placed": [(0, 71, 4, 0), (0, 11, 1, 0)]}]
    assert asked(state) == ("order", 1, (12, 31))
    assert game.public(state)["rows"] == [[10, 11], [30], [50], [70, 71]]
    assert game.public(state)["played"] == [(1, 12), (1, 31)]


def test_both_cards_of_a_seat_are_placed_before_those_of_the_next_also_where_a_row_is_asked_for() -> None:
    game = Nifty(2)
    pairs = [(1, 2), (3, 4)]
    state, _ = game.apply(position(game, ROWS, pairs), pairs)
    assert asked(state) == ("order", 0, (1, 2))
    state, _ = after(game, state, 2)
    assert asked(state) == ("row", 0, (1, 2, 3, 4))
    assert game.public(state)["played"] == [(0, 2), (0, 1), (1, 3), (1, 4)]
    state, _ = after(game, state, 4)
    assert asked(state) == ("row", 0, (1, 2, 3, 4)), "the 1 is low, too"
    state, _ = after(game, state, 4)
    assert state.rows == [[10], [30], [50], [1]]
    assert state.piles == [[70, 2], []]
    assert asked(state) == ("order", 1, (3, 4))


def test_a_pair_is_two_different_cards_of_the_hand_the_lower_one_first() -> None:
    game = Nifty(2)
    state = position(game, ROWS, [[90, 80, 100], [81, 91, 99]])
    assert isinstance(state.pending, Batch)
    assert state.pending.options == (((80, 90), (80, 100), (90, 100)), ((81, 91), (81, 99), (91, 99)))


def test_a_deal_has_seven_turns() -> None:
    game = Nifty(2, {"deals": 1})
    state, _ = game.deal(game.new(), range(1, 33))
    turns = 0
    while isinstance(state.pending, Batch):
        turns += state.pending.kind == "cards"
        state, _ = game.apply(state, [options[0] for options in state.pending.options])
    assert turns == state.turn == 7
