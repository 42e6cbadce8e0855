"""The feed of a ladder: what nobody asks for is not followed, and no page is made of it."""

import gzip
import json
import os
import time
from base64 import b64decode
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bullring.arena.watching.display.career import Result
from bullring.arena.watching.web.replays import Replays
from bullring.arena.watching.web.wants import MOST_WANTED
from bullring.ladder.run.progress import Progress, RunningMatch
from bullring.ladder.standings.columns import Row
from bullring.ladder.store.home import Home
from bullring.ladder.watching.web import feed as rooms
from bullring.ladder.watching.web.feed import LadderFeed
from bullring.ladder.watching.web.news import forms
from tests.ladder.homes import four, run
from tests.ladder.watching.web.test_serve import RUN

PLAYED = 99


class Fed:
    """A feed in this process, whose clock stands still, and what it has told."""

    def __init__(self, home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.told: list[tuple[Any, ...]] = []
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        self.feed = LadderFeed(home, Replays(folder), lambda *message: self.told.append(message))

    def look(self, seconds: float = 1.0) -> list[tuple[Any, ...]]:
        """What it tells beside the news of the front, after these seconds."""
        self.now += seconds
        self.told.clear()
        self.feed.look()
        return [message for message in self.told if message[0] != "front"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with two matches that are over, and one that is being played."""
    home = four(tmp_path / "home")
    run(home, "--matches", "2", *RUN.split())
    lines = home.lines(1).data.splitlines(keepends=True)
    home.live.mkdir(exist_ok=True)
    home.partial(PLAYED).write_bytes(b"".join(lines[:4]))
    progress = Progress(playing=[RunningMatch(PLAYED, ["a", "b"])], tables=1)
    facts = {"list": 1, "pid": os.getpid(), "over": False, "progress": asdict(progress), "notices": []}
    home.running.write_text(json.dumps(facts))
    return home


def test_a_match_is_followed_once_somebody_asks_for_it_and_as_long_as_somebody_watches(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed = Fed(home, tmp_path / "more", monkeypatch)
    assert [fed.look(), fed.feed.busy] == [[], False]
    fed.feed.take("want", PLAYED)
    begin, made = fed.look()
    assert begin[:2] == ("begin", str(PLAYED))
    assert made == ("made", str(PLAYED), True)
    fed.feed.take("watched", True, [PLAYED])
    with home.partial(PLAYED).open("ab") as file:
        file.write(home.lines(1).data.splitlines(keepends=True)[4])
    assert [message[:2] for message in fed.look()] == [("frames", str(PLAYED))]
    assert fed.look(rooms.ALONE) == []
    fed.feed.take("watched", True, [])
    assert fed.look(rooms.ALONE - 1) == []
    assert fed.look() == [("gone", str(PLAYED))]


def test_a_page_is_made_of_a_match_that_somebody_asks_for_whatever_else_is_asked_for(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "more").mkdir()
    fed = Fed(home, tmp_path / "more", monkeypatch)
    fed.look()
    assert not (tmp_path / "more" / "tables").exists()
    fed.feed.take("want", 1)
    assert fed.look() == [("made", "1", True)]
    assert (tmp_path / "more" / "tables" / "1.html").exists()
    for number in range(1000, 1000 + 3 * MOST_WANTED):  # a flood of numbers that are none
        fed.feed.take("want", number)
    fed.feed.take("want", 2)
    assert fed.look(rooms.AGAIN) == [("made", "2", True)]
    assert len(fed.look(rooms.PATIENCE)) == MOST_WANTED - 1
    assert not fed.feed.busy


def test_pages_are_not_made_all_at_once(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more").mkdir()
    monkeypatch.setattr(rooms, "AT_ONCE", 1)
    fed = Fed(home, tmp_path / "more", monkeypatch)
    fed.feed.take("want", 1)
    fed.feed.take("want", 2)
    assert fed.look() == [("made", "1", True)]
    assert fed.look(rooms.AGAIN) == []
    assert fed.look(rooms.EVERY) == [("made", "2", True)]


def test_the_front_is_told_standings_that_change_and_the_last_places_that_are_known(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed = Fed(home, tmp_path / "more", monkeypatch)
    told: list[str] = []
    while not told:  # they are read in a thread of their own
        fed.look(rooms.LOOK)
        news = [one for message in fed.told if message[0] == "front" for one in message[1]]
        told = [data for kind, data in news if kind == "standings"]
    facts = json.loads(told[0])
    table = json.loads(gzip.decompress(b64decode(facts["table"])))
    assert facts["list"] == 1
    assert all(f">{row.name}</a>" in table for row in home.store(read_only=True).bots() if row.name in "ab")
    assert "data-kept" in table  # for what it lacks


def test_last_places_are_told_where_the_results_have_all_of_them() -> None:
    rows = [SimpleNamespace(bot=bot, matches=matches) for bot, matches in (("a", 3), ("b", 12), ("c", 40), ("d", 0))]
    newest = [Result(20 - at, [("b", 1), ("a" if at < 3 else "x", 2)], False, [1, 2]) for at in range(12)]
    found = forms(cast(list[Row], rows), [*newest, Result(1, [("c", 4), ("b", 4)], True, [1, 1])])
    assert {bot: found.get(bot) for bot in "abcd"} == {"a": [2] * 3, "b": [1] * 10, "c": None, "d": []}
