"""Events alone tell the whole public story: a reader of nothing else has the same table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch
from tests.arena.games.rules.playing import GameType, every_game, games, policies, seeds, steps
from tests.arena.games.rules.readers import READERS, UNTOLD, ElevenReader


@every_game
@given(data=st.data())
def test_a_reader_of_the_events_has_the_same_table(kind: GameType, data: st.DataObject) -> None:
    if kind.id not in READERS:
        pytest.skip("it has no reader of its events")
    game = data.draw(games(kind))
    reader = READERS[kind.id](game)
    for done in steps(game, data.draw(seeds), data.draw(policies)):
        for event in done.events:
            reader.read(event)
        view = dict(game.public(done.after))
        untold = {key: view.pop(key) for key in UNTOLD.get(kind.id, ())}
        if "played" in view:
            view["played"] = sorted(view["played"])
        assert view == reader.table()
        assert reader.over == (not isinstance(done.after.pending, Batch))
        if isinstance(reader, ElevenReader) and not reader.over:
            assert untold["laid"] in ([], reader.laid)
