"""What holds at every moment of a game of four rows."""

from collections import Counter
from itertools import chain, groupby, pairwise
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.variants.double import MOST_TURNED
from tests.arena.games.rules.oracle import heads
from tests.arena.games.rules.playing import (
    DRAFTS,
    AnyRowGame,
    RowGameType,
    drafting,
    every_game_of_four_rows,
    games,
    places,
    policies,
    seeds,
    steps,
)

SEVERAL_ROW_DECISIONS = {"nifty", "hand"}
"""Games in which several cards of a turn may fit nowhere. (Elsewhere all that follow one are higher, and fit beside it.)"""

ANY_CARD = SEVERAL_ROW_DECISIONS | {"professional"}
"""Games in which it need not be the lowest card of the turn."""


def cards_of(state: Any) -> Counter[int]:
    """How often each card is somewhere on the table or in a hand."""
    return Counter(chain.from_iterable(places(state)))


@every_game_of_four_rows
@given(data=st.data())
def test_every_card_of_the_deck_is_in_one_place(kind: RowGameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    deck: Counter[int] = Counter()
    undealt: Counter[int] = Counter()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        cards = cards_of(done.after)
        if done.dealt:
            shuffle = done.before.pending
            assert isinstance(shuffle, Shuffle)
            deck = Counter(shuffle.deck)
            undealt = deck - (cards if kind.id in DRAFTS else Counter(done.given))
            if kind.id == "double":  # fewer may have been turned up than could have been
                turned = done.given[-MOST_TURNED:]
                beginnings = list(chain.from_iterable(done.after.rows))
                assert sorted(turned[: len(beginnings)]) == sorted(beginnings)
                undealt += Counter(turned[len(beginnings) :])
        assert cards + undealt == deck


@every_game_of_four_rows
@given(data=st.data())
def test_a_position_drawn_anew_has_the_same_open_cards_and_no_card_twice(
    kind: RowGameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    deck: Counter[int] = Counter()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if isinstance(shuffle := done.before.pending, Shuffle):
            deck = Counter(shuffle.deck)
        for seat in range(game.seats):
            state = game.resample(done.after, seat, chance.shuffle)
            assert places(state)[game.seats :] == places(done.after)[game.seats :]
            assert state.hands[seat] == done.after.hands[seat]
            assert [len(hand) for hand in state.hands] == [len(hand) for hand in done.after.hands]
            assert all(hand == sorted(hand) for hand in state.hands)
            assert cards_of(state) <= deck


@every_game_of_four_rows
@given(data=st.data())
def test_rows_rise_and_have_at_most_five_cards_and_four_different_ends(kind: RowGameType, data: st.DataObject) -> None:
    """In the double game equal cards beside each other are one."""
    most_equal = 2 if kind.id == "double" else 1
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        rows = done.after.rows
        if drafting(done.after):
            assert rows == []
            continue
        assert len(rows) == 4
        for row in rows:
            positions = [list(group) for _, group in groupby(row)]
            assert 1 <= len(positions) <= 5
            assert all(len(equal) <= most_equal for equal in positions)
            assert all(low < high for (low, *_), (high, *_) in pairwise(positions))
        assert len({row[-1] for row in rows}) == 4


@every_game_of_four_rows
@given(data=st.data())
def test_heads_are_those_of_the_piles_and_rows_and_scores_add_up_over_the_deals(
    kind: RowGameType, data: st.DataObject
) -> None:
    """Shared rows and, at the end of a deal, hands count in their own ways."""
    game = data.draw(games(kind))
    earlier = [0] * game.seats
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            earlier = list(done.before.scores)
        state = done.after
        over = not isinstance(state.pending, Batch)
        assert state.row_heads == [sum(map(heads, row)) for row in state.rows]
        expected = [sum(map(heads, pile)) for pile in state.piles]
        if kind.id == "double":
            for one, other, cards in state.shared:
                for seat in (one, other):
                    expected[seat] += -(-sum(map(heads, cards)) // 2)
        if kind.id == "hand" and over:
            expected = [pile + 2 * sum(map(heads, hand)) for pile, hand in zip(expected, state.hands, strict=True)]
        assert state.heads == expected
        if kind.id == "hand" and not over:
            assert state.scores == earlier
        else:
            assert state.scores == [before + now for before, now in zip(earlier, state.heads, strict=True)]


def hand_sizes(game: AnyRowGame, state: Any) -> list[int]:
    """How many cards each seat has left, as it follows from the turn and from what is asked."""
    if not isinstance(state.pending, Batch):
        return [0] * game.seats
    after = game.hand_size - state.turn * (2 if game.id == "nifty" else 1)
    match state.pending.kind:
        case "draft":
            taken = 10 * game.seats + 4 - len(state.pool)
            return [-(-(taken - (seat - game.start) % game.seats) // game.seats) for seat in range(game.seats)]
        case "card" if game.id == "open":
            played = {seat for _, seat in state.queue}
            return [after + (seat not in played) for seat in range(game.seats)]
        case "card":
            return [after + 1] * game.seats
        case "cards":
            return [after + 2] * game.seats
    return [after] * game.seats


@every_game_of_four_rows
@given(data=st.data())
def test_hands_are_sorted_and_as_large_as_the_turn_leaves_them(kind: RowGameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state = done.after
        assert all(hand == sorted(hand) for hand in state.hands)
        if kind.id == "hand":
            assert all(len(hand) <= 16 for hand in state.hands)
        else:
            assert [len(hand) for hand in state.hands] == hand_sizes(game, state)


@every_game_of_four_rows
@given(data=st.data())
def test_a_row_is_asked_for_where_a_card_fits_nowhere_and_only_once_a_turn_for_the_lowest(
    kind: RowGameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    played: list[tuple[int, int]] = []
    asked = 0
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        batch = done.after.pending
        for event in done.events:
            match event:
                case {"type": "play", "cards": cards}:
                    played = list(enumerate(cards))
                case {"type": "lay", "seat": seat, "card": card}:
                    played.append((seat, card))
                case {"type": "place"}:
                    played = [] if not done.after.queue else played
        asks = isinstance(batch, Batch) and batch.kind == "row"
        asked = (asked if done.after.turn == done.before.turn else 0) + asks
        if asks:
            assert batch.options == ((1, 2, 3, 4),)
            card, seat = done.after.queue[0]
            assert batch.seats == (seat,)
            if kind.id == "professional":
                assert all(row[0] < card < row[-1] for row in done.after.rows)
            else:
                assert all(card < row[-1] for row in done.after.rows)
            assert asked == 1 or kind.id in SEVERAL_ROW_DECISIONS
            if kind.id not in ANY_CARD:
                assert len(played) == game.seats, "all have played"
                assert card == min(card for _, card in played)
                assert sorted((card, seat) for seat, card in played) == sorted(done.after.queue), "none is placed"
        elif not done.dealt and kind.id not in ANY_CARD and "row" in [decision.kind for decision in kind.decisions]:
            complete = len(played) == game.seats and not asks
            assert not complete, "nobody was asked, so all cards are placed"


@every_game_of_four_rows
@given(data=st.data())
def test_the_chooser_of_a_row_takes_it_and_begins_it_anew(kind: RowGameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        before, after = done.before, done.after
        if done.dealt or before.pending.kind != "row":
            continue
        (seat,), (row,) = before.pending.seats, done.given
        (card, owner), taken = before.queue[0], before.rows[row - 1]
        assert owner == seat
        twins = [other for other, owner in before.queue if other == card]
        cost = sum(map(heads, taken))
        place = done.events[0]
        assert place["placed"][0] == (seat, card, row, cost if len(twins) == 1 else -(-cost // 2))
        size = len(before.piles[seat])
        if len(twins) == 2:
            assert after.shared[len(before.shared)] == (seat, before.queue[1][1], taken)
        elif kind.id == "hand":
            assert after.taken == taken
        else:
            assert after.piles[seat][size:][: len(taken)] == taken
