"""Secrets: a seat is told nothing that it may not know."""

from itertools import chain
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from tests.arena.games.rules.playing import DRAFTS, AnyGame, GameType, every_game, games, places, policies, seeds, steps
from tests.arena.games.rules.readers import READERS

ONE_AFTER_THE_OTHER = {"open", "hand", "eleven"}
"""Games in which cards are played openly, by one seat after the other."""

KEEPERS = {"hand", "eleven"}
"""Games in which cards go from the table to a hand, where everybody knows them; when a deal is over, all hands are shown."""


def told(game: AnyGame, state: Any, seat: int) -> bytes:
    """The view and the options of `seat`, as they go over the wire."""
    batch = state.pending
    asked = isinstance(batch, Batch) and seat in batch.seats
    options = batch.options[batch.seats.index(seat)] if asked else None
    return bytes(msgpack.packb([game.view(state, seat), options]))


@every_game
@given(data=st.data())
def test_a_view_is_the_public_part_with_the_hand_and_the_same_whatever_its_seat_cannot_see(
    kind: GameType, data: st.DataObject
) -> None:
    game = data.draw(games(kind))
    chance = Random(data.draw(seeds))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        state, before = done.after, done.after.copy()  # which shares nothing with it: see test_values
        public = dict(game.public(state))
        assert not public.keys() & {"seat", "hand"}
        for seat in range(game.seats):
            hand = game.hand(state, seat)
            assert game.view(state, seat) == public | {"seat": seat, "hand": hand}
            assert all(type(card) is int for card in hand)
            assert "hands" not in public or public["hands"][seat] == hand
            other = game.resample(state, seat, chance.shuffle)
            assert told(game, other, seat) == told(game, state, seat)
            assert msgpack.packb(game.public(other)) == msgpack.packb(public)
        packed = msgpack.packb([public, done.events])
        assert msgpack.packb(msgpack.unpackb(packed)) == packed
        assert all(type(event["type"]) is str for event in done.events)
        assert state == before


@every_game
def test_drawing_anew_really_changes_what_others_hold(kind: GameType) -> None:
    if kind.id in DRAFTS:
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


def secret(game: AnyGame, state: Any) -> set[int]:
    """The cards that only their owners, if they have any, can know the place of."""
    if game.id in DRAFTS:
        return set()
    if game.id == "eleven":
        return {*state.draw}.union(*state.hands).difference(*state.known)
    # Of two equal cards of the double game, one may lie open while the other is hidden.
    lying = set(chain.from_iterable(places(state)[game.seats :]))
    return set(game.deck()) - lying.union(*(state.known if game.id == "hand" else ()))


@every_game
@given(data=st.data())
def test_no_hidden_card_is_ever_told(kind: GameType, data: st.DataObject) -> None:
    """Not in the public view and not in the events: no hand, no card that is turned up later, none that was not dealt."""
    if kind.id not in READERS:
        pytest.skip("the cards in its view and events are not listed here")
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        hidden = secret(game, done.after)
        assert not hidden & in_view(game, done.after)
        if kind.id in KEEPERS and not isinstance(done.after.pending, Batch):  # hands are shown
            hidden -= {card for hand in done.after.hands for card in hand}
        assert not hidden & in_events(done.events)


VIEW = {"deal", "turn", "rows", "row_heads", "played", "piles", "heads", "scores"}
MORE_IN_VIEW: dict[str, set[str]] = {
    "logic": {"pool", "hands"},
    "tournament": {"pool", "hands", "drafted", "sheet"},
    "open": {"first"},
    "hand": {"first", "second", "fresh", "taken", "hand_sizes", "known"},
    "double": {"shared"},
}
ELEVEN_VIEW = {"deal", "turn", "first", "stacks", "laid", "draw", "bulls", "hand_sizes", "known", "scores"}
"""The keys of public views. `in_view` must judge a new one, too."""


def in_view(game: AnyGame, state: Any) -> set[int]:
    """All cards in the public view. This lists in full which of its numbers are cards."""
    view = game.public(state)
    assert view.keys() == (ELEVEN_VIEW if game.id == "eleven" else VIEW | MORE_IN_VIEW.get(game.id, set()))
    lists = ("rows", "piles", "stacks", "known", "hands", "drafted")
    cards = {card for key in lists for cards in view.get(key, ()) for card in cards}
    cards |= {card for _, card in view.get("played", ())} | {card for card, _ in view.get("laid", ())}
    cards |= {card for _, _, shared in view.get("shared", ()) for card in shared}
    return cards.union(view.get("pool", ()), view.get("taken", ()), view.get("fresh", ()))


def in_events(events: list[Event]) -> set[int]:
    """All cards in these events, listed in the same way."""
    cards: set[int] = set()
    for event in events:
        match event:
            case {"type": "deal", "deal": _, "rows": rows, **rest}:
                cards |= {card for row in rows for card in row}
            case {"type": "deal", "deal": _, "first": _, "stacks": stacks, **rest}:
                cards |= {card for stack in stacks for card in stack}
            case {"type": "draft" | "lay", "seat": _, "card": card, **rest}:
                cards.add(card)
                rest.pop("stack", None)
            case {"type": "rows", "rows": rows, **rest}:
                cards |= {card for row in rows for card in row}
            case {"type": "play", "turn": _, "cards": played, **rest}:
                cards |= {card for shown in played for card in (shown if isinstance(shown, list) else [shown])}
            case {"type": "place", "placed": placed, **rest}:
                cards |= {card for _, card, _, _ in placed}
            case {"type": "keep", "seat": _, "cards": kept, "heads": _, **rest}:
                cards.update(kept)
            case {"type": "take", "seat": _, "stack": _, "cards": taken, "turned": turned, **rest}:
                cards.update(taken, turned)
            case {"type": "bull", "seat": _, "from": _, **rest}:
                pass
            case {"type": "deal_over", "deal": _, "heads": _, "scores": _, **rest}:
                cards |= {card for hand in rest.pop("hands", ()) for card in hand}
            case {"type": "sheet", "hands": hands, "heads": _, **rest}:
                cards |= {card for hand in hands for card in hand}
            case _:
                raise AssertionError(f"a new event: say here which of its numbers are cards: {event}")
        assert not rest
    return cards


@pytest.mark.parametrize("kind", [GAMES[name] for name in GAMES if name not in ONE_AFTER_THE_OTHER])
@given(data=st.data())
def test_a_hidden_play_is_told_to_nobody_before_it_is_complete(kind: GameType, data: st.DataObject) -> None:
    """All seats are asked for a card together, so there is nothing yet that could be told."""
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        batch = done.after.pending
        if isinstance(batch, Batch) and batch.kind in ("card", "cards"):
            assert batch.seats == tuple(range(game.seats))
            assert game.public(done.after)["played"] == []
