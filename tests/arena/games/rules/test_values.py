"""A state is a value: nobody's answer changes what was there before, and the same answers make the same match."""

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Shuffle
from tests.arena.games.rules.playing import GameType, every_game, games, policies, seeds, step, steps


@every_game
@given(data=st.data())
def test_steps_change_nothing_that_was_there_and_come_to_the_same_in_place(kind: GameType, data: st.DataObject) -> None:
    """The journal keeps events while the match goes on in place, and callers use the list of answers again."""
    game = data.draw(games(kind))
    state, own, told, kept = game.new(), game.new(), [], []
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        before, given_before = deepcopy(state), deepcopy(done.given)
        again = step(game, state, done.given)
        assert state == before
        assert done.given == given_before
        assert (again.after, again.events) == (done.after, done.events)
        state = done.after
        handed_in = [*done.given]
        events = (game.advance_deal if isinstance(own.pending, Shuffle) else game.advance)(own, handed_in)
        handed_in.clear()
        assert (own, events) == (done.after, done.events)
        told.append(events)
        kept.append(deepcopy(events))
        twin = state.copy()
        assert twin == state
        assert not {id(part) for part in _changeable(state)} & {id(part) for part in _changeable(twin)}, (
            "nothing shared"
        )
    assert told == kept


def _changeable(value: Any) -> Iterator[Any]:
    """All lists, sets, maps and records in `value`, itself included."""
    if not isinstance(value, tuple):
        yield value
    parts: Iterable[Any] = ()
    if is_dataclass(value):
        parts = [getattr(value, part.name) for part in fields(value)]
    elif isinstance(value, dict | list | set | tuple):
        parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        if is_dataclass(part) or isinstance(part, dict | list | set | tuple):
            yield from _changeable(part)
