"""Stores of older versions are brought up to date in one transaction. For readers, who write nothing, that is done to a copy.

Version 2 knew nothing of versions of bots. Version 3 had a row for each seat of a match, with texts in JSON.
"""

import json
import sqlite3
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from bullring.arena.match.cost import Spent
from bullring.arena.match.seeds import Seed
from bullring.ladder.store.packed_row import PackedRow, numbers, packed
from bullring.ladder.store.rows import MatchRow, SeatRow
from bullring.ladder.store.schema import BOTS, COLUMNS, MATCHES

_BEFORE = "id, name, source, added, state, reason, judged_from, hash, whole, image"
_NEW = (
    "'' AS built, name AS bot, 1 AS version, '' AS language, 0 AS size, 0 AS files, place_of_two(name, whole) AS place"
)
_OF_MATCH = "id, list, format, grp, seed, nonce, began, ended, void, counted, deals, seal"


def migrate(db: sqlite3.Connection) -> None:
    """Bring a store of an older version up to date. Raises `sqlite3.Error`."""
    db.create_function("place_of_two", 2, _place, deterministic=True)
    db.execute("PRAGMA foreign_keys = OFF")  # tables keep referring to those that are exchanged
    try:
        with db:
            db.execute("BEGIN IMMEDIATE")
            # Somebody else may have been quicker.
            version = int(db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0])
            if version == 2:
                _know_versions(db)
            if version < 4:
                _pack_matches(db)
            db.execute("UPDATE meta SET value = '4' WHERE key = 'version'")
    finally:
        db.execute("PRAGMA foreign_keys = ON")


def _know_versions(db: sqlite3.Connection) -> None:
    """Every bot is the first version of itself."""
    # In this order the other tables go on referring to "bots".
    db.execute(BOTS.replace("TABLE bots", "TABLE new_bots"))
    db.execute(f"INSERT INTO new_bots SELECT {_BEFORE}, {_NEW} FROM bots ORDER BY id")
    db.execute("DROP TABLE bots")
    db.execute("ALTER TABLE new_bots RENAME TO bots")


def _pack_matches(db: sqlite3.Connection) -> None:
    """One row for each match. Nobody knows in which order they ended, so it is that of their ids."""
    db.execute("DROP INDEX matches_of_list")
    db.execute("ALTER TABLE matches RENAME TO old_matches")
    for statement in MATCHES.split(";"):
        db.execute(statement)
    marks = ", ".join("?" * len(PackedRow._fields))
    for match in _matches_of_three(db):
        row = packed(match)
        db.execute(f"INSERT INTO matches ({COLUMNS}) VALUES ({marks})", row)
        db.executemany("INSERT INTO played VALUES (?, ?)", [(bot, row.id) for bot in numbers(row.bots)])
    for (list_,) in db.execute("SELECT DISTINCT list FROM conduct").fetchall():
        db.execute("INSERT INTO meta SELECT ?, max(number) FROM matches", (f"conduct {list_}",))
    db.execute("DROP TABLE results")
    db.execute("DROP TABLE old_matches")


def _matches_of_three(db: sqlite3.Connection) -> Iterator[MatchRow]:
    rows = db.execute(
        f"SELECT {_OF_MATCH}, r.bot, r.heads, r.rank, r.faults, r.closed, r.times, r.metrics, r.wall_us, r.cpu_us, r.starts"
        " FROM old_matches m JOIN results r ON r.match = m.id ORDER BY id, r.seat"
    )
    for match, seats in groupby(rows, itemgetter(slice(12))):
        id, list_, format, group, seed, nonce, began, ended, void, counted, deals, seal = match
        ends = began, ended, void, bool(counted), deals
        yield MatchRow(
            id, list_, format, group, Seed(seed, nonce), *ends, [_seat(*row[12:]) for row in seats], seal.hex()
        )


def _seat(
    bot: int,
    heads: int,
    rank: int,
    faults: str,
    closed: int,
    times: str,
    metrics: str,
    wall_us: int,
    cpu_us: int,
    starts: int,
) -> SeatRow:
    kinds = faults.split(",") if faults else []
    counts = {int(bucket): count for bucket, count in json.loads(times).items()}
    reported = json.loads(metrics) if metrics else {}
    return SeatRow(bot, heads, rank, kinds, bool(closed), counts, reported, Spent(wall_us, cpu_us, starts))


def _place(name: str, whole: int) -> str:
    """Where the files of a bot of version 2 are: they had its name."""
    plain = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_+.") else f"%{ord(char):06x}" for char in name
    )
    return f"bots/{plain}" if whole else f"commands/{plain}.json"
