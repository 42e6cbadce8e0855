"""Frames made small give the same pictures again."""

import json
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.page.patches import Packer, packed_step
from bullring.arena.watching.picture.frames_json import facts
from bullring.arena.watching.picture.reducer import Reducer
from tests.support.record import record_of


def applied(value: Any, patch: Any) -> Any:
    """What `applied` in data.js does."""
    if isinstance(patch, list):
        return patch[0]
    if isinstance(patch, int):
        return value[:patch] + value[patch + 1 :]
    copy = value.copy()
    for key, inner in patch.items():
        if key == "length":
            del copy[inner[0] :]
        elif isinstance(copy, list):
            copy[int(key) : int(key) + 1] = [applied(copy[int(key)] if int(key) < len(copy) else None, inner)]
        else:
            copy[key] = applied(copy.get(key), inner)
    return copy


@pytest.mark.parametrize("game", GAMES)
def test_patches_make_each_picture_of_the_one_before(game: str, tmp_path: Path) -> None:
    low, high = GAMES[game].seat_range
    reducer, packer = Reducer(opened=True), Packer()
    picture: dict[str, Any] = {}
    for entry in read_lines(record_of(tmp_path / "match.jsonl", game, max(low, min(high, 3)))).entries:
        for frame in reducer.feed(entry):
            patch = json.loads(json.dumps(packer.pack(frame.picture)))
            picture = picture if patch is None else applied(picture, patch)
            wanted = facts(frame.picture)
            for key, value in picture.items():
                if key == "seats":
                    assert value == {name: [seat[name] for seat in wanted["seats"]] for name in value}
                elif key == "fresh":
                    assert sorted(value) == sorted(wanted[key])
                else:
                    assert value == wanted[key]
            assert packed_step(frame.step)[0] == type(frame.step).__name__
    assert picture["over"]
