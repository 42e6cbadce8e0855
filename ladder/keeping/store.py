"""The store of a ladder: SQLite, one writer, every change in one transaction.

A group is stored with its seed before it is played; its matches are added one by one, and it counts when it is done. So the
store is consistent whenever the machine dies: a match is stored completely or not at all, and a group that is not done is
resumed or given up. Everything except the bots and the lists can be rebuilt from the records (`rebuild`).
"""

import json
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.bots.bot import NOT_KNOWN, Contents
from bullring.arena.seeds import Seed
from bullring.errors import LadderError, StoreError
from bullring.ladder.keeping.rows import BotRow, Format, GroupRow, ListRow, MatchRow, SeatRow, State

VERSION = 1

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'benched', 'removed')), reason TEXT NOT NULL DEFAULT '',
    judged_from INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', whole INTEGER NOT NULL DEFAULT 0, image TEXT NOT NULL DEFAULT ''
);
CREATE TABLE lists (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seats INTEGER NOT NULL, anchor INTEGER REFERENCES bots,
    UNIQUE (game, options, seats)
);
CREATE TABLE groups (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, format TEXT NOT NULL, plan TEXT NOT NULL,
    lineup TEXT NOT NULL, seed TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'done', 'void')),
    began TEXT NOT NULL, ended TEXT, ranks BLOB, heads BLOB, deals BLOB
);
CREATE INDEX groups_open ON groups (state) WHERE state = 'open';
CREATE INDEX groups_of_list ON groups (list, state);
CREATE TABLE matches (
    grp INTEGER NOT NULL REFERENCES groups, number INTEGER NOT NULL, nonce TEXT NOT NULL, void TEXT, deals INTEGER NOT NULL,
    ended TEXT NOT NULL, sealed INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (grp, number)
) WITHOUT ROWID;
CREATE TABLE results (
    grp INTEGER NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, bot INTEGER NOT NULL REFERENCES bots,
    heads INTEGER NOT NULL, rank INTEGER NOT NULL, faults TEXT NOT NULL, closed INTEGER NOT NULL,
    times TEXT NOT NULL, metrics TEXT NOT NULL, PRIMARY KEY (grp, number, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_bot ON results (bot, grp);
CREATE TABLE conduct (
    list INTEGER NOT NULL REFERENCES lists, bot INTEGER NOT NULL REFERENCES bots, sums TEXT NOT NULL, PRIMARY KEY (list, bot)
) WITHOUT ROWID;
"""


class DoneGroup(NamedTuple):
    """A finished group in the form the ratings need."""

    id: int
    lineup: Sequence[int]
    ranks: bytes
    heads: bytes
    deals: bytes
    """The three byte strings made by `packed`."""


class Store:
    """An open store. All methods raise `StoreError` if the disk is full, read-only or broken."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    @classmethod
    def create(cls, path: Path, home: str) -> "Store":
        """Create a store; `home` is the random id of the home."""
        with _errors(path):
            db = _connect(path)
            with db:
                db.executescript(_SCHEMA)
                db.execute("INSERT INTO meta VALUES ('version', ?), ('home', ?)", (str(VERSION), home))
        return cls(db, path)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> "Store":
        """Open an existing store."""
        with _errors(path), ExitStack() as stack:
            db = stack.enter_context(closing(_connect(path, read_only=read_only)))
            _check_version(db, path)
            stack.pop_all()  # it stays open
        return cls(db, path)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """A transaction: make all changes inside it, or none."""
        with _errors(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    @property
    def home(self) -> str:
        """The id of the home."""
        return str(self._one("SELECT value FROM meta WHERE key = 'home'")[0])

    # Bots

    def bots(self) -> list[BotRow]:
        """All bots in the order they were added, including benched and removed ones."""
        rows = self._all(
            "SELECT id, name, source, state, reason, judged_from, hash, whole, image FROM bots ORDER BY id"
        )
        return [
            BotRow(id, name, source, state, reason, judged_from, Contents(hash, bool(whole), image))
            for id, name, source, state, reason, judged_from, hash, whole, image in rows
        ]

    def bot(self, name: str) -> BotRow:
        """The bot with this name. Raises `LadderError` if there is none."""
        for row in self.bots():
            if row.name == name:
                return row
        known = ", ".join(row.name for row in self.bots() if row.state != "removed") or "none yet"
        raise LadderError(f"there is no bot {name[:64]!r} on this ladder; its bots: {known}")

    def add_bot(self, name: str, source: str, contents: Contents = NOT_KNOWN) -> None:
        """Add a bot. Raises `LadderError` if the name is taken."""
        if any(row.name == name for row in self.bots()):
            raise LadderError(
                f"there is already a bot {name!r} (removed bots keep their names); choose another name with --name"
            )
        with self.change():
            self._db.execute(
                "INSERT INTO bots (name, source, added, state, hash, whole, image) VALUES (?, ?, ?, 'active', ?, ?, ?)",
                (name, source, _now(), contents.hash, contents.whole, contents.image),
            )

    def set_image(self, bot: int, image: str) -> None:
        """Store the image that a bot plays in from now on."""
        with self.change():
            self._db.execute("UPDATE bots SET image = ? WHERE id = ?", (image, bot))

    def set_state(self, bot: int, state: State, reason: str = "") -> None:
        """Bench, reinstate or remove a bot; earlier faults no longer count against it."""
        with self.change():
            self._db.execute(
                "UPDATE bots SET state = ?, reason = ?,"
                " judged_from = (SELECT coalesce(max(id), 0) + 1 FROM groups) WHERE id = ?",
                (state, reason, bot),
            )

    # Lists

    def lists(self) -> list[ListRow]:
        """All lists, oldest first."""
        rows = self._all("SELECT id, game, options, seats FROM lists ORDER BY id")
        return [ListRow(id, game, json.loads(options), seats) for id, game, options, seats in rows]

    def list_of(self, game: str, options: Mapping[str, Any], seats: int) -> ListRow:
        """The list for a game, its complete options and a number of seats; created if it does not exist."""
        text = json.dumps(options, sort_keys=True)
        with self.change():
            self._db.execute("INSERT OR IGNORE INTO lists (game, options, seats) VALUES (?, ?, ?)", (game, text, seats))
        (id,) = self._one("SELECT id FROM lists WHERE game = ? AND options = ? AND seats = ?", (game, text, seats))
        return ListRow(id, game, dict(options), seats)

    def anchor(self, list_: int) -> int | None:
        """The id of the bot chosen as anchor of a list; None if none was chosen."""
        (bot,) = self._one("SELECT anchor FROM lists WHERE id = ?", (list_,))
        return None if bot is None else int(bot)

    def set_anchor(self, list_: int, bot: int) -> None:
        """Store the anchor of a list, for every command that rates it."""
        with self.change():
            self._db.execute("UPDATE lists SET anchor = ? WHERE id = ?", (bot, list_))

    # Groups and matches

    def add_group(self, group: GroupRow) -> None:
        """Store a group before it is played. Call within `change`."""
        self._db.execute(
            "INSERT INTO groups (id, list, format, plan, lineup, seed, state, began) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (group.id, group.list, group.format, group.plan, json.dumps(group.lineup), group.seed, group.state, _now()),
        )

    def next_group(self) -> int:
        """The id for the next group."""
        return int(self._one("SELECT coalesce(max(id), 0) + 1 FROM groups")[0])

    def groups(self) -> list[GroupRow]:
        """All groups, by id."""
        return self._groups("1")

    def open_groups(self) -> list[GroupRow]:
        """The groups that are not finished."""
        return self._groups("state = 'open'")

    def groups_in(self, list_: int, format: Format) -> list[GroupRow]:
        """The groups of a list and format that are done or open."""
        return self._groups("list = ? AND format = ? AND state != 'void'", (list_, format))

    def done_groups_in(self, list_: int, format: Format) -> list[GroupRow]:
        """The groups of a list and format that are done."""
        return self._groups("list = ? AND format = ? AND state = 'done'", (list_, format))

    def _groups(self, where: str, values: Sequence[Any] = ()) -> list[GroupRow]:
        query = f"SELECT id, list, format, plan, lineup, seed, state FROM groups WHERE {where} ORDER BY id"
        return [
            GroupRow(id, list_, format, plan, tuple(json.loads(lineup)), seed, state)
            for id, list_, format, plan, lineup, seed, state in self._all(query, values)
        ]

    def add_match(self, match: MatchRow) -> None:
        """Store a match that was played. Call within `change`."""
        self._db.execute(
            "INSERT INTO matches (grp, number, nonce, void, deals, ended) VALUES (?, ?, ?, ?, ?, ?)",
            (match.group, match.number, match.seed.nonce, match.void, match.deals, _now()),
        )
        self._db.executemany(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    match.group,
                    match.number,
                    seat,
                    row.bot,
                    row.heads,
                    row.rank,
                    ",".join(row.faults),
                    row.closed,
                    json.dumps(row.times),
                    json.dumps(row.metrics) if row.metrics else "",
                )
                for seat, row in enumerate(match.seats)
            ],
        )

    def end_group(self, group: GroupRow, matches: Sequence[MatchRow], *, void: bool) -> None:
        """Mark a group as done or void. Call within `change`. If it is done, `matches` are all its matches in order."""
        ranks, heads, deals = (b"", b"", b"") if void else packed(group, matches)
        self._db.execute(
            "UPDATE groups SET state = ?, ended = ?, ranks = ?, heads = ?, deals = ? WHERE id = ?",
            ("void" if void else "done", _now(), ranks, heads, deals, group.id),
        )

    def set_sealed(self, ids: Iterable[tuple[int, int]]) -> None:
        """Mark the records of these matches (group, number) as sealed. Call within `change`."""
        self._db.executemany("UPDATE matches SET sealed = 1 WHERE grp = ? AND number = ?", ids)

    def unsealed(self) -> list[MatchRow]:
        """Matches of ended groups whose record may not be sealed yet."""
        return self._matches("NOT m.sealed AND g.state != 'open'")

    def matches(self) -> list[MatchRow]:
        """All matches, by group and number."""
        return self._matches("1")

    def matches_of(self, group: int) -> list[MatchRow]:
        """The matches of a group that were played so far."""
        return self._matches("m.grp = ?", (group,))

    def matches_in(self, list_: int) -> Iterator[MatchRow]:
        """Iterate over the matches of a list, by group and number."""
        return self._each_match("g.list = ?", (list_,))

    def last_matches(self, list_: int, bot: int | None, limit: int) -> list[MatchRow]:
        """The last matches of a list, or only those of one bot, newest last."""
        played = " AND EXISTS (SELECT 1 FROM results r WHERE r.grp = m.grp AND r.number = m.number AND r.bot = ?)"
        where, values = ("g.list = ?", (list_,)) if bot is None else ("g.list = ?" + played, (list_, bot))
        return self._matches(where, values, limit)

    def _matches(self, where: str, values: Sequence[Any] = (), limit: int = -1) -> list[MatchRow]:
        return list(self._each_match(where, values, limit))

    def _each_match(self, where: str, values: Sequence[Any] = (), limit: int = -1) -> Iterator[MatchRow]:
        """The last `limit` matches (-1: all), by group and number."""
        chosen = (
            "SELECT m.grp, m.number, m.nonce, m.void, m.deals, g.seed FROM matches m JOIN groups g ON m.grp = g.id"
            f" WHERE {where} ORDER BY m.grp DESC, m.number DESC LIMIT ?"
        )
        query = (
            "SELECT c.grp, c.number, c.nonce, c.void, c.deals, c.seed,"
            " r.bot, r.heads, r.rank, r.faults, r.closed, r.times, r.metrics"
            f" FROM ({chosen}) c JOIN results r ON r.grp = c.grp AND r.number = c.number"
            " ORDER BY c.grp, c.number, r.seat"
        )
        with _errors(self._path):
            rows = self._db.execute(query, (*values, limit))
            for (group, number, nonce, void, deals, seed), seats in groupby(rows, itemgetter(slice(6))):
                yield MatchRow(group, number, Seed(seed, nonce), void, deals, [_seat(row[6:]) for row in seats])

    def done(self, list_: int) -> Iterator[DoneGroup]:
        """The finished groups of a list by id, without duels."""
        rows = self._all(
            "SELECT id, lineup, ranks, heads, deals FROM groups WHERE list = ? AND state = 'done'"
            " AND format != 'duel' ORDER BY id",
            (list_,),
        )
        return (DoneGroup(id, json.loads(lineup), ranks, heads, deals) for id, lineup, ranks, heads, deals in rows)

    def conduct(self, list_: int) -> dict[int, str]:
        """The sums of `ladder.knowing.conduct` over the finished groups of a list, by bot id."""
        return dict(self._all("SELECT bot, sums FROM conduct WHERE list = ?", (list_,)))

    def set_conduct(self, list_: int, sums: Iterable[tuple[int, str]]) -> None:
        """Store new sums of some bots. Call within the same `change` as the group they come from."""
        self._db.executemany(
            "INSERT OR REPLACE INTO conduct (list, bot, sums) VALUES (?, ?, ?)",
            [(list_, bot, text) for bot, text in sums],
        )

    def recent_results(self, bot: int, since: int, limit: int) -> list[tuple[str, bool]]:
        """The bot's last matches from group `since` on, newest first: its fault kinds, and whether its seat was closed."""
        rows = self._all(
            "SELECT r.faults, r.closed FROM results r JOIN matches m ON m.grp = r.grp AND m.number = r.number"
            " WHERE r.bot = ? AND r.grp >= ? AND m.void IS NULL ORDER BY r.grp DESC, r.number DESC LIMIT ?",
            (bot, since, limit),
        )
        return [(faults, bool(closed)) for faults, closed in rows]

    def ended_matches(self) -> set[tuple[int, int]]:
        """Group and number of all matches in groups that have ended."""
        return set(
            self._all("SELECT m.grp, m.number FROM matches m JOIN groups g ON m.grp = g.id WHERE g.state != 'open'")
        )

    def clear_results(self, except_for: Collection[int]) -> None:
        """Delete all groups, matches and results except those of some groups, to rebuild them. Call within `change`."""
        kept = ",".join(map(str, sorted(except_for)))
        for table, column in (("results", "grp"), ("matches", "grp"), ("groups", "id")):
            self._db.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({kept})")
        self._db.execute("DELETE FROM conduct")

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with _errors(self._path):
            return self._db.execute(query, values).fetchall()

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self._all(query, values)[0]


def packed(group: GroupRow, matches: Sequence[MatchRow]) -> tuple[bytes, bytes, bytes]:
    """Ranks (1 byte each), heads (4 bytes each, little-endian) of all matches by line-up place, and deals (4 bytes each)."""
    ranks, heads, deals = bytearray(), bytearray(), bytearray()
    for match in matches:
        by_bot = {row.bot: row for row in match.seats}
        ranks += bytes(by_bot[bot].rank for bot in group.lineup)
        heads += b"".join(by_bot[bot].heads.to_bytes(4, "little", signed=True) for bot in group.lineup)
        deals += match.deals.to_bytes(4, "little")
    return bytes(ranks), bytes(heads), bytes(deals)


def _seat(row: Any) -> SeatRow:
    bot, heads, rank, faults, closed, times, metrics = row
    return SeatRow(
        bot,
        heads,
        rank,
        faults.split(",") if faults else [],
        bool(closed),
        {int(bucket): count for bucket, count in json.loads(times).items()},
        json.loads(metrics) if metrics else {},
    )


def _connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    if read_only:
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=10)
    db = sqlite3.connect(path, isolation_level=None, timeout=10)
    try:
        # With FULL, committed changes survive a loss of power.
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreError` if this is not a store of this version."""
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        row = None
    if row is None:
        raise StoreError(f"{path} is not the store of a ladder; expected a file made by: bullring ladder init")
    if row[0] != str(VERSION):
        raise StoreError(
            f"{path} was made by another version of bullring: expected store version {VERSION}, got {row[0]}"
        )


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"the store {path} cannot be used: {error}") from None


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
