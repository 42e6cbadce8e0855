"""A home with a site: results made up, names as strangers choose them, and records that are real."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bullring.ladder.store.home import Home
from tests.ladder.stored import match_of, played, recorded
from tests.support.record import record_of

HOSTILE = '<script>alert(1)</script>" onload="x'
NAMES = ("ann", HOSTILE, "\x1b[31m../../eve", "bob")
PLACE = "/srv/secret/bots/eve"


def home_of(folder: Path, matches: int = 6, names: Sequence[str] = NAMES) -> Home:
    """A home of four bots, one of them benched; match 2 is void, in match 3 is a fault, and all of them have records."""
    home = Home.create(folder, ["10s"])
    with closing(home.store()) as store:
        for name in names:
            store.add_bot(name, PLACE)
        store.bench(2, f"its copy is missing: {PLACE}")
    more(home, matches)
    return home


def more(home: Home, count: int) -> None:
    """Store some matches with their records."""
    with closing(home.store()) as store:
        text = home.kept.read(1) or b""
        home.live.mkdir(exist_ok=True)
        for _ in range(count):
            id = store.next_match()
            bots = [(1, 2, 3), (2, 3, 4), (3, 4, 1), (4, 1, 2)][id % 4]
            ranks = [(1, 2, 3), (2, 1, 3)][id % 2]
            match = match_of(
                store,
                bots,
                id=id,
                ranks=ranks,
                void="the machine failed" if id == 2 else None,
                faults=["timeout"] if id == 3 else [],
            )
            played(store, match)
            if id == 1:
                record_of(home.live / "1.jsonl")
                text = (home.live / "1.jsonl").read_bytes()
                (home.live / "1.jsonl").unlink()
            recorded(home, (id, text))


def files_of(folder: Path) -> dict[str, tuple[int, int]]:
    """All files of a folder with what a rewrite changes."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}
