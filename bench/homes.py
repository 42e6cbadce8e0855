"""The cost of a large home: `python -m bench.homes 100000` makes a home of 100,000 matches and measures the commands on it.

Some thousand matches are played. The others are copies of their records with numbers and seals of their own, which verify like any
record. CPU time and memory are those of the command with all its processes together. Memory is the most that they had at one of
some moments, with what several share counted once (PSS).
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path

from bench.figures import table, wide_console
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.match.records.ends import seal_of
from bullring.ladder.standings import conduct
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.packet import head_of, pack

PLAYED = 2000
BOTS = ("@greedy", "@quick", "@casual", "@random", "@beginner")
BLOCK = 64
"""Matches that are stored together, as referee processes send them."""
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


def play(home: Home, matches: int) -> None:
    """Play matches of one deal with four seats, the default of `ladder run` but for its sandbox."""
    run("ladder", "init", str(home.path))
    run("ladder", "add", *BOTS, home=home)
    options = ("--seats", "4", "--sandbox", "none", "--allow-unsandboxed", "--jobs", "2")
    run("ladder", "run", "--matches", str(matches), *options, home=home)


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


def copies(texts: Sequence[bytes], rows: Sequence[PackedRow], first: int) -> Iterator[tuple[bytes, PackedRow]]:
    """Records and rows of further matches, without end."""
    number = first
    while True:
        for text, row in zip(texts, rows, strict=True):
            own = text.replace(b'"ladder":{"match":%d,' % row.id, b'"ladder":{"match":%d,' % number, 1)
            start = own.rfind(b"\n", 0, -1) + 1
            found = seal_of(own[start:-1])
            assert found is not None
            at = start + found.covered
            seal = sha256(own[:at]).digest()
            own = own[:at] + own[at:].replace(found.digest.encode(), seal.hex().encode(), 1)
            yield own, row._replace(id=number, seal=seal)
            number += 1


def fill(home: Home, matches: int) -> None:
    """Add matches up to this number."""
    with closing(home.store()) as store:
        rows = [row for id in islice(store.ids(PLAYED), PLAYED) if (row := store.packed_of(id)) is not None]
        more = copies([home.kept.read(row.id) or b"" for row in rows], rows, store.next_match())
        head = head_of(next(home.kept.pieces()).data)
        dictionary = home.kept.dictionary(head.dictionary if head else 0)
        left = matches - store.count()
        while left > 0:
            with store.change():
                for _ in range(100):
                    block = list(islice(more, min(BLOCK, left)))
                    left -= len(block)
                    if block:
                        home.kept.append(pack(row.id, text, dictionary) for text, row in block)
                        store.add([row for _, row in block])
        with store.change():
            conduct.write(store)  # as a run does every ten thousand matches


def size_of(paths: Sequence[Path]) -> int:
    """Bytes of some files."""
    return sum(path.stat().st_size for path in paths)


def main() -> None:
    """Make a home, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, nargs="?", default=10_000)
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
        fill(home, given.matches)
        made = time.monotonic() - began
        files = home.kept.files()
        shown = table(f"A home of {given.matches} matches, made in {made:.0f} s", "what", "seconds", "CPU s", "MiB")
        values = {"matches": given.matches, "middle": given.matches // 2, "home": home.path, "folder": name}
        for what, words in COMMANDS.items():
            if given.quick and what in SLOW:
                continue
            seconds, cpu, memory = run(*(word.format(**values) for word in words), home=home)
            row = what, f"{seconds:.1f}", f"{cpu:.1f}", f"{memory:.0f}"
            shown.add_row(*row)
            print(*row, file=sys.stderr)  # large homes take an hour
        console.print(shown)
        console.print(
            f"{len(files)} files of records, {size_of(files) / given.matches:.0f} bytes a match;"
            f" store {size_of([home.database]) / given.matches:.0f} bytes a match"
        )


if __name__ == "__main__":
    main()
