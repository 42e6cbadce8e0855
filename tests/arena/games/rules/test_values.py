"""A state is a value: nobody's answer changes what was there before, and the same answers make the same match."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Shuffle
from tests.arena.games.rules.playing import GameType, every_game, games, policies, seeds, step, steps


@every_game
@given(data=st.data())
def test_deal_and_apply_change_nothing_of_what_they_are_given(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    state = game.new()
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        before, given_before = deepcopy(state), deepcopy(done.given)
        again = step(game, state, done.given)
        assert state == before
        assert done.given == given_before
        assert (again.after, again.events) == (done.after, done.events)
        state = done.after


@every_game
@given(data=st.data())
def test_a_step_in_place_comes_to_the_same_as_one_on_a_copy_and_its_events_stay(
    kind: GameType, data: st.DataObject
) -> None:
    """The journal keeps events while the match goes on in place, and callers use the list of answers again."""
    game = data.draw(games(kind))
    state, told, kept = game.new(), [], []
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        handed_in = list(done.given)
        events = (game.advance_deal if isinstance(state.pending, Shuffle) else game.advance)(state, handed_in)
        handed_in.clear()
        assert state == done.after
        assert events == done.events
        told.append(events)
        kept.append(deepcopy(events))
    assert told == kept


@every_game
@given(data=st.data())
def test_a_copy_is_equal_and_shares_nothing_that_may_change(kind: GameType, data: st.DataObject) -> None:
    game = data.draw(games(kind))
    for done in steps(game, data.draw(seeds)):
        twin = done.after.copy()
        assert twin == done.after
        shared = {id(part): part for part in _changeable(done.after)}.keys() & {id(part) for part in _changeable(twin)}
        assert not shared


def _changeable(value: Any) -> Iterator[Any]:
    """All lists, sets, maps and records in `value`, itself included."""
    if is_dataclass(value):
        yield value
        for part in fields(value):
            yield from _changeable(getattr(value, part.name))
    elif isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _changeable(item)
    elif isinstance(value, list | set):
        yield value
        for item in value:
            yield from _changeable(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from _changeable(item)
