"""How long the site of a home takes (`ladder report`): `python -m bench.report`.

The home is made up: results in the store as a run writes them, and the record of one match of random moves under the numbers of the
last matches. Printed are the size of the site and the seconds of the first run, of one where nothing has changed, and of one after
ten new matches, as parts of the first.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import bullring
from bullring.arena.cost import Spent
from bullring.arena.rules.registry import find
from bullring.arena.seeds import Seed
from bullring.ladder.keeping.frames import pack
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import ListRow, MatchRow, SeatRow
from bullring.ladder.keeping.store import Store
from bullring.ladder.report.folder import Folder
from bullring.ladder.report.report import REPLAYS, Report

BOTS, SEATS, DEALS = 24, 4, 5
RECORDS = 300
NEW = 10
TOGETHER = 5_000
"""Matches written in one change of the store."""


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--replays", type=int, default=REPLAYS)
    wished = parser.parse_args()
    print(f"{'matches':>8} {'files':>6} {'MB':>6} {'first s':>8} {'nothing new':>16} {f'{NEW} new matches':>22}")
    for matches in wished.matches:
        with tempfile.TemporaryDirectory() as folder:
            print(_line(Path(folder), matches, wished.replays), flush=True)


def _line(folder: Path, matches: int, replays: int) -> str:
    home = home_of(folder / "home", matches)
    site = folder / "site"

    def made() -> tuple[float, int]:
        """As the command does it: a new `Report`, which reads the manifest."""
        with closing(home.store(read_only=True)) as store:
            began = time.perf_counter()
            written = Report(home, Folder(site), replays).make(store)
            return time.perf_counter() - began, written

    first, files = made()
    again, changed = made()
    assert changed == 0, f"{changed} files were written though nothing had changed"
    grow(home, matches + 1, NEW)
    grown, few = made()
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 1e6
    return (
        f"{matches:8} {files:6} {size:6.0f} {first:8.1f} {again:8.1f} ({again / first:4.0%})"
        f" {grown:8.1f} ({grown / first:4.0%}, {few:3})"
    )


def home_of(path: Path, matches: int) -> Home:
    """A home with so many matches, and records of the last ones."""
    home = Home.create(path, ["1s"])
    with closing(home.store()) as store:
        for number in range(BOTS):
            store.add_bot(f"bot-{number:02}", "program")
    grow(home, 1, matches)
    return home


def grow(home: Home, first: int, count: int) -> None:
    """Add matches, with records for the last `RECORDS`."""
    with closing(home.store()) as store:
        list_ = store.list_of("standard", find("standard")(SEATS, {"deals": DEALS}).options, SEATS)
        found: list[MatchRow] = []
        for match in _matches(list_, first, count):
            found.append(match)
            if len(found) == TOGETHER or match.id == first + count - 1:
                _store(store, found)
                found = []
    record = _record(home.path / "one.jsonl")
    ids = range(max(first, first + count - RECORDS), first + count)
    home.kept.append([pack([(id, record)]) for id in ids])
    home.kept.sync()


def _store(store: Store, found: list[MatchRow]) -> None:
    with store.change():
        store.add(found)


def _matches(list_: ListRow, first: int, count: int) -> Iterator[MatchRow]:
    """Random tables: a bot takes the fewer heads, the higher its number; one seat in a thousand has a fault."""
    chance = random.Random(first)
    for id in range(first, first + count):
        bots = chance.sample(range(1, BOTS + 1), SEATS)
        heads = [max(0, round(chance.gauss(60 - bot / 2, 20))) for bot in bots]
        seats = [
            SeatRow(
                bot,
                own,
                1 + sum(other < own for other in heads),
                ["timeout"] if chance.random() < 0.001 else [],
                False,
                {chance.randrange(20, 40): 10 * DEALS},
                {},
                Spent(50_000, 40_000, 1),
            )
            for bot, own in zip(bots, heads, strict=True)
        ]
        began = f"2026-01-{1 + id // 5000 % 28:02}T{id // 60 % 24:02}:{id % 60:02}:00Z"
        seed = Seed(f"{id}", "nonce")
        yield MatchRow(id, list_.id, "ladder", None, seed, began, began, None, True, DEALS, seats, f"{id:064x}")


def _record(path: Path) -> bytes:
    chance = random.Random(1)

    def lively(message: dict[str, Any]) -> Any:
        return chance.choice(message["options"])

    bullring.play(*[lively] * SEATS, game="standard", options={"deals": DEALS}, seed="report", record=path)
    data = path.read_bytes()
    path.unlink()
    return data


if __name__ == "__main__":
    main()
