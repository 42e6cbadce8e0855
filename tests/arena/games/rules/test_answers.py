"""Requests and answers: what is offered can be played, and what is not offered cannot."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch, Shuffle
from bullring.arena.games.rules.variants.standard import Standard
from bullring.errors import IllegalAnswer
from tests.arena.games.rules.playing import (
    AnyGame,
    GameType,
    every_game,
    fallback,
    games,
    policies,
    seeds,
    steps,
)
from tests.arena.games.rules.positions import position

NO_OPTIONS: tuple[Any, ...] = (0, -1, 105, 2**63, "", "5", (), (1,), (1, 2, 3), None)
"""Answers that no request of any game offers. (Those that are offered somewhere are left out there.)"""


def questions(game: AnyGame, data: st.DataObject) -> Iterator[tuple[Any, Batch]]:
    """All positions of a match in which something is asked."""
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        if isinstance(batch := done.after.pending, Batch):
            yield done.after, batch


def refused(do: Callable[[Any, Sequence[Any]], object], state: Any, answers: Sequence[Any]) -> None:
    """`do` raises and leaves the state as it was."""
    before = state.copy()  # which shares nothing with it: see test_values
    with pytest.raises(IllegalAnswer) as caught:
        do(state, answers)
    assert str(caught.value)
    assert state == before


@every_game
@given(data=st.data())
def test_every_request_offers_different_declared_options_in_a_steady_order_with_a_fallback_among_them(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    answers = {decision.kind: {*decision.answers(game)} for decision in kind.decisions}
    parts = {decision.kind: {*decision.parts(game)} for decision in kind.decisions}
    for state, batch in questions(game, data):
        assert len(batch.seats) == 1 or kind.decision(batch.kind).begins_move
        assert len(batch.seats) == len(set(batch.seats)) == len(batch.options)
        assert set(batch.seats) <= set(range(game.seats))
        before = state.copy()
        for index, options in enumerate(batch.options):
            assert len(set(options)) == len(options) > 0
            if all(isinstance(option, int) for option in options):
                assert list(options) == sorted(options)
            for option in options:
                pieces = option if isinstance(option, tuple) else (option,)
                assert all(type(piece) is int or type(piece) is str for piece in pieces)
                assert msgpack.unpackb(msgpack.packb(option), use_list=False) == option
                assert parts[batch.kind].issuperset(option) if option is pieces else option in answers[batch.kind]
            assert game.fallback(state, index) in options
            assert game.fallback(state.copy(), index) == game.fallback(state, index)
        assert state == before


@every_game
def test_there_is_no_fallback_where_no_decision_is_pending(kind: GameType) -> None:
    game = kind(kind.seat_range[0])
    with pytest.raises(IllegalAnswer, match="no decision is pending"):
        game.fallback(game.new(), 0)


@every_game
@given(data=st.data())
def test_illegal_and_too_few_and_too_many_answers_are_refused(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    for state, batch in questions(game, data):
        good = [chance.choice(options) for options in batch.options]
        index = chance.randrange(len(good))
        others = [o for at, options in enumerate(batch.options) if at != index for o in options]
        wrong = [good[:-1], [*good, good[0]], []]
        for junk in (chance.choice(NO_OPTIONS), chance.choice(others or NO_OPTIONS)):
            if junk not in batch.options[index]:
                wrong.append([*good[:index], junk, *good[index + 1 :]])
        for answers in wrong:
            refused(game.apply, state, answers)
            refused(game.advance, state, answers)


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
