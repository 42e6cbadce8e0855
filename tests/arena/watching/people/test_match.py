"""People at real tables."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.games.rulebook.language import VARIABLE
from bullring.arena.games.rules.game import Game
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Replay, Resumed
from bullring.arena.match.records.verification import verify
from bullring.arena.match.seeds import Seed
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.history import stats
from bullring.arena.watching.people.messages import Broken, Preparing, Question, Remark
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.people.unfinished import SECRET, left, remember, resume
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Asked, Began, Ended, Thinking
from bullring.errors import UsageError
from tests.arena.games.rules.playing import every_game
from tests.arena.watching.people.at_table import ANNA, BEN, RANDOM, facts, first_option, play, sitting
from tests.support.patience import PATIENCE
from tests.support.processes import runs


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
            assert table._child is not None
            os.kill(table._child.pid, signal.SIGKILL)
        else:
            await first_option(table, question)

    table = Table.begin(sitting(tmp_path, ANNA, BEN, RANDOM, options={"deals": 1}, seed="example"))
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


def test_what_is_told_before_the_first_card_is_for_players_in_their_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "de")
    news = play(Table.begin(sitting(tmp_path, ANNA, RANDOM, options={"deals": 1})))
    assert [one.text for one in news if isinstance(one, Preparing)] == ["Der Tisch wird gedeckt ..."]


@pytest.mark.slow
@every_game
def test_a_person_plays_every_game_with_bots(kind: type[Game[Any]], tmp_path: Path) -> None:
    seats = max(3, kind.seat_range[0])
    chairs = [ANNA, *[RANDOM] * (seats - 1)]
    result = facts(play(Table.begin(sitting(tmp_path, *chairs, game=kind.id))))
    assert result["people"] == [0]
    assert [seat["score"] for seat in result["seats"]] == record_of(tmp_path)[-1]["end"]["scores"]


@pytest.mark.slow
@every_game
def test_people_play_every_game_among_themselves(kind: type[Game[Any]], tmp_path: Path) -> None:
    """No bot plays, so no sandbox is opened. Every question comes to somebody else's turn at the same screen."""
    chairs = [Chair(name) for name in ("Anna", "Ben", "Cleo", "Dora")][: max(2, kind.seat_range[0])]
    asked = []

    async def act(table: Table, question: Question) -> None:
        asked.append(question.seat)
        await first_option(table, question)

    game = Sitting(tuple(chairs), kind.id, folder=str(tmp_path))
    facts(play(Table.begin(game), act))
    assert {*asked} == {*range(len(chairs))}
    record_of(tmp_path)


@pytest.mark.slow
def test_when_a_person_is_killed_so_are_referee_and_bots_and_the_match_goes_on(tmp_path: Path) -> None:
    """The person's process gets SIGKILL: it can tell nobody."""
    match = sitting(tmp_path, ANNA, RANDOM, options={"deals": 1})
    program = f"""
import asyncio
from tests.arena.watching.people.at_table import sitting, heard
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.sitting import Sitting
async def act(table, question):
    print(table._child.pid, flush=True)
    await asyncio.sleep(1000)
asyncio.run(heard(Table.begin(Sitting.of({match.facts()!r})), act))
"""
    person = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert person.stdout is not None
    referee = int(person.stdout.readline())
    running = [referee, *children(referee)]
    assert len(running) > 2  # the feed and the bot
    person.kill()
    person.wait()
    person.stdout.close()
    deadline = time.monotonic() + PATIENCE
    while any(map(runs, running)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    (match_left,) = left(tmp_path)
    facts(play(match_left.resume()))
    record_of(tmp_path)


def children(process: int) -> list[int]:
    """The processes that it has started, and that run."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@pytest.mark.slow
def test_a_match_whose_referee_died_after_the_last_line_is_over(tmp_path: Path) -> None:
    one = sitting(tmp_path, ANNA, BEN, options={"deals": 1})
    facts(play(Table.begin(one)))
    (record,) = tmp_path.glob("*.jsonl")
    end = record_of(tmp_path)[-1]["end"]
    with remember(record, Table.begin(one).sitting, end["ended"], Seed(end["seed"], end["nonce"])):
        pass
    (match,) = left(tmp_path)
    assert facts(play(match.resume()))["people"] == [0, 1]
    assert not left(tmp_path)


@pytest.mark.slow
def test_a_clock_runs_for_people_and_nothing_happens_unless_they_wish(tmp_path: Path) -> None:
    late: list[float] = []

    async def wait(table: Table, question: Question) -> None:
        if len(late) < 1:
            while (time_left := table.time_left()) is None or time_left > -0.2:
                await asyncio.sleep(0.05)
            late.append(time_left)
        await first_option(table, question)

    result = facts(play(Table.begin(sitting(tmp_path, ANNA, RANDOM, options={"deals": 1}, limit=1.0)), wait))
    entries = record_of(tmp_path)
    assert entries[0]["people_us"] == 1_000_000
    assert all("fallback" not in entry.get("by", ()) for entry in entries)
    assert not result["seats"][0]["faults"]


@pytest.mark.slow
def test_the_referee_moves_when_the_time_is_over_if_that_was_wished(tmp_path: Path) -> None:
    questions: list[Question] = []

    async def sleepy(table: Table, question: Question) -> None:
        questions.append(question)
        if len(questions) > 1:
            await first_option(table, question)

    one = sitting(tmp_path, ANNA, RANDOM, options={"deals": 1}, limit=1.0, falls_back=True)
    news = play(Table.begin(one), sleepy)
    facts(news)
    assert any(isinstance(one, Remark) and "time is over" in one.text for one in news)
    assert record_of(tmp_path)[2]["by"] == ["fallback", "bot"]


@pytest.mark.slow
def test_what_a_person_holds_is_sent_when_the_time_is_over(tmp_path: Path) -> None:
    held: list[Any] = []

    async def undecided(table: Table, question: Question) -> None:
        if held:
            await first_option(table, question)
        else:
            table.held = question.options[-1]
            held.append(table.held)

    one = sitting(tmp_path, ANNA, RANDOM, options={"deals": 1}, limit=1.0, falls_back=True)
    news = play(Table.begin(one), undecided)
    facts(news)
    assert not any(isinstance(one, Remark) for one in news)
    assert record_of(tmp_path)[2]["answers"][0] == held[0]
    assert record_of(tmp_path)[2]["by"] == ["human", "bot"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"game": "nonsense"}, "nonsense"),
        ({"options": {"deals": 0}}, "deals"),
        ({"times": ("soon",)}, "--time"),
        ({"chairs": (ANNA, Chair(bot="@nobody"))}, "nobody"),
        ({"allow_unsandboxed": False}, "--allow-unsandboxed"),
        ({"cwd": "/nowhere/at/all"}, "/nowhere/at/all"),
    ],
)
def test_what_cannot_begin_says_why_and_leaves_nothing(
    change: Mapping[str, Any], expected: str, tmp_path: Path
) -> None:
    news = play(Table.begin(replace(sitting(tmp_path, ANNA, RANDOM), **change)))
    assert isinstance(news[-1], Broken)
    assert expected in news[-1].text
    assert not news[-1].record
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("chairs", "more", "expected"),
    [
        ((RANDOM, RANDOM), {}, "a person must sit"),
        ((Chair("Anna"), Chair("Anna")), {}, "two people"),
        ((Chair(" "),), {}, "1 to 64"),
        ((Chair("a\x1b"),), {}, "1 to 64"),
        ((Chair("a" * 65),), {}, "1 to 64"),
        ((ANNA,), {"limit": 0.5}, "1s to 1h"),
        ((ANNA,), {"falls_back": True}, "no clock"),
    ],
)
def test_a_sitting_that_makes_no_sense_is_refused(chairs: Any, more: Any, expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        Sitting(chairs, **more)
