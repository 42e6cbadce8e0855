"""What a seat may not know is in nothing that it is told."""

from copy import deepcopy
from random import Random
from typing import Any

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Batch
from tests.rules.playing import (
    AnyGame,
    GameType,
    Step,
    every_game,
    every_game_of_four_rows,
    games,
    policies,
    seeds,
    steps,
)

OPEN_HANDS = {"logic", "tournament"}
"""Games in which all hands are public, so that nothing can be drawn anew."""


def told(game: AnyGame, state: Any, seat: int) -> bytes:
    """All that `seat` is told when it is asked, as it goes over the wire."""
    batch = state.pending
    asked = isinstance(batch, Batch) and seat in batch.seats
    options = batch.options[batch.seats.index(seat)] if asked else None
    return bytes(msgpack.packb([game.view(state, seat), options]))


@every_game
@given(data=st.data())
def test_a_view_stays_the_same_when_all_that_its_seat_cannot_see_is_drawn_anew(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        before = deepcopy(done.after)
        for seat in range(game.seats):
            other = game.resample(done.after, seat, chance.shuffle)
            assert told(game, other, seat) == told(game, done.after, seat)
            assert msgpack.packb(game.public(other)) == msgpack.packb(game.public(done.after))
        assert done.after == before


@every_game
def test_drawing_anew_really_changes_what_others_hold(kind: GameType) -> None:
    if kind.id in OPEN_HANDS:
        return
    game = kind(kind.seat_range[1])
    changed = set()
    for done in steps(game, seed=1):
        for seat in range(game.seats):
            for shuffle in (Random(2).shuffle, list.reverse):
                other = game.resample(done.after, seat, shuffle)
                if any(told(game, other, s) != told(game, done.after, s) for s in range(game.seats)):
                    changed.add(seat)
    assert changed == set(range(game.seats))


@every_game
@given(data=st.data())
def test_a_position_drawn_anew_can_be_played_to_its_end(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    match = list(steps(game, data.draw(seeds)))
    done = data.draw(st.sampled_from(match))
    seat = data.draw(st.integers(0, game.seats - 1))
    state = game.resample(done.after, seat, Random(data.draw(seeds)).shuffle)
    while isinstance(batch := state.pending, Batch):
        state, _ = game.apply(state, [game.fallback(state, index) for index in range(len(batch.seats))])
    assert state.deal == done.after.deal


@every_game
@given(data=st.data())
def test_a_view_is_the_public_part_with_the_seat_and_its_hand_and_the_wire_can_carry_it(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        public = game.public(done.after)
        assert not public.keys() & {"seat", "hand"}
        for seat in range(game.seats):
            assert game.view(done.after, seat) == public | {"seat": seat, "hand": game.hand(done.after, seat)}
            assert all(type(card) is int for card in game.hand(done.after, seat))
        packed = msgpack.packb([public, done.events])
        assert msgpack.packb(msgpack.unpackb(packed)) == packed
        assert all(type(event["type"]) is str for event in done.events)


@every_game_of_four_rows
@given(data=st.data())
def test_no_card_that_is_still_in_a_hand_is_ever_public(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        held = {card for hand in done.after.hands for card in hand}
        assert not held & cards_told(game, done)


def cards_told(game: AnyGame, done: Step) -> set[int]:
    """All cards in the public view and in the events. What is a card and what another number is listed here in full."""
    view = game.public(done.after)
    assert view.keys() == {"deal", "turn", "rows", "row_heads", "played", "piles", "heads", "scores"}
    cards = {card for cards in (*view["rows"], *view["piles"]) for card in cards} | {card for _, card in view["played"]}
    for event in done.events:
        match event:
            case {"type": "deal", "deal": _, "rows": rows, **rest}:
                cards |= {card for row in rows for card in row}
            case {"type": "play", "turn": _, "cards": played, **rest}:
                cards |= set(played)
            case {"type": "place", "placed": placed, **rest}:
                cards |= {card for _, card, _, _ in placed}
            case {"type": "deal_over", "deal": _, "heads": _, "scores": _, **rest}:
                pass
            case _:
                raise AssertionError(f"a new event: say here which of its numbers are cards: {event}")
        assert not rest
    return cards
