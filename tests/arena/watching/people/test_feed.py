"""The public frames of a match with people, as the feed writes them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.people import feed
from bullring.arena.watching.picture.frames_json import written as as_json
from bullring.arena.watching.picture.reducer import Reducer
from tests.support.scripted import first_option, referee


def frames(record: Path, before: int, tmp_path: Path, *told: Sequence[int]) -> list[Any]:
    """The frames that it writes of the record when it is told this, and then no more."""
    paths = [tmp_path / "told", tmp_path / "frames"]
    paths[0].write_bytes(b"".join(framed("thinking", *numbers) for numbers in told))
    with paths[0].open("rb") as source, paths[1].open("wb") as sink:
        feed.feed(record, before, source.fileno(), sink.fileno())
    return [json.loads(text) for _, text in Frames().feed(paths[1].read_bytes())]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    referee(first_option, first_option, record=path, people=[0])
    return path


def test_it_writes_every_frame_once(record: Path, tmp_path: Path) -> None:
    reducer = Reducer(addressed=True)
    all_frames = [frame for entry in read_lines(record).each() for frame in reducer.feed(entry)]
    written = frames(record, 0, tmp_path)
    assert written == json.loads(as_json(all_frames))
    assert not any(seat.hand for frame in all_frames for seat in frame.picture.seats)


def test_of_a_match_that_goes_on_it_writes_the_last_frame_and_what_follows(record: Path, tmp_path: Path) -> None:
    whole = frames(record, 0, tmp_path)
    for before in range(1, len(read_lines(record).entries)):
        rest = frames(record, before, tmp_path)
        assert rest == whole[-len(rest) :]
        assert [frame["line"] <= before for frame in rest].count(True) == 1


def test_it_tells_who_still_thinks_about_the_latest_question(record: Path, tmp_path: Path) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:2]))  # the cards are dealt, and everybody is asked
    steps = [frame["step"] for frame in frames(record, 0, tmp_path, [1, 0, 1], [1, 0])]
    assert [step["is"] for step in steps] == ["Began", "Opened", "Asked", "Thinking"]
    assert steps[-1]["seats"] == [0]
    steps = [frame["step"] for frame in frames(record, 0, tmp_path, [7, 0])]
    assert [step["is"] for step in steps] == ["Began", "Opened", "Asked"]
