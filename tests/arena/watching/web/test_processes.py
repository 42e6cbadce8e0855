"""The processes of a server: what each can read, and that the others outlive it."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.kinds import SERVER
from bullring.arena.cells.sandbox.landlock import rules
from bullring.arena.watching.web.app import Shown
from bullring.arena.watching.web.serving import listening, watch_over
from bullring.errors import HostError, UsageError
from tests.support.patience import PATIENCE
from tests.support.web import Served, folder_with, in_trio

needs_landlock = pytest.mark.skipif(not rules.version(), reason="this kernel has no Landlock")

TRIES = """
import os, socket, sys
from pathlib import Path
from bullring.arena.watching.web.confined import confine

folder, secret = map(Path, sys.argv[1:])
listener = socket.create_server(("127.0.0.1", 0))
assert confine(folder)

def refused(what):
    try:
        what()
    except PermissionError:
        return True

assert (folder / "index.html").read_text() == "<p>"
for what in (
    lambda: secret.read_text(),
    lambda: os.listdir(secret.parent),
    lambda: os.open("/proc/self/environ", os.O_RDONLY),
    lambda: (folder / "index.html").write_text(""),
    lambda: (folder / "new.html").write_text(""),
    lambda: os.execv("/bin/sh", ["sh"]),
    lambda: socket.create_connection(listener.getsockname()),
    lambda: os.kill(os.getppid(), 0),
):
    assert refused(what), what.__code__.co_firstlineno
"""


@needs_landlock
def test_a_confined_server_can_read_its_folder_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    folder = folder_with(tmp_path / "site", index="<p>")
    secret = tmp_path / "home" / "record.jsonl"
    secret.parent.mkdir()
    secret.write_text("hands")
    subprocess.run([sys.executable, "-c", TRIES, str(folder), str(secret)], check=True)


def served(folder: Path, stack: ExitStack) -> tuple[Child, int, int]:
    """The program of the server, with the descriptor on which it is told news, and its port."""
    (folder / "site").mkdir(exist_ok=True)
    folder_with(folder / "site", index="<p>")
    sockets, url = stack.enter_context(listening("127.0.0.1", 0))
    hears, news = os.pipe()
    fd = sockets[0].fileno()
    server = stack.enter_context(Child(SERVER, str(folder), str(hears), "", "", str(fd), passed=[hears, fd]))
    os.close(hears)
    assert next(iter(server.ear()))[0] == "ready"
    return server, news, int(url.rpartition(":")[2])


@in_trio
async def test_the_program_serves_what_it_is_told(tmp_path: Path) -> None:
    with ExitStack() as stack:
        server, news, port = served(tmp_path, stack)
        viewer = Served(Shown([], {}), port)
        tell(news, "begin", "7", "{}", ['{"number":1}'], None)
        tell(news, "known")
        tell(news, "front", [("progress", "1")], {})
        async with viewer.watches("/tables/7/events") as watching, viewer.watches("/events") as front:
            await watching.until("match")
            assert (await front.until("now"))[1][1:] == ("progress", "1")
            tell(news, "frames", "7", ['{"number":2}'], None)
            assert await watching.event() == ("2", "frame", '{"number":2}')
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_make_again_and_again, tmp_path / "site")
                assert (await front.until("site"))[-1][2] == '{"changed": ["index.html"]}'
                nursery.cancel_scope.cancel()
            tell(news, "end", "7", "{}")
            assert (await watching.until("end"))[-1][2] == "{}"
        tell(news, "gone", "7")
        os.close(news)
        with trio.fail_after(PATIENCE):
            while server.status is None:  # nothing more can be told
                await trio.sleep(0.01)
        assert server.status == 0


async def _make_again_and_again(site: Path) -> None:
    for number in count():
        new = site / "new"
        new.write_text(f'{{"files": {{"index.html": "{number}", "match.html": "1"}}}}')
        new.replace(site / "bullring-report.json")
        await trio.sleep(0.05)


@pytest.mark.slow
@in_trio
async def test_ten_thousand_idle_connections(tmp_path: Path) -> None:
    with ExitStack() as stack:
        _, news, port = served(tmp_path, stack)
        stack.callback(os.close, news)
        viewer = Served(Shown([], {}), port)
        tell(news, "begin", "7", "{}", ['{"number":1}'], None)
        tell(news, "known")
        async with viewer.watches("/tables/7/events") as watching:
            await watching.until("match")
            words = [sys.executable, "-c", CROWD, str(port)]
            crowd = stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE))
            stack.callback(crowd.kill)
            assert crowd.stdout is not None
            assert await trio.to_thread.run_sync(crowd.stdout.readline)
            for number in range(2, 50):
                tell(news, "frames", "7", [str(number)], None)
                assert await watching.event() == (str(number), "frame", str(number))
                assert (await viewer.asks("/")).status == 200


CROWD = """
import resource, socket, sys, time
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
idle = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(min(10_000, hard - 50))]
print(len(idle), flush=True)
time.sleep(1000)
"""


def test_processes_that_die_are_started_again_and_those_that_always_die_are_given_up() -> None:
    started: list[Child] = []
    told: list[str] = []

    def start() -> Sequence[Child]:
        started.append(Child(replace(SERVER, module="this")))  # which ends at once
        return started[-1:]

    with pytest.raises(HostError, match="the web server ended with status 0, again and again"):
        watch_over([start], told.append, lambda: None)
    assert len(started) == len(told) + 1 == 3
    assert all(child.status is not None for child in started)


def test_a_port_that_is_taken_is_told_with_the_remedy() -> None:
    with listening("127.0.0.1", 0) as (sockets, _):
        port = sockets[0].getsockname()[1]
        with pytest.raises(UsageError, match=f"127.0.0.1 port {port}.*--port 0"), listening("127.0.0.1", port):
            pass
