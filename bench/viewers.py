"""Viewers of a web server: `python -m bench.viewers` measures what a thousand cost, and how late they are told.

A turn a second is told to all: to those of one table, and to those who are spread over the tables and the front of a ladder. Beside
it the floor: the same events by a minimal Starlette. The frames are those of a real match. On a busy machine, much of the lateness
is waiting for a processor: how long the server and the viewers, which are one process, could run and did not is printed a turn.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

import bullring
from bench.figures import Facts, Target, alone, interleaved, table
from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.kinds import SERVER
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.page.page import frame_of, head_of, masked
from bullring.arena.watching.picture.frames_json import written
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.web.serving import listening

VIEWERS = 1000
SECONDS = 15
TABLES = 20

Turns = tuple[str, list[list[str]]]
"""What is known before the first frame, and the frames by turn, as JSON."""


def recorded(folder: Path) -> Turns:
    """The frames of a match of four."""
    record = folder / "match.jsonl"
    bullring.play("@greedy", "@careful", "@quick", "@random", record=record)
    lines, reducer = read_lines(record), Reducer()
    frames = [[*map(frame_of, reducer.feed(masked(entry)))] for entry in lines.each()]
    head = head_of(lines.entries[0], reducer.picture)
    return written(head), [[*map(written, turn)] for turn in frames if turn]


def _told(turn: Sequence[str]) -> list[str]:
    """Frames with the time of now."""
    return [f'{{"told": {time.monotonic()},{frame[1:]}' for frame in turn]


@contextmanager
def _watched(pid: int, port: int, viewers: int, paths: Sequence[str]) -> Iterator[Callable[[], Facts]]:
    """Viewers of a server. Inside they are all there; what is yielded waits for the end, and returns the figures."""
    words = [sys.executable, "-m", "bench.watching", str(port), str(SECONDS), str(viewers), *paths]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as watching:
        assert watching.stdout is not None
        if watching.stdout.readline() != "ready\n":
            raise RuntimeError("the viewers cannot connect")
        began, before, idle = time.monotonic(), _cpu(pid), _waited(pid, watching.pid)

        def figures() -> Facts:
            share = (_cpu(pid) - before) / (time.monotonic() - began)
            waited = (_waited(pid, watching.pid) - idle) / SECONDS
            facts: Facts = json.loads(watching.stdout.readline() if watching.stdout else "")
            return {**facts, "cpu": share, "waited": waited, "memory": _memory(pid)}

        yield figures


def _cpu(pid: int) -> float:
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _waited(*pids: int) -> float:
    """Seconds for which processes could have run and did not."""
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) for pid in pids) / 1e9


def _memory(pid: int) -> float:
    """MiB of its own memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / (1 << 20)


def _each_second(turns: Sequence[list[str]], say: Callable[[list[str]], None]) -> None:
    """Say a turn a second, for as long as the viewers watch."""
    began = time.monotonic()
    for number in range(SECONDS):
        time.sleep(max(0.0, began + number - time.monotonic()))
        say(_told(turns[number % len(turns)]))
    time.sleep(max(0.0, began + SECONDS - 0.5 - time.monotonic()))


def ours(turns: Turns, viewers: int, *, spread: bool) -> Facts:
    """Our server. If the viewers are `spread`, half of them look at the front, the others at tables, of which each is told."""
    head, frames = turns
    keys = [str(number + 1) for number in range(TABLES if spread else 1)]
    hears, news = os.pipe()
    with tempfile.TemporaryDirectory() as folder, listening("127.0.0.1", 0) as (sockets, url):
        fd = sockets[0].fileno()
        with Child(SERVER, folder, str(hears), "", "", str(fd), passed=[hears, fd]) as server:
            os.close(hears)
            next(iter(server.ear()))
            for key in keys:
                tell(news, "begin", key, head, frames[0], None)
            if spread:
                tell(news, "front", [("progress", "{}")], {})
            tell(news, "known")
            paths = [f"/tables/{key}/events" for key in keys]
            paths = [path for table in paths for path in ("/events", table)] if spread else paths
            with _watched(server.pid, int(url.rpartition(":")[2]), viewers, paths) as figures:

                def say(turn: list[str]) -> None:
                    for key in keys:
                        tell(news, "frames", key, turn, None)
                    if spread:
                        tell(news, "front", [("tables", turn[0])], {})

                _each_second(frames, say)
                found = figures()
            os.close(news)
    return found


def floor(turns: Turns, viewers: int) -> Facts:
    """A minimal Starlette: all viewers look at the same."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        fd = listener.fileno()
        words = [sys.executable, "-m", "bench.floor_viewers", str(fd)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, pass_fds=[fd]) as server:
            assert server.stdin is not None
            writer = server.stdin
            port = listener.getsockname()[1]
            with _watched(server.pid, port, viewers, ["/"]) as figures:

                def say(turn: list[str]) -> None:
                    writer.write(f"data: {' '.join(turn)}\n".encode())
                    writer.flush()

                _each_second(turns[1], say)
                found = figures()
            server.kill()
    return found


def section(console: Console, rounds: int, viewers: int = VIEWERS) -> list[Target]:
    """Measure, and print. Returns the figures beside their targets."""
    with tempfile.TemporaryDirectory() as folder:
        turns = recorded(Path(folder))
    cases: dict[str, Callable[[], Facts]] = {
        "one table": lambda: ours(turns, viewers, spread=False),
        "a ladder": lambda: ours(turns, viewers, spread=True),
        "floor: minimal Starlette": lambda: floor(turns, viewers),
    }
    found = interleaved(cases, rounds)
    shown = table(
        f"{viewers} viewers, a turn a second", "", "% of a core", "p99 ms", "most ms", "ms waited a turn", "MiB"
    )
    targets = []
    for name, facts in found.items():
        cpu, late, most, waited, memory = (
            statistics.median(one[key] for one in facts) for key in ("cpu", "p99", "most", "waited", "memory")
        )
        times = (f"{1000 * seconds:.0f}" for seconds in (late, most, waited))
        shown.add_row(name, f"{100 * cpu:.1f}", *times, f"{memory:.0f}")
        if "floor" not in name:
            targets.append(Target(f"{viewers} viewers of {name}: processor", 100 * cpu, 10, "%"))
            targets.append(Target(f"{viewers} viewers of {name}: p99 from reveal to event", 1000 * late, 200, "ms"))
    console.print(shown)
    return targets


if __name__ == "__main__":
    alone(section, __doc__, rounds=1, viewers=VIEWERS)
