"""The public frames of a match with people, as the feed writes them."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.people import feed
from bullring.arena.watching.picture.frames_json import written as as_json
from bullring.arena.watching.picture.reducer import Reducer
from tests.support.scripted import first_option, referee


def frames(record: Path, before: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The frames that it writes of the record when it is told this, and then no more."""
    out, stdin = io.StringIO(), tmp_path / "told"
    stdin.write_text(told)
    with stdin.open() as file, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stdin", file)
        feed.feed(record, before)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    referee(first_option, first_option, record=path, people=[0])
    return path


def test_it_writes_every_frame_once(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reducer = Reducer()
    all_frames = [frame for entry in read_lines(record).each() for frame in reducer.feed(entry)]
    written = frames(record, 0, "", tmp_path, monkeypatch)
    assert written == json.loads(as_json(all_frames))
    assert not any(seat.hand for frame in all_frames for seat in frame.picture.seats)


def test_of_a_match_that_goes_on_it_writes_the_last_frame_and_what_follows(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = frames(record, 0, "", tmp_path, monkeypatch)
    for before in range(1, len(read_lines(record).entries)):
        rest = frames(record, before, "", tmp_path, monkeypatch)
        assert rest == whole[-len(rest) :]
        assert [frame["line"] <= before for frame in rest].count(True) == 1


def test_it_tells_who_still_thinks_about_the_latest_question(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:2]))  # the cards are dealt, and everybody is asked
    steps = [frame["step"] for frame in frames(record, 0, "1 0 1\n1 0\n", tmp_path, monkeypatch)]
    assert [step["is"] for step in steps] == ["Began", "Opened", "Asked", "Thinking"]
    assert steps[-1]["seats"] == [0]
    steps = [frame["step"] for frame in frames(record, 0, "7 0\n", tmp_path, monkeypatch)]
    assert [step["is"] for step in steps] == ["Began", "Opened", "Asked"]
