"""People at real tables."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.people.client import Table
from bullring.arena.people.history import stats
from bullring.arena.people.news import Broken, Question, Remark
from bullring.arena.people.played import SECRET, left, resume
from bullring.arena.picture.picture import Frame
from bullring.arena.picture.steps import Asked, Began, Ended, Thinking
from bullring.arena.records.reading import read_lines
from bullring.arena.records.replay import Replay, Resumed
from bullring.arena.records.verification import verify
from bullring.errors import UsageError
from tests.arena.people.at_table import ANNA, BEN, RANDOM, facts, first_option, play, sitting


def record_of(folder: Path) -> list[dict[str, Any]]:
    (record,) = folder.glob("*.jsonl")
    lines = read_lines(record)
    assert verify(lines).difference is None
    return lines.entries


def test_two_people_and_a_bot_play_leave_by_force_and_go_on(tmp_path: Path) -> None:
    """Two people are asked one after the other, wrong answers are refused, the fallback moves by wish; the referee is killed, and
    the match goes on as if nothing had happened."""
    asked: list[Question] = []
    refused = 0

    async def act(table: Table, question: Question) -> None:
        nonlocal refused
        asked.append(question)
        if len(asked) == 1:
            refused += 1
            await table.answer(question.seat, question.id, 999)
        elif len(asked) == 5:
            await table.fall_back(question.seat)
        elif len(asked) == 9:
            assert table._process is not None
            os.kill(table._process.pid, signal.SIGKILL)
        else:
            await first_option(table, question)

    table = sitting(tmp_path, ANNA, BEN, RANDOM, options={"deals": 1}, seed="example").start()
    news = play(table, act)
    assert isinstance(news[-1], Broken)
    assert news[-1].record == table.record
    shown = [one for one in news if isinstance(one, Frame | Question | Remark)]
    assert isinstance(shown[0], Frame)
    assert isinstance(shown[0].step, Began)
    for at, one in enumerate(shown):
        if isinstance(one, Question):  # it comes when its frame has come, and after what came before it
            latest = next(f for f in reversed(shown[:at]) if isinstance(f, Frame) and not isinstance(f.step, Thinking))
            assert isinstance(latest.step, Asked)
            assert one.seat in latest.step.seats
    assert [one.seat for one in asked[:3]] == [0, 0, 1]
    assert asked[0] == asked[1]
    assert any(isinstance(one, Remark) and "999 is not one" in one.text for one in news)

    (match,) = left(tmp_path)
    assert match.sitting == table.sitting
    assert match.record.with_suffix(SECRET).stat().st_mode & 0o777 == 0o600
    before = match.record.read_bytes()
    news = play(match.resume())
    frames = [one for one in news if isinstance(one, Frame)]
    assert isinstance(frames[0].step, Asked)  # what was seen before is not shown again
    assert isinstance(frames[-1].step, Ended)
    entries = record_of(tmp_path)
    assert match.record.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    assert entries[0]["people"] == [0, 1]
    origins = {origin for entry in entries for origin in entry.get("by", ())}
    assert origins == {"human", "fallback", "bot"}
    assert any(isinstance(one, Resumed) for _, one in Replay().play(read_lines(match.record)))
    result = facts(news)
    assert [seat["score"] for seat in result["seats"]] == entries[-1]["end"]["scores"] == result["deals"][0]
    assert not left(tmp_path)
    assert not list(tmp_path.glob(f"*{SECRET}"))
    with pytest.raises(UsageError, match="not the record of a match that was left"):
        resume(match.record)
    anna = next(one for one in stats(tmp_path) if one["name"] == "Anna")
    assert (anna["matches"], anna["deals"], [*anna["opponents"]]) == (1, 1, ["Ben", "random"])
    assert anna["heads_per_deal"] == result["deals"][0][0]
