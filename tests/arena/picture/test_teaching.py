"""The teacher: a sentence a turn, true and in both languages."""

import pytest

from bullring.arena.picture.reducer import Reducer
from bullring.arena.picture.teaching import taught
from tests.arena.rules.golden import MATCHES, entries


@pytest.mark.parametrize("match", MATCHES)
def test_a_match_is_explained_in_both_languages(match: str) -> None:
    reducer = Reducer()
    frames = [frame for entry in entries(*MATCHES[match], file=match) for frame in reducer.feed(entry)]
    english, german = taught(frames, reducer.replay.game), taught(frames, reducer.replay.game, "de")
    assert sum(said is not None for said in english) >= 7
    for one, other in zip(english, german, strict=True):
        assert (one is None) == (other is None)
        assert one is None or one != other
