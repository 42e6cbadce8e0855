"""Analyses that readers ask for: one at a time, each once, in a short queue."""

import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
import trio
from trio.testing import memory_stream_one_way_pair, wait_all_tasks_blocked

from bullring.arena.cells.processes.frames import framed
from bullring.arena.cells.processes.with_trio import TrioChild
from bullring.arena.watching.web import analyses
from bullring.arena.watching.web.analyses import MOST, Analyses
from tests.support.web import in_trio

NEAR, FAR = "127.0.0.1", "10.0.0.1"


class Child:
    """A process, as a test has it run."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.status = 0
        self._sends, self.tells = memory_stream_one_way_pair()

    async def close(self) -> None:
        """End it."""
        await self._sends.aclose()

    async def says(self, *message: Any) -> None:
        """Have it tell something."""
        await self._sends.send_all(framed(*message))
        await wait_all_tasks_blocked()

    async def dies(self, status: int) -> None:
        """Have it end without a last word."""
        self.status = status
        await self.close()
        await wait_all_tasks_blocked()


@dataclass
class Desk:
    """The analyses, and the processes that were started for them."""

    folder: Path
    kept: set[str] = field(default_factory=set)
    """The matches whose analyses are kept from earlier."""
    started: list[Child] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.analyses = Analyses(self.folder, self._start, self.kept.__contains__)

    def _start(self, key: str) -> TrioChild:
        self.started.append(Child(key))
        return cast(TrioChild, self.started[-1])

    async def asks(self, key: str, address: str = NEAR) -> int:
        """A reader asks. Returns the status."""
        status, _ = self.analyses.ask(key, address)
        await wait_all_tasks_blocked()
        return status

    def states(self) -> dict[str, dict[str, Any]]:
        """What readers are told."""
        return {path.stem: json.loads(path.read_bytes()) for path in (self.folder / "analyses").glob("*.json")}


@asynccontextmanager
async def working(folder: Path) -> AsyncIterator[Desk]:
    """Analyses that are made inside."""
    async with trio.open_nursery() as nursery:
        desk = Desk(folder)
        nursery.start_soon(desk.analyses.run)
        yield desk
        nursery.cancel_scope.cancel()


@in_trio
async def test_one_match_is_analysed_at_a_time_and_the_others_wait(tmp_path: Path) -> None:
    async with working(tmp_path) as desk:
        assert [await desk.asks(key) for key in ("7", "8", "p0123456789")] == [202, 202, 202]
        assert [child.key for child in desk.started] == ["7"]
        assert desk.states() == {
            "7": {"state": "running", "done": 0, "decisions": 0},
            "8": {"state": "waiting", "before": 1},
            "p0123456789": {"state": "waiting", "before": 2},
        }
        await desk.started[0].says("running", 12, 60)
        assert desk.states()["7"] == {"state": "running", "done": 12, "decisions": 60}
        await desk.started[0].says("done", '{"choices": []}')
        assert desk.states() == {
            "7": {"state": "done", "analysis": {"choices": []}},
            "8": {"state": "running", "done": 0, "decisions": 0},
            "p0123456789": {"state": "waiting", "before": 1},
        }


@in_trio
async def test_each_match_is_analysed_once_however_many_ask(tmp_path: Path) -> None:
    async with working(tmp_path) as desk:
        assert [await desk.asks("7", FAR) for _ in range(20)] == [202, *[200] * 19]
        await desk.started[0].says("done", "{}")
        assert desk.analyses.ask("7", NEAR) == (200, {"state": "done"})
        assert len(desk.started) == 1


@in_trio
async def test_an_analysis_that_is_kept_is_fetched_for_whoever_looks(tmp_path: Path) -> None:
    async with working(tmp_path) as desk:
        desk.kept.add("7")
        assert desk.analyses.seek("7", NEAR) == (202, {"state": "waiting", "before": 0})
        assert desk.analyses.seek("8", NEAR) == (200, {"state": "none"})
        await wait_all_tasks_blocked()
        assert [child.key for child in desk.started] == ["7"]
        await desk.started[0].says("done", '{"choices": []}')
        assert desk.states() == {"7": {"state": "done", "analysis": {"choices": []}}}


@in_trio
async def test_a_flood_fills_a_short_queue_and_nothing_else(tmp_path: Path) -> None:
    async with working(tmp_path) as desk:
        assert [await desk.asks(str(match), FAR) for match in range(4)] == [202, 202, 429, 429]
        found = [await desk.asks(str(match)) for match in range(100, 1000)]
        assert found == [202] * (MOST - 2) + [503] * (902 - MOST)
        assert len(desk.started) == 1
        assert len(desk.states()) == MOST
        await desk.started[0].says("done", "{}")
        assert await desk.asks("999") == 202


@in_trio
async def test_what_goes_wrong_is_told_and_the_next_one_follows(tmp_path: Path) -> None:
    async with working(tmp_path) as desk:
        for key in ("1", "2", "3", "4"):
            await desk.asks(key)
        await desk.started[0].says("failed", "record")
        await desk.started[1].dies(-signal.SIGXCPU)
        await desk.started[2].dies(-signal.SIGKILL)
        states = desk.states()
        assert [states[key].get("why") for key in "123"] == ["record", "long", "machine"]
        assert states["4"]["state"] == "running"
        assert [await desk.asks(key) for key in "123"] == [200, 200, 202]  # a machine may do better the next time


@in_trio
async def test_a_machine_that_starts_no_process_is_told(tmp_path: Path) -> None:
    def start(_: str) -> TrioChild:
        raise BlockingIOError

    async with trio.open_nursery() as nursery:
        found = Analyses(tmp_path, start, lambda key: False)
        nursery.start_soon(found.run)
        found.ask("7", NEAR)
        await wait_all_tasks_blocked()
        assert json.loads((tmp_path / "analyses" / "7.json").read_bytes()) == {"state": "failed", "why": "machine"}
        nursery.cancel_scope.cancel()


@in_trio
async def test_only_the_last_ones_are_kept_and_none_of_an_earlier_steward(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "KEPT", 3)
    (tmp_path / "analyses").mkdir()
    (tmp_path / "analyses" / "5.json").write_text('{"state": "running"}')
    async with working(tmp_path) as desk:
        assert desk.states() == {}
        for match in range(6):
            await desk.asks(str(match))
            await desk.started[-1].says("done", "{}")
        assert sorted(desk.states()) == ["3", "4", "5"]
        assert await desk.asks("0") == 202  # from the home, where it is kept
