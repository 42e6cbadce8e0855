"""Requests and answers: what is offered can be played, and what is not offered cannot."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.variants.standard import Standard
from bullring.errors import IllegalAnswer
from tests.arena.games.rules.playing import GameType, every_game, fallback, first, games, last, policies, seeds, steps
from tests.arena.games.rules.positions import position

NO_OPTIONS: tuple[Any, ...] = (0, -1, 105, 2**63, "", "5", (), (1,), (1, 2, 3), None)
"""Answers that no request of any game offers. (Those that are offered somewhere are left out there.)"""


def refused(do: Callable[[Any, Sequence[Any]], object], state: Any, answers: Sequence[Any]) -> None:
    """`do` raises and leaves the state as it was."""
    before = state.copy()  # which shares nothing with it: see test_values
    with pytest.raises(IllegalAnswer) as caught:
        do(state, answers)
    assert str(caught.value)
    assert state == before


@every_game
@given(data=st.data())
def test_a_bot_that_always_takes_the_first_option_plays_every_match_to_its_end(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    *_, end = steps(game, data.draw(seeds), data.draw(st.sampled_from([first, last])))
    assert end.after.pending is None


@every_game
@given(data=st.data())
def test_every_request_has_different_options_in_a_steady_order(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        batch = done.after.pending
        if not isinstance(batch, Batch):
            continue
        assert len(batch.seats) == 1 or kind.decision(batch.kind).begins_move
        assert len(batch.seats) == len(set(batch.seats)) == len(batch.options)
        assert set(batch.seats) <= set(range(game.seats))
        for options in batch.options:
            assert options
            assert len(set(options)) == len(options)
            if all(isinstance(option, int) for option in options):
                assert list(options) == sorted(options)


@every_game
@given(data=st.data())
def test_options_are_what_the_wire_can_carry(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        batch = done.after.pending
        if isinstance(batch, Batch):
            for option in [option for options in batch.options for option in options]:
                parts = option if isinstance(option, tuple) else (option,)
                assert all(type(part) is int or type(part) is str for part in parts)
                assert msgpack.unpackb(msgpack.packb(option), use_list=False) == option


@every_game
@given(data=st.data())
def test_the_fallback_is_one_of_the_options_and_always_the_same(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        batch = done.after.pending
        if not isinstance(batch, Batch):
            continue
        before = done.after.copy()
        for index, options in enumerate(batch.options):
            chosen = game.fallback(done.after, index)
            assert chosen in options
            assert game.fallback(done.after.copy(), index) == chosen
        assert done.after == before


@every_game
def test_there_is_no_fallback_where_no_decision_is_pending(kind: GameType) -> None:
    game = kind(kind.seat_range[0])
    with pytest.raises(IllegalAnswer, match="no decision is pending"):
        game.fallback(game.new(), 0)


@every_game
@given(data=st.data())
def test_an_illegal_answer_is_refused_and_leaves_the_state_as_it_was(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    for done in steps(game, data.draw(seeds)):
        batch = done.after.pending
        if not isinstance(batch, Batch):
            continue
        good = [chance.choice(options) for options in batch.options]
        index = chance.randrange(len(good))
        others = [o for at, options in enumerate(batch.options) if at != index for o in options]
        for junk in (chance.choice(NO_OPTIONS), chance.choice(others or NO_OPTIONS)):
            if junk in batch.options[index]:
                continue
            answers = [*good[:index], junk, *good[index + 1 :]]
            refused(game.apply, done.after, answers)
            refused(game.advance, done.after, answers)


@every_game
@given(data=st.data())
def test_too_few_and_too_many_answers_are_refused(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        batch = done.after.pending
        if isinstance(batch, Batch):
            good = [options[0] for options in batch.options]
            for answers in (good[:-1], [*good, good[0]], []):
                refused(game.apply, done.after, answers)
                refused(game.advance, done.after, answers)


@every_game
@given(data=st.data())
def test_answers_and_cards_come_only_when_they_are_wanted(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    cards: Sequence[int] = ()
    for done in steps(game, data.draw(seeds), fallback):
        if done.dealt:
            cards = done.given
        if not isinstance(done.after.pending, Batch):
            refused(game.apply, done.after, [1] * game.seats)
            refused(game.advance, done.after, [1])
        if not isinstance(done.after.pending, Shuffle):
            refused(game.deal, done.after, cards)
            refused(game.advance_deal, done.after, cards)


@every_game
@given(data=st.data())
def test_only_cards_of_the_deck_can_be_dealt_and_none_twice(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    state = game.new()
    shuffle = state.pending
    assert isinstance(shuffle, Shuffle)
    good = Random(data.draw(seeds)).sample(shuffle.deck, shuffle.cards)
    bad = [[*good, shuffle.deck[0]]]
    if good:
        at = data.draw(st.integers(0, len(good) - 1))
        bad += [good[:-1], []]
        bad += [[*good[:at], stranger, *good[at + 1 :]] for stranger in (0, -1, max(shuffle.deck) + 1)]
        bad += [_doubled(good, at, Counter(shuffle.deck))]
    for cards in bad:
        refused(game.deal, state, cards)
        refused(game.advance_deal, state, cards)


def _doubled(cards: Sequence[int], at: int, deck: Counter[int]) -> list[int]:
    """The cards with one of them once more than the deck has it."""
    card = cards[at]
    result, missing = list(cards), deck[card] + 1 - cards.count(card)
    for place in range(len(cards)):
        if missing and result[place] != card:
            result[place] = card
            missing -= 1
    return result


def test_a_refusal_names_the_seat_and_its_hand() -> None:
    game = Standard(2)
    state = position(game, [[1], [2], [3], [4]], [[10, 20], [30, 40]])
    with pytest.raises(IllegalAnswer, match=r"^seat 1 must answer card with one of \[30, 40\], not 10$"):
        game.apply(state, [20, 10])
