"""The cost of a large home: `python -m bench.homes 100000` makes a home of 100,000 matches and measures the commands on it.

Some thousand matches are played. The others are copies of their records with numbers and seals of their own, which verify like any
record. CPU time and memory are those of the command with all its processes together. Memory is the most that they had at one of
some moments, with what several share counted once (PSS).
"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random

from bench.figures import table, wide_console
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.match.records.ends import seal_of
from bullring.arena.match.records.writer import encode
from bullring.ladder.standings import conduct, ratings
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow, numbers
from bullring.ladder.store.packet import head_of, pack
from bullring.ladder.store.rows import BotRow

PLAYED = 2000
BOTS = ("@greedy", "@quick", "@casual", "@random", "@beginner")
BLOCK = 64
"""Matches that are stored together, as referee processes send them."""
_SEATS = re.compile(rb'"seats":\[[^\]]*\]')
LOOK = 0.05
"""Seconds between two looks at the memory."""
BULLRING = (sys.executable, "-P", "-m", "bullring")

COMMANDS = {
    "ladder table": ("ladder", "table"),
    "ladder matches": ("ladder", "matches"),
    "ladder matches --last N --json": ("ladder", "matches", "--json", "--last", "{matches}"),
    "replay of one in the middle": ("replay", "{middle}", "--plain"),
    "ladder export": ("ladder", "export"),
    "ladder export --format csv": ("ladder", "export", "--format", "csv"),
    "ladder export --format parquet": ("ladder", "export", "--format", "parquet", "--out", "{folder}/out.parquet"),
    "verify --home": ("verify", "--home", "{home}"),
    "ladder rebuild": ("ladder", "rebuild"),
}
SLOW = ("verify --home", "ladder rebuild")


def play(home: Home, matches: int, *words: str) -> None:
    """Play matches with four seats, the default of `ladder run` but for its sandbox; `words` are options of it."""
    run("ladder", "init", str(home.path))
    run("ladder", "add", *BOTS, home=home)
    options = ("--seats", "4", "--sandbox", "none", "--allow-unsandboxed", "--jobs", "2")
    run("ladder", "run", "--matches", str(matches), *options, *words, home=home)


def run(*words: str, home: Home | None = None) -> tuple[float, float, float]:
    """Run a command. Returns its seconds, its seconds of CPU, and its most memory in MiB. Raises `CalledProcessError`."""
    env = os.environ if home is None else {**os.environ, "BULLRING_HOME": str(home.path)}
    began = time.monotonic()
    process = subprocess.Popen([*BULLRING, *words], stdout=subprocess.DEVNULL, env=env)
    most = 0.0
    while not (found := os.wait4(process.pid, os.WNOHANG))[0]:
        most = max(most, memory(process.pid))
        time.sleep(LOOK)
    _, status, used = found
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return seconds, used.ru_utime + used.ru_stime, most


def memory(process: int) -> float:
    """The memory of a process and its children, in MiB."""
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        own = next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) / 1024
    except (OSError, StopIteration):  # it has just ended
        return 0.0
    return own + sum(map(memory, tree.children(process)))


def crowd(home: Home, bots: int) -> list[list[BotRow]]:
    """Enter copies of the bots under further names until there are so many. Returns those of each kind."""
    with closing(home.store()) as store:
        kinds = store.bots()[: len(BOTS)]
        for number in range(len(store.bots()), bots):
            kind = kinds[number % len(kinds)]
            name = f"{kind.name}-{number}"
            store.add_bot(name, kind.source, kind.contents, replace(kind.entry, bot=name))
        return [[row for row in store.bots() if row.source == kind.source] for kind in kinds]


def copies(
    texts: Sequence[bytes], rows: Sequence[PackedRow], first: int, kinds: Sequence[Sequence[BotRow]]
) -> Iterator[tuple[bytes, PackedRow]]:
    """Records and rows of further matches, without end. Each seat has any bot of its kind."""
    number, random = first, Random(0)
    kind_of = {row.id: kind for kind in kinds for row in kind}
    while True:
        for text, row in zip(texts, rows, strict=True):
            bots = [random.choice(kind_of[bot]) for bot in numbers(row.bots)]
            row = row._replace(bots=struct.pack(f"<{len(bots)}I", *[bot.id for bot in bots]))
            own = _SEATS.sub(b'"seats":%b' % encode([bot.name for bot in bots]).encode(), text, count=1)
            own = own.replace(b'"ladder":{"match":%d,' % row.id, b'"ladder":{"match":%d,' % number, 1)
            start = own.rfind(b"\n", 0, -1) + 1
            found = seal_of(own[start:-1])
            assert found is not None
            at = start + found.covered
            seal = sha256(own[:at]).digest()
            own = own[:at] + own[at:].replace(found.digest.encode(), seal.hex().encode(), 1)
            yield own, row._replace(id=number, seal=seal)
            number += 1


def fill(home: Home, matches: int, kinds: Sequence[Sequence[BotRow]]) -> None:
    """Add matches up to this number."""
    with closing(home.store()) as store:
        rows = [row for id in islice(store.ids(PLAYED), PLAYED) if (row := store.packed_of(id)) is not None]
        more = copies([home.kept.read(row.id) or b"" for row in rows], rows, store.next_match(), kinds)
        head = head_of(next(home.kept.pieces()).data)
        dictionary = home.kept.dictionary(head.dictionary if head else 0)
        left = matches - store.count()
        while left > 0:
            with store.change():
                for _ in range(100):
                    block = list(islice(more, min(BLOCK, left)))
                    left -= len(block)
                    if block:
                        home.kept.append(pack(row.id, text, dictionary, check=False) for text, row in block)
                        store.add([row for _, row in block])
        with store.change():
            conduct.write(store)  # as a run does every ten thousand matches
        for list_ in store.lists(played=True):
            ratings.rated(store, list_)  # as a run does in its end


def started(home: Home) -> tuple[float, float, float]:
    """Begin a run and stop it at its first match. Returns its seconds and its seconds of CPU until then, its most memory in MiB.

    CPU and memory are those of the run's own process, without its clerk, referee processes and bots.
    """
    words = ("ladder", "run", "--json", "--sandbox", "none", "--allow-unsandboxed", "--jobs", "2", "--matches", "1000")
    began = time.monotonic()
    with subprocess.Popen(
        [*BULLRING, *words], stdout=subprocess.PIPE, text=True, env={**os.environ, "BULLRING_HOME": str(home.path)}
    ) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if json.loads(line)["type"] == "match")
        seconds = time.monotonic() - began
        own = Path(f"/proc/{process.pid}")
        user, system = own.joinpath("stat").read_text().rpartition(")")[2].split()[11:13]
        (most,) = re.findall(r"VmHWM:\s+(\d+) kB", own.joinpath("status").read_text())
        process.kill()
    return seconds, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK"), int(most) / 1024


def size_of(paths: Sequence[Path]) -> int:
    """Bytes of some files."""
    return sum(path.stat().st_size for path in paths)


def main() -> None:
    """Make a home, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, nargs="?", default=10_000)
    parser.add_argument(
        "--bots", type=int, default=len(BOTS), help="copies under other names, so that there are this many"
    )
    parser.add_argument("--home", type=Path, help="keep the home in this folder; one that is there is filled up")
    parser.add_argument("--quick", action="store_true", help="leave out what verifies every record")
    given = parser.parse_args()
    console = wide_console()
    with tempfile.TemporaryDirectory(prefix="bullring-bench-") as name:
        Path(name).chmod(0o755)  # if the referee is root, bots run as another user
        path = given.home or Path(name) / "home"
        began = time.monotonic()
        home = Home(path.resolve())
        if not path.exists():
            play(home, min(PLAYED, given.matches))
        fill(home, given.matches, crowd(home, given.bots))
        made = time.monotonic() - began
        files = home.kept.files()
        shown = table(f"A home of {given.matches} matches, made in {made:.0f} s", "what", "seconds", "CPU s", "MiB")
        values = {"matches": given.matches, "middle": given.matches // 2, "home": home.path, "folder": name}
        standings = 0.0
        for what, words in COMMANDS.items():
            if given.quick and what in SLOW:
                continue
            seconds, cpu, memory = run(*(word.format(**values) for word in words), home=home)
            if what == "ladder table":
                standings = cpu
            row = what, f"{seconds:.1f}", f"{cpu:.1f}", f"{memory:.0f}"
            shown.add_row(*row)
            print(*row, file=sys.stderr)  # large homes take an hour
        console.print(shown)
        _, start, most = started(home)
        goals = table("Beside the targets for 1,000 bots and a million matches", "what", "measured", "at most")
        goals.add_row("ladder run: its CPU s until its first match has ended", f"{start:.1f}", "5")
        goals.add_row("ladder table: CPU s", f"{standings:.1f}", "2")
        goals.add_row("ladder run: its most memory until then, MiB", f"{most:.0f}", "1024")
        console.print(goals)
        console.print(
            f"{len(files)} files of records, {size_of(files) / given.matches:.0f} bytes a match;"
            f" store {size_of([home.database]) / given.matches:.0f} bytes a match"
        )


if __name__ == "__main__":
    main()
