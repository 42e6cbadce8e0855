"""A home with a site: results made up, names as strangers choose them, and records that are real."""

from contextlib import closing
from pathlib import Path

from bullring.ladder.keeping.home import Home
from bullring.ladder.knowing.standings import Standings
from tests.ladder.stored import match_of
from tests.support.record import record_of

HOSTILE = '<script>alert(1)</script>" onload="x'
NAMES = ("ann", HOSTILE, "\x1b[31m../../eve", "bob")
PLACE = "/srv/secret/bots/eve"


def home_of(folder: Path, matches: int = 6) -> Home:
    """A home of four bots, one of them benched; match 2 is void, in match 3 is a fault, and all of them have records."""
    home = Home.create(folder, ["10s"])
    with closing(home.store()) as store:
        for name in NAMES:
            store.add_bot(name, PLACE)
        store.bench(2, f"its copy is missing: {PLACE}")
    more(home, matches)
    return home


def more(home: Home, count: int) -> None:
    """Store some matches with their records."""
    with closing(home.store()) as store:
        standings = None
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
            standings = standings or Standings(store, store.lists()[0])
            with store.change():
                store.add([match])
                if match.counted:
                    standings.add([match])
                    standings.write()
            home.record(id).parent.mkdir(exist_ok=True)
            if id == 1:
                record_of(home.record(id))
            else:
                home.record(id).write_bytes(home.record(1).read_bytes())


def files_of(folder: Path) -> dict[str, tuple[int, int]]:
    """All files of a folder with what a rewrite changes."""
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}
