"""What holds at every moment of a game of four rows."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Batch, Shuffle
from tests.rules.oracle import heads
from tests.rules.playing import GameType, every_game_of_four_rows, games, policies, seeds, steps

SEVERAL_ROW_DECISIONS = {"professional", "nifty", "hand"}
"""Games in which a turn can bring more than one card that fits nowhere."""


@every_game_of_four_rows
@given(data=st.data())
def test_every_card_of_the_deck_is_in_one_place(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    deck: Counter[int] = Counter()
    undealt: Counter[int] = Counter()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state = done.after
        if done.dealt:
            shuffle = done.before.pending
            assert isinstance(shuffle, Shuffle)
            deck = Counter(shuffle.deck)
            undealt = deck - Counter(done.given)
        seen: Sequence[Sequence[int]] = [*state.hands, *state.rows, *state.piles, [card for card, _ in state.queue]]
        assert Counter(card for cards in seen for card in cards) + undealt == deck


@every_game_of_four_rows
@given(data=st.data())
def test_a_position_drawn_anew_has_the_same_open_cards_and_no_card_twice(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    deck: Counter[int] = Counter()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if isinstance(shuffle := done.before.pending, Shuffle):
            deck = Counter(shuffle.deck)
        for seat in range(game.seats):
            state = game.resample(done.after, seat, chance.shuffle)
            assert (state.rows, state.piles, state.queue) == (done.after.rows, done.after.piles, done.after.queue)
            assert [len(hand) for hand in state.hands] == [len(hand) for hand in done.after.hands]
            seen = [*state.hands, *state.rows, *state.piles, [card for card, _ in state.queue]]
            assert Counter(card for cards in seen for card in cards) <= deck


@every_game_of_four_rows
@given(data=st.data())
def test_rows_rise_and_have_at_most_five_cards_and_four_different_ends(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        rows = done.after.rows
        assert len(rows) == 4
        for row in rows:
            assert 1 <= len(row) <= 5
            assert all(low < high for low, high in pairwise(row))
        assert len({row[-1] for row in rows}) == 4


@every_game_of_four_rows
@given(data=st.data())
def test_heads_are_those_of_the_piles_and_rows_and_scores_add_up_over_the_deals(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    earlier = [0] * game.seats
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if done.dealt:
            earlier = list(done.before.scores)
        state = done.after
        assert state.row_heads == [sum(map(heads, row)) for row in state.rows]
        assert state.heads == [sum(map(heads, pile)) for pile in state.piles]
        assert state.scores == [before + now for before, now in zip(earlier, state.heads, strict=True)]


@every_game_of_four_rows
@given(data=st.data())
def test_hands_are_sorted_equally_large_and_shrink_by_one_card_a_turn(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state = done.after
        assert all(hand == sorted(hand) for hand in state.hands)
        (size,) = {len(hand) for hand in state.hands}
        asked_for_a_row = bool(state.queue)
        if isinstance(state.pending, Batch):
            assert state.turn == 11 - size - asked_for_a_row
        else:
            assert size == 0


@every_game_of_four_rows
@given(data=st.data())
def test_only_the_lowest_card_of_a_turn_may_need_a_row(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    asked = 0
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        before, batch = done.before, done.after.pending
        if done.dealt:
            continue
        if before.pending.kind == "card":
            asked = 0
            lowest = min(done.given)
            fits_nowhere = all(lowest < row[-1] for row in before.rows)
            asks = isinstance(batch, Batch) and batch.kind == "row"
            assert asks == (fits_nowhere and "row" in kind.decisions)
            if asks:
                assert batch.seats == (list(done.given).index(lowest),)
                assert batch.options == ((1, 2, 3, 4),)
                assert done.after.rows == before.rows
                assert done.after.queue == sorted((card, seat) for seat, card in enumerate(done.given))
        else:
            asked += 1
            assert asked == 1 or kind.id in SEVERAL_ROW_DECISIONS
            assert isinstance(batch, Shuffle | None) or batch.kind == "card" or kind.id in SEVERAL_ROW_DECISIONS


@every_game_of_four_rows
@given(data=st.data())
def test_the_chooser_of_a_row_takes_it_and_begins_it_anew(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        before = done.before
        if not done.dealt and before.pending.kind == "row":
            (seat,), (row,) = before.pending.seats, done.given
            card, owner = before.queue[0]
            assert owner == seat
            (place,) = done.events[:1]
            assert place["placed"][0] == (seat, card, row, sum(map(heads, before.rows[row - 1])))
            size = len(before.piles[seat])
            assert done.after.piles[seat][size:][: len(before.rows[row - 1])] == before.rows[row - 1]
