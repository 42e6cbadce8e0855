"""`bullring serve` beside a ladder: alive to browsers, whatever of it is killed."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.cells.sandbox.local import tree
from bullring.arena.match.records.verification import verify
from bullring.arena.study.analysis.kept import kept
from bullring.arena.watching.people.unfinished import left
from bullring.arena.watching.web.app import Shown
from bullring.ladder.store.home import Home
from tests.ladder.homes import count, four, home_with, intact, left_over, log_of, run, tiny, until
from tests.support.command import BULLRING, bullring, here
from tests.support.patience import PATIENCE
from tests.support.processes import runs
from tests.support.seats import Browser, Visited, Way
from tests.support.web import Served, Watching, in_trio, parsed

UNCONFINED = ("--sandbox", "none", "--allow-unsandboxed")
RUN = f"--seats 2 --jobs 1 {' '.join(UNCONFINED)}"


@dataclass
class Serving:
    """`bullring serve`, in a process of its own."""

    process: "subprocess.Popen[str]"
    url: str

    @property
    def viewer(self) -> Served:
        """Somebody who looks."""
        return Served(Shown([], {}), int(self.url.rpartition(":")[2]))

    def pid_of(self, module: str) -> int:
        """The process of this module."""
        for pid in tree.children(self.process.pid):
            if module.encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                return pid
        return 0


@contextmanager
def serve(home: Home, *arguments: str, code: int = 0, end: signal.Signals = signal.SIGINT) -> Iterator[Serving]:
    """Serve a home inside, and end it by this signal. What is said is in its log."""
    with log_of(home).open("w") as log:
        words = [str(BULLRING), "serve", str(home.path), "--port", "0", *arguments]
        environment = {
            **os.environ,
            "XDG_CACHE_HOME": str(home.path.with_suffix(".cache")),
            "PYTHONUNBUFFERED": "1",
            "TMPDIR": str(home.path.parent),  # what is killed leaves its files
        }
        process = subprocess.Popen(words, stdout=log, stderr=log, text=True, env=environment, start_new_session=True)
    try:
        found = until(lambda: re.search(r"is at (\S+);", log_of(home).read_text()), process)
        yield Serving(process, found[1])
    except BaseException as error:
        error.add_note(log_of(home).read_text())
        process.send_signal(signal.SIGINT)  # the first of two: nobody lets the matches in progress be finished
        raise
    finally:
        process.send_signal(end)
        process.wait()
    assert process.returncode == code


@pytest.fixture
def played(tmp_path: Path) -> Home:
    """A home in which six matches were played."""
    home = four(tmp_path / "home")
    run(home, "--matches", "6", *RUN.split())
    return home


@pytest.mark.slow
@in_trio
async def test_a_ladder_that_is_over_is_served(played: Home) -> None:
    with serve(played) as serving:
        viewer = serving.viewer
        front = await viewer.asks("/")
        assert front.status == 200
        for path in ("/lists/1.html", "/bots/1.html", "/matches/1.html", "/pairs/1.html", "/match.html", "/live.html"):
            assert (await viewer.asks(path)).status == 200, path
        assert (await viewer.asks("/tables/3")).status == 200
        async with viewer.watches("/events") as watching:
            results = [json.loads((await watching.until("result"))[-1][2]) for _ in range(6)]
        with closing(played.store(read_only=True)) as store:  # some were played again if the machine stood still
            assert [result["match"] for result in results] == [row.id for row in store.last_matches(1, None, 6)]
        assert (await viewer.asks("/tables/99")).status == 404


@pytest.mark.slow
@in_trio
async def test_the_facts_for_programs_are_what_the_commands_print(played: Home) -> None:
    at = ("--home", str(played.path))
    with serve(played) as serving:
        viewer = serving.viewer

        async def facts(path: str) -> object:
            answer = await viewer.asks(path)
            assert answer.status == 200, path
            return json.loads(answer.body)

        assert await facts("/api/lists/1") == json.loads(bullring("ladder", "table", "--format", "json", *at).stdout)
        assert await facts("/api/matches/1") == json.loads(bullring("ladder", "matches", "--json", *at).stdout)
        printed = json.loads(bullring("bots", "--json", *at).stdout)
        assert await facts("/api/bots") == [
            {key: value for key, value in bot.items() if key not in ("path", "source")} for bot in printed
        ]
        assert [one["list"] for one in await facts("/api/lists")] == [1]  # type: ignore[attr-defined]
        assert str(played.path).encode() not in b"".join(
            [(await viewer.asks(path)).body for path in ("/", "/api/bots", "/bots/1.html", "/api/matches/1")]
        )


async def state_of(viewer: Served, match: int, *wanted: str) -> dict[str, Any]:
    """How far an analysis is, as soon as that is one of the states `wanted`."""
    with trio.fail_after(PATIENCE):
        while True:
            state: dict[str, Any] = json.loads((await viewer.asks(f"/tables/{match}/analysis")).body)
            if state["state"] in wanted:
                return state
            await trio.sleep(0.1)


@pytest.mark.slow
@in_trio
async def test_a_match_is_analysed_for_a_reader_and_the_home_keeps_what_was_found(played: Home) -> None:
    with serve(played) as serving:
        viewer = serving.viewer
        page = (await viewer.asks("/tables/3")).headers
        assert "connect-src 'self'" in page["content-security-policy"]
        assert (await viewer.asks("/tables/99/analysis", "POST")).status == 404
        assert (await viewer.asks("/tables/3/analysis", "POST")).status == 202
        state = await state_of(viewer, 3, "done", "failed")
        assert {"choices", "chances", "turning", "accounts"} <= {*state["analysis"]}
        assert kept(played.analysis(3), played.lines(3).seal or "") is not None
        again = await viewer.asks("/tables/3/analysis", "POST")
        assert (again.status, json.loads(again.body)) == (200, {"state": "done"})
    made = played.analysis(3).stat().st_mtime_ns
    with serve(played) as serving:  # whoever looks has it, and nobody has to ask again
        assert (await serving.viewer.asks("/tables")).status == 200  # so the files of the server before are gone
        assert (await state_of(serving.viewer, 3, "done", "failed"))["analysis"] == state["analysis"]
        assert (await state_of(serving.viewer, 2, "none"))["state"] == "none"
    assert played.analysis(3).stat().st_mtime_ns == made


@pytest.mark.slow
@in_trio
async def test_analyses_that_take_too_long_are_ended_however_often_they_are_asked_for(played: Home) -> None:
    """The kernel ends each after a second of a processor, in which none is made."""
    with serve(played, "--analyse", "1") as serving:
        viewer = serving.viewer
        matches = [*range(1, 7)] * 10
        found = [(await viewer.asks(f"/tables/{match}/analysis", "POST")).status for match in matches]
        assert found == [202] * 6 + [200] * 54
        assert (await state_of(viewer, 1, "failed", "done"))["why"] == "long"
        assert (await viewer.asks("/")).status == 200
    assert not played.analyses.exists()


@pytest.mark.slow
@in_trio
async def test_a_public_address_is_that_of_links_and_previews(played: Home) -> None:
    with serve(played, "--address", "https://ladder.example.org", "--tables") as serving:
        viewer = serving.viewer
        for host, status in (("ladder.example.org", 200), ("localhost", 200), ("evil.example", 421)):
            assert (await viewer.asks("/", Host=host)).status == status
        page = (await viewer.asks("/replays/3.html")).body
        assert b'<meta property="og:image" content="https://ladder.example.org/replays/3.png">' in page
        body = b'{"open": 2}'
        head = (
            f"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
        )
        made = await viewer.sends(head.encode() + b"\r\nConnection: close\r\n\r\n" + body)
        links = [one["link"] for one in json.loads(parsed(made).body)["links"]]
        assert [link.startswith("https://ladder.example.org/tables/p") for link in links] == [True, True]


def test_a_public_address_that_is_none_is_refused(tmp_path: Path) -> None:
    for address in ("ladder.example.org", "ftp://x", "https://x.example/ladder"):
        done = here("serve", str(tmp_path), "--address", address)
        assert done.exit_code == 2
        assert "expected an address" in done.output


@pytest.mark.slow
@in_trio
async def test_an_operator_can_forbid_analyses(played: Home) -> None:
    with serve(played, "--analyse", "0") as serving:
        page = await serving.viewer.asks("/tables/3")
        assert "connect-src" not in page.headers["content-security-policy"]
        assert (await serving.viewer.asks("/tables/3/analysis", "POST")).status == 403


class Pace:
    """Lets the bots of a ladder play on, a decision at a time, while it is watched."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._path.touch()
        self.rest = 0.3
        """Seconds between two decisions."""

    async def __call__(self) -> None:
        while True:
            with self._path.open("ab") as file:
                file.write(b"x")
            await trio.sleep(self.rest)


@pytest.mark.slow
@in_trio
async def test_viewers_of_a_table_are_where_they_were_after_any_process_was_killed(tmp_path: Path) -> None:
    pace = Pace(tmp_path / "pace")
    bot = tiny("step", tmp_path / "pace")
    home = home_with(tmp_path / "home", {"a": bot, "b": bot}, ["600s"])
    with serve(home, "--run-with", f"{RUN} --option deals=40 --matches 1") as serving:
        viewer = serving.viewer
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pace)
            async with viewer.watches("/events") as front:
                key = await _table_that_is_played(front)
            known = ""
            for killed in ("watching.web.server", "watching.web.feed", "watching.web.maker", ""):
                known = await _twenty_events(viewer, key, known)
                if killed:
                    os.kill(serving.pid_of(killed), signal.SIGKILL)
            pace.rest = 0.01
            async with _back(viewer, key, known) as watching:
                assert json.loads((await watching.until("end"))[-1][2])["page"] == f"tables/{key}"
            replay = await viewer.asks(f"/tables/{key}")
            assert b'data-bullring="replay"' in replay.body
            assert replay.body != (await viewer.asks("/live.html")).body
            nursery.cancel_scope.cancel()
    with closing(home.store(read_only=True)) as store:
        assert all(verify(home.lines(match.id)).finished for match in store.matches())
    assert intact(home)


async def _twenty_events(viewer: Served, key: str, known: str) -> str:
    """Read on after a known frame, and come back as often as the stream is cut. Returns the last frame."""
    left = 20
    while True:
        async with _back(viewer, key, known) as watching:
            while (event := await watching.event()) is not None:
                id, kind, _ = event
                if kind == "frame" and known:
                    assert int(id) == int(known) + 1, "a frame was told twice, or not at all"
                known = id or known
                left -= 1
                if not left:
                    return known


@asynccontextmanager
async def _back(viewer: Served, key: str, known: str) -> AsyncIterator[Watching]:
    """Come back, as browsers do: again and again, until somebody is there who knows the table."""
    with trio.fail_after(PATIENCE):
        while True:
            async with viewer.watches(f"/tables/{key}/events", known) as watching:
                if await watching.status() == 200:
                    yield watching
                    return
            await trio.sleep(0.05)


async def _table_that_is_played(front: Watching) -> str:
    while True:
        for table in json.loads((await front.until("tables"))[-1][2]):
            if table["live"]:
                return str(table["key"])


@pytest.mark.slow
@in_trio
async def test_a_ladder_that_is_killed_takes_no_server_with_it(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with serve(home, "--run-with", RUN) as serving:
        async with serving.viewer.watches("/events") as front:
            await front.until("result")
            os.kill(serving.pid_of("ladder\0run"), signal.SIGKILL)
            while json.loads((await front.until("progress"))[-1][2])["running"]:
                pass
        assert (await serving.viewer.asks("/")).status == 200
    assert intact(home)


@pytest.mark.slow
@in_trio
async def test_a_server_that_is_killed_takes_no_ladder_with_it(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with serve(home, "--run-with", RUN, code=-signal.SIGKILL) as serving:
        ladder = until(lambda: serving.pid_of("ladder\0run"), serving.process)
        until(lambda: count(home, "matches"))
        serving.process.kill()
        serving.process.wait()
        played = count(home, "matches")
        until(lambda: count(home, "matches") > played + 20)
        os.kill(ladder, signal.SIGINT)
        until(
            lambda: not Path(f"/proc/{ladder}").exists() or "Z" in Path(f"/proc/{ladder}/stat").read_text().split()[2]
        )
    assert intact(home)
    assert count(home, "playing") == 0


@pytest.mark.slow
@in_trio
async def test_the_addresses_that_are_described_are_there(played: Home) -> None:
    with serve(played) as serving:
        described = json.loads((await serving.viewer.asks("/api/openapi.json")).body)["paths"]
        assert json.loads((await serving.viewer.asks("/api/")).body)["paths"] == described
        for path, methods in described.items():
            if "get" not in methods:
                continue
            answers = methods["get"]["responses"]
            if "text/event-stream" in answers["200"]["content"]:
                async with serving.viewer.watches(path.format(key=3)) as watching:
                    assert str(await watching.status()) in answers
            else:
                answer = await serving.viewer.asks(path.format(list=1, key=3))
                assert answer.status == 200
                assert answer.headers["content-type"] in answers["200"]["content"]
                kind = {"array": list, "object": dict}[answers["200"]["content"]["application/json"]["schema"]["type"]]
                assert isinstance(json.loads(answer.body), kind)


@in_trio
async def test_the_viewer_that_the_documents_show_tells_a_match(tmp_path: Path) -> None:
    page = (Path(__file__).parents[4] / "docs" / "web-api.md").read_text("utf-8")
    (tmp_path / "viewer.py").write_text(page.partition("```python\n")[2].partition("```")[0], "utf-8")
    pace = Pace(tmp_path / "pace")
    bot = tiny("step", tmp_path / "pace")
    home = home_with(tmp_path / "home", {"a": bot, "b": bot}, ["600s"])
    with serve(home, "--run-with", f"{RUN} --option deals=3 --matches 1") as serving:
        words = [sys.executable, str(tmp_path / "viewer.py"), serving.url]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pace)
            viewer: trio.Process = await nursery.start(partial(trio.run_process, words, stdout=subprocess.PIPE))
            assert viewer.stdout is not None
            told = b""
            while b" wins" not in told:
                pace.rest = 0.3 if b"Deal 2" not in told else 0.01
                came = await viewer.stdout.receive_some()
                assert came
                told += came
            assert re.match(r"6 nimmt! / Take 6! - [ab], [ab]\n", told.decode())
            nursery.cancel_scope.cancel()


@pytest.mark.slow
def test_a_shell_that_starts_it_beside_itself_can_end_it(tmp_path: Path) -> None:
    """Shells let what they start with & ignore SIGINT, and so did the ladder, which is asked by SIGINT to finish its matches."""
    home = four(tmp_path / "home")
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with serve(home, "--run-with", RUN, end=signal.SIGTERM) as serving:
            until(lambda: count(home, "matches"), serving.process)
    finally:
        signal.signal(signal.SIGINT, before)
    assert intact(home)
    assert count(home, "playing") == 0


@pytest.mark.slow
def test_it_ends_with_a_terminal_of_which_somebody_else_is_told(tmp_path: Path) -> None:
    home, log = four(tmp_path / "home"), tmp_path / "log"
    words = [str(BULLRING), "serve", str(home.path), "--port", "0", "--run-with", RUN]
    beside = f"trap : HUP; {shlex.join(words)} > {log} 2>&1; echo ended >> {log}"  # as make, it waits for what it has started
    leader, terminal = pty.fork()
    if not leader:
        os.execvpe("bash", ["bash", "-c", beside], {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")})
    until(lambda: log.exists() and " is at " in log.read_text())
    os.close(terminal)
    assert os.waitpid(leader, 0)[0] == leader
    assert "ended" in log.read_text()
    assert left_over(home) == []


@pytest.mark.slow
def test_tables_that_die_are_told_to_the_operator_and_new_ones_can_be_made(tmp_path: Path) -> None:
    home = four(tmp_path / "home")
    with serve(home) as serving:
        here = Visited(Way(int(serving.url.rpartition(":")[2])))
        wish = {"game": "standard", "names": ["Ann"], "bots": ["@random"], "options": {"deals": 1}}

        def ann() -> Browser:
            key, (token,) = here.makes(**wish)
            found = here.sits(key, token)
            assert found.connect() == 101
            return found

        steward = serving.pid_of("watching.web.tables")
        first = ann()
        first.until("question")
        (table,) = tree.children(steward)[:1]
        os.kill(table, signal.SIGKILL)
        until(lambda: "a table with people has died" in log_of(home).read_text(), serving.process)
        first.cut()
        before = ann()
        before.until("question")
        (table,) = tree.children(steward)[:1]
        os.kill(steward, signal.SIGKILL)
        while before.next() is not None:
            pass
        until(lambda: serving.pid_of("watching.web.tables") not in (0, steward), serving.process)
        until(lambda: not runs(table), serving.process)
        until(lambda: answers(here), serving.process)
        assert before.connect() != 101
        before.cut()
        later = ann()
        assert later.plays()["is"] == "over"
        later.cut()
        matches = left(home.path / "tables")
        assert [[chair.name for chair in match.sitting.chairs] for match in matches] == [["Ann", ""]] * 2
    assert "was started again" in log_of(home).read_text()


def answers(here: Visited) -> bool:
    """Whether there is a server with a steward: both are started anew, so it may be cut off meanwhile."""
    with suppress(OSError, IndexError):
        return here.asks("GET", "/tables")[0] == 200
    return False


def test_what_is_missing_is_told_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bullring.arena.watching.web.serving.find_spec", lambda name: None)
    done = here("serve", str(tmp_path))
    assert done.exit_code == 2
    assert "pip install 'bullring[web]'" in done.output
