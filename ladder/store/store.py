"""The store of a ladder: SQLite, one writer, every change in one transaction.

A match is noted before it is played, and stored when its record is complete and on disk; the matches of a group are stored
together. So the store is consistent whenever the machine dies: a match is stored completely or not at all, and what was only
noted is given up. Everything except the bots and the lists can be rebuilt from the records (`rebuild`).
"""

import json
import sqlite3
import struct
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple

from bullring.arena.cells.bots.bot import NOT_KNOWN, Contents
from bullring.arena.settings.settings import Settings
from bullring.errors import LadderError
from bullring.ladder.store.database import copy_of, decoding, explained, must_migrate, readable, writable
from bullring.ladder.store.migrations import migrate, newest
from bullring.ladder.store.packed_row import PackedRow, numbers, unpacked
from bullring.ladder.store.rows import NOTHING_NOTED, BotRow, Entry, Format, ListRow, MatchRow, SeatRow, StoredState

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
-- Each row is a version of a bot.
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'benched', 'retired', 'removed')), reason TEXT NOT NULL DEFAULT '',
    judged_from INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', whole INTEGER NOT NULL DEFAULT 0, image TEXT NOT NULL DEFAULT '', built TEXT NOT NULL DEFAULT '',
    bot TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, language TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '',
    python TEXT NOT NULL DEFAULT '{python}', git_commit TEXT NOT NULL DEFAULT '', UNIQUE (bot, version)
);
CREATE TABLE lists (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seats INTEGER NOT NULL, duplicate INTEGER NOT NULL DEFAULT 0,
    anchor INTEGER REFERENCES bots, UNIQUE (game, options, seats)
);
-- Matches being played.
CREATE TABLE playing (id INTEGER PRIMARY KEY);
-- Groups of duels that were begun and have not ended, by their first matches. Their seeds are on no disk before they have.
CREATE TABLE begun (id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, bots BLOB NOT NULL);
-- A match is one row (`packed_row`). Their numbers are the order in which they were stored, which is not that of their ids.
CREATE TABLE matches (
    number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,
    list INTEGER NOT NULL REFERENCES lists, format TEXT NOT NULL, grp INTEGER,
    seed TEXT NOT NULL, nonce TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, void TEXT, counted INTEGER NOT NULL,
    deals INTEGER NOT NULL, faults INTEGER NOT NULL, seal BLOB NOT NULL,
    bots BLOB NOT NULL, ranks BLOB NOT NULL, heads BLOB NOT NULL, seats BLOB NOT NULL, spoiled INTEGER NOT NULL,
    confinement TEXT
);
CREATE INDEX matches_of_list ON matches (list, id);
CREATE INDEX faulty_matches ON matches (list, id) WHERE faults;
CREATE TABLE played (bot INTEGER NOT NULL REFERENCES bots, match INTEGER NOT NULL, PRIMARY KEY (bot, match)) WITHOUT ROWID;
-- The public keys of this ladder, newest last.
CREATE TABLE keys (number INTEGER PRIMARY KEY, public TEXT NOT NULL UNIQUE, made TEXT NOT NULL);
CREATE TABLE conduct (
    list INTEGER NOT NULL REFERENCES lists, bot INTEGER NOT NULL REFERENCES bots, sums TEXT NOT NULL, PRIMARY KEY (list, bot)
) WITHOUT ROWID;
CREATE TABLE ratings (list INTEGER PRIMARY KEY REFERENCES lists, version TEXT NOT NULL, facts BLOB NOT NULL);
"""

ACTIVE = Settings().active
"""The versions of a bot that play, unless the settings of the home say otherwise."""

AT_ONCE = 1 << 14
"""Rows that are read together."""

COLUMNS = ", ".join(PackedRow._fields).replace("group", "grp")
"""The columns of a match."""


class Brief(NamedTuple):
    """A match in brief."""

    id: int
    began: str
    void: str | None
    counted: bool
    deals: int
    seal: str
    bots: Sequence[int]
    """By seat, like the rest."""
    ranks: Sequence[int]
    heads: Sequence[int]


class CountedMatch(NamedTuple):
    """A match that counts, in the form the ratings need."""

    first: int
    """The first match of its group; itself if its deals were played once."""
    deals: int
    bots: bytes
    ranks: bytes
    heads: bytes
    """These three as in `PackedRow`."""


class Store:
    """An open store. All methods raise `StoreError` if the disk is full, read-only or broken."""

    def __init__(self, db: sqlite3.Connection, path: Path, active: int = ACTIVE) -> None:
        self._db = db
        self._path = path
        self._active = active

    @classmethod
    def create(cls, path: Path, home: str) -> "Store":
        """Create a store; `home` is the random id of the home."""
        with explained(path):
            db = writable(path)
            with db:
                db.executescript(_SCHEMA)
                db.execute("INSERT INTO meta VALUES ('version', ?), ('home', ?)", (str(newest()), home))
        return cls(db, path)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False, active: int = ACTIVE) -> "Store":
        """Open an existing store. An older one is brought up to date, or if `read_only`, a copy of it.

        The `active` newest versions of each bot play, of those that may; the others are `older`.

        Raises `LadderError` if it is of another version.
        """
        with explained(path), ExitStack() as stack:
            db = stack.enter_context(closing(readable(path) if read_only else writable(path)))
            if must_migrate(db, path):
                db = stack.enter_context(closing(copy_of(db))) if read_only else db
                migrate(db)
            stack.pop_all()  # it stays open
        return cls(db, path, active)

    @classmethod
    def is_old(cls, path: Path) -> bool:
        """Whether a store would be brought up to date if it were opened. Raises `StoreError`, `LadderError`."""
        with explained(path), closing(readable(path)) as db:
            return must_migrate(db, path)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """A transaction: make all changes inside it, or none."""
        with explained(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, everything is read as of one moment. The writer goes on meanwhile."""
        if self._db.in_transaction:  # it is already
            yield
            return
        with explained(self._path):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

    def decoding(self) -> AbstractContextManager[None]:
        """Raise `StoreError` if the values of rows, which are made sense of inside, are none that we write."""
        return decoding(self._path)

    @property
    def home(self) -> str:
        """The id of the home."""
        return str(self._one("SELECT value FROM meta WHERE key = 'home'")[0])

    def keys(self) -> list[str]:
        """The public keys of this ladder, newest last; the last one signs its records."""
        return [key for (key,) in self._all("SELECT public FROM keys ORDER BY number")]

    def add_key(self, public: str) -> None:
        """Add a public key."""
        with self.change():
            self._db.execute("INSERT INTO keys (public, made) VALUES (?, ?)", (public, _now()))

    # Bots

    def bots(self) -> list[BotRow]:
        """All bots in the order they were added, including benched and removed ones."""
        rows = self._all(
            "SELECT id, name, source, state, reason, judged_from, hash, whole, image, built, git_commit, bot, version, language,"
            " size, files, place, python, added FROM bots ORDER BY id"
        )
        return _with_older(list(map(_bot, rows)), self._active)

    def bot(self, name: str) -> BotRow:
        """The version of a bot with this label. Raises `LadderError` if there is none."""
        return self._named(name)[0]

    def versions(self, name: str) -> list[BotRow]:
        """All versions of a bot with this name, or the one with this label. Raises `LadderError` if there is none."""
        return [row for row in self.bots() if row.bot == name] or self._named(name)

    def _named(self, name: str) -> list[BotRow]:
        rows = self.bots()
        for row in rows:
            if row.name == name:
                return [row]
        for row in rows:
            if name == f"{row.bot} v{row.version}":  # the first version, whose label is its name
                return [row]
        known = ", ".join(row.name for row in rows if row.state in ("active", "benched")) or "none yet"
        raise LadderError(f"there is no bot {name[:64]!r} on this ladder; its bots: {known}")

    def add_bot(
        self,
        name: str,
        source: str,
        contents: Contents = NOT_KNOWN,
        entry: Entry = NOTHING_NOTED,
        *,
        retire: bool = False,
    ) -> None:
        """Add a version of a bot, and with `retire` retire all earlier ones. Raises `LadderError` if the name is taken."""
        if any(row.name == name for row in self.bots()):
            raise LadderError(
                f"there is already a bot {name!r} (removed bots keep their names); choose another name with --name"
            )
        bot = entry.bot or name
        values = (name, source, _now(), contents.hash, contents.whole, contents.image, contents.built, contents.commit)
        with self.change():
            if retire:
                self._db.execute(
                    "UPDATE bots SET state = 'retired', reason = ? WHERE bot = ? AND state IN ('active', 'benched')",
                    (f"replaced by {name}", bot),
                )
            self._db.execute(
                "INSERT INTO bots (name, source, added, hash, whole, image, built, git_commit, bot, version, language, size, files,"
                " place, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active')",
                (*values, bot, entry.version, entry.language, entry.size, entry.files, entry.place),
            )

    def set_image(self, bot: int, image: str) -> None:
        """Store the image that a bot plays in from now on."""
        with self.change():
            self._db.execute("UPDATE bots SET image = ? WHERE id = ?", (image, bot))

    def set_state(self, bot: int, state: StoredState, reason: str = "") -> None:
        """Retire, remove or reinstate a bot; earlier faults no longer count against it."""
        with self.change():
            self._db.execute(
                f"UPDATE bots SET state = ?, reason = ?, judged_from = ({_NEXT_MATCH}) WHERE id = ?",
                (state, reason, bot),
            )

    def bench(self, bot: int, reason: str) -> bool:
        """Bench a bot; False if it is not active any more, because it was taken off."""
        with self.change():
            done = self._db.execute(
                f"UPDATE bots SET state = 'benched', reason = ?, judged_from = ({_NEXT_MATCH}) WHERE id = ? AND state = 'active'",
                (reason, bot),
            )
            return done.rowcount == 1

    # Lists

    def lists(self, *, played: bool = False) -> list[ListRow]:
        """All lists, or those with matches, oldest first."""
        having = "WHERE EXISTS (SELECT 1 FROM matches WHERE list = lists.id)" if played else ""
        rows = self._all(f"SELECT id, game, options, seats, duplicate FROM lists {having} ORDER BY id")
        return [
            ListRow(id, game, json.loads(options), seats, bool(duplicate))
            for id, game, options, seats, duplicate in rows
        ]

    def main_list(self) -> ListRow | None:
        """The list with most rated matches, the oldest one of several; None if there is no list."""
        return max(self.lists(), key=lambda row: self.rated(row.id), default=None)

    def list_of(self, game: str, options: Mapping[str, Any], seats: int) -> ListRow:
        """The list for a game, its complete options and a number of seats; created if it does not exist."""
        with self.change():
            id = self.enter_list(game, options, seats)
        return next(row for row in self.lists() if row.id == id)

    def enter_list(self, game: str, options: Mapping[str, Any], seats: int) -> int:
        """The id of such a list; created if it does not exist. Call within `change`."""
        key = (game, json.dumps(options, sort_keys=True), seats)
        query = "SELECT id FROM lists WHERE game = ? AND options = ? AND seats = ?"
        if not (found := self._all(query, key)):
            self._db.execute("INSERT INTO lists (game, options, seats) VALUES (?, ?, ?)", key)
            found = self._all(query, key)
        return int(found[0][0])

    def set_duplicate(self, list_: int, *, duplicate: bool) -> None:
        """Say whether the deals of a list are played in groups. Call it only before its first rated match."""
        with self.change():
            self._db.execute("UPDATE lists SET duplicate = ? WHERE id = ?", (duplicate, list_))

    def rated(self, list_: int) -> int:
        """The number of rated matches of a list, void ones included."""
        return int(self._one("SELECT count(*) FROM matches WHERE list = ? AND format != 'duel'", (list_,))[0])

    def anchor(self, list_: int) -> int | None:
        """The id of the bot chosen as anchor of a list; None if none was chosen."""
        (bot,) = self._one("SELECT anchor FROM lists WHERE id = ?", (list_,))
        return None if bot is None else int(bot)

    def set_anchor(self, list_: int, bot: int) -> None:
        """Store the anchor of a list, for every command that rates it."""
        with self.change():
            self._db.execute("UPDATE lists SET anchor = ? WHERE id = ?", (bot, list_))
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"anchor {list_}", str(bot)))

    # Matches

    def next_match(self) -> int:
        """The id for the next match."""
        return int(self._one(_NEXT_MATCH)[0])

    def begin(self, ids: Iterable[int]) -> None:
        """Note matches that are going to be played. Call within `change`."""
        self._db.executemany("INSERT INTO playing VALUES (?)", [(id,) for id in ids])

    def begin_groups(self, list_: int, groups: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Note groups of a duel that are going to be played: first match, bots as they sit in it. Call within `change`."""
        rows = [(id, list_, struct.pack(f"<{len(bots)}I", *bots)) for id, bots in groups]
        self._db.executemany("INSERT OR REPLACE INTO begun VALUES (?, ?, ?)", rows)

    def withdraw_groups(self, ids: Iterable[int]) -> None:
        """Forget groups of a duel, because they ended or did not begin after all. Call within `change`."""
        self._db.executemany("DELETE FROM begun WHERE id = ?", [(id,) for id in ids])

    def begun_groups(self, list_: int) -> list[tuple[int, tuple[int, ...]]]:
        """The groups of duels of a list that were begun and have not ended: first match, bots as they sit in it."""
        found = self._all("SELECT id, bots FROM begun WHERE list = ? ORDER BY id", (list_,))
        return [(id, numbers(bots)) for id, bots in found]

    def playing(self) -> list[int]:
        """The matches that were begun and neither stored nor given up."""
        return [id for (id,) in self._all("SELECT id FROM playing ORDER BY id")]

    def give_up(self, ids: Iterable[int]) -> None:
        """Forget matches that were begun. Call within `change`."""
        self._db.executemany("DELETE FROM playing WHERE id = ?", [(id,) for id in ids])

    def add(self, rows: Sequence[PackedRow]) -> None:
        """Store matches that were played; those of a group together. Call within `change`."""
        self.give_up(row.id for row in rows)
        self.withdraw_groups(row.id for row in rows if row.id == row.group)
        self._db.executemany(
            f"INSERT INTO matches ({COLUMNS}) VALUES ({', '.join('?' * len(PackedRow._fields))})", rows
        )
        played = [(bot, row.id) for row in rows for bot in numbers(row.bots)]
        self._db.executemany("INSERT INTO played VALUES (?, ?)", played)

    def matches(self) -> list[MatchRow]:
        """All matches, by id."""
        return list(self._matches("1"))

    def has(self, match: int) -> bool:
        """Whether a match is stored."""
        return bool(self._all("SELECT 1 FROM matches WHERE id = ?", (match,)))

    def count(self, list_: int | None = None) -> int:
        """The number of matches, of a list or of all."""
        which, values = ("", ()) if list_ is None else ("WHERE list = ?", (list_,))
        return int(self._one(f"SELECT count(*) FROM matches {which}", values)[0])

    def newest(self) -> int | None:
        """The match that was stored last; None if there is none."""
        rows = self._all("SELECT id FROM matches ORDER BY number DESC LIMIT 1")
        return int(rows[0][0]) if rows else None

    def newest_of(self, first: int, last: int) -> int | None:
        """The match from `first` to `last` that was stored last; None if there is none."""
        id, _ = self._one("SELECT id, max(number) FROM matches WHERE id BETWEEN ? AND ?", (first, last))
        return None if id is None else int(id)

    def damage(self) -> Iterator[str]:
        """Find what cannot be as written: by SQLite's check, by the index of who played in which match, by the second copy."""
        with explained(self._path), closing(self._db.cursor()) as cursor:
            yield from (text for (text,) in cursor.execute("PRAGMA integrity_check(20)") if text != "ok")
            played: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
            for id, bots in cursor.execute("SELECT id, bots FROM matches"):
                for bot in numbers(bots):
                    played[bot][0] += 1
                    played[bot][1] += id
            noted = {
                bot: found for bot, *found in cursor.execute("SELECT bot, count(*), sum(match) FROM played GROUP BY 1")
            }
            for name, bot in cursor.execute("SELECT name, id FROM bots ORDER BY id"):
                if noted.get(bot, [0, 0]) != played[bot]:
                    yield f"the index of the matches of {name!r} is wrong; to make it anew: bullring ladder rebuild"
            # No record tells it, and any bot may be chosen: so it is kept twice.
            unlike = (
                "SELECT game FROM lists LEFT JOIN meta ON key = 'anchor ' || id WHERE CAST(anchor AS TEXT) IS NOT value"
            )
            for (game,) in cursor.execute(unlike):
                yield (
                    f"the anchor of a list of {game!r} is not the one that was chosen, so its ratings count from another zero;"
                    " to choose it again: bullring ladder run --anchor BOT"
                )

    def ids(self, upto: int) -> Iterator[int]:
        """Iterate over the ids of the matches whose numbers are at most `upto`, in order."""
        with explained(self._path), closing(self._db.cursor()) as cursor:
            for (id,) in cursor.execute("SELECT id FROM matches WHERE number <= ? ORDER BY id", (upto,)):
                yield id

    def packed_of(self, match: int) -> PackedRow | None:
        """A match as it is kept; None if it is not stored."""
        rows = self._all(f"SELECT {COLUMNS} FROM matches WHERE id = ?", (match,))
        return PackedRow._make(rows[0]) if rows else None

    def match(self, id: int) -> MatchRow:
        """A match that is stored."""
        (row,) = self._matches("id = ?", (id,))
        return row

    def matches_in(self, list_: int) -> Iterator[MatchRow]:
        """Iterate over the matches of a list, by id."""
        return self._matches("list = ?", (list_,))

    def last_matches(self, list_: int, bot: int | None, limit: int) -> Iterator[MatchRow]:
        """Iterate over the last matches of a list, or only those of one bot, newest last."""
        which, values = "list = ?", [list_]
        if bot is not None:
            which, values = f"{which} AND id IN (SELECT match FROM played WHERE bot = ?)", [list_, bot]
        before = self._all(f"SELECT id FROM matches WHERE {which} ORDER BY id DESC LIMIT 1 OFFSET ?", (*values, limit))
        first = before[0][0] + 1 if before else 0
        return self._matches(f"{which} AND id >= ?", (*values, first))

    def matches_of(
        self,
        bots: Sequence[int],
        limit: int,
        *,
        lost: bool = False,
        match: int | None = None,
        list_: int | None = None,
    ) -> list[MatchRow]:
        """The last matches of some bots on all lists or one, newest last; only those that one `lost`, or only this match."""
        which = f"id IN (SELECT match FROM played WHERE bot IN ({', '.join('?' * len(bots))}))"
        values = [*bots]
        if match is not None:
            which, values = f"id = ? AND {which}", [match, *values]
        if list_ is not None:
            which, values = f"list = ? AND {which}", [list_, *values]
        found = self._newest(which, values)
        if lost:
            found = (row for row in found if any(seat.bot in bots and seat.rank > 1 for seat in row.seats))
        return list(islice(found, None if limit < 0 else limit))[::-1]

    def last_times(self, list_: int, limit: int) -> list[tuple[str, str, Sequence[int]]]:
        """When each of the last rated matches of a list began and ended, and the ids of its bots."""
        rows = self._all(
            "SELECT began, ended, bots FROM matches WHERE list = ? AND format != 'duel' ORDER BY id DESC LIMIT ?",
            (list_, limit),
        )
        return [(began, ended, numbers(bots)) for began, ended, bots in rows]

    def briefs(self, list_: int) -> Iterator[Brief]:
        """Iterate over the matches of a list, by id, in brief."""
        rows = self._db.execute(
            "SELECT id, began, void, counted, deals, seal, bots, ranks, heads FROM matches WHERE list = ? ORDER BY id",
            (list_,),
        )
        with explained(self._path):
            for id, began, void, counted, deals, seal, bots, ranks, heads in rows:
                scores = numbers(heads)
                yield Brief(id, began, void, bool(counted), deals, seal.hex(), numbers(bots), tuple(ranks), scores)

    def faults_in(self, list_: int) -> dict[tuple[int, int], list[str]]:
        """The kinds of faults of a list, by match and bot."""
        rows = self._matches("list = ? AND faults", (list_,))
        return {(row.id, seat.bot): list(seat.faults) for row in rows for seat in row.seats if seat.faults}

    def groups_in(self, list_: int, format: Format) -> Iterator[list[MatchRow]]:
        """Iterate over the groups of a list and format, also those that do not count, in the order in which they were begun."""
        which = "WHERE list = ? AND format = ? AND grp IS NOT NULL ORDER BY id"
        found = self._read(which, (list_, format))
        return (list(matches) for _, matches in groupby(found, attrgetter("group")))

    def tables_in(self, list_: int, format: Format) -> Counter[tuple[int, ...]]:
        """The number of times each table was played in this list and format: ascending ids of its bots. A group counts once."""
        rows = self._all(
            "SELECT bots FROM matches WHERE list = ? AND format = ? AND counted AND (grp IS NULL OR grp = id)",
            (list_, format),
        )
        return Counter(tuple(sorted(numbers(bots))) for (bots,) in rows)

    def seats_in(self, list_: int) -> Counter[tuple[int, int]]:
        """The number of times each bot sat in each seat in the rated matches of a list, void ones included, by bot and seat."""
        found: defaultdict[int, Counter[bytes]] = defaultdict(Counter)
        with explained(self._path), closing(self._db.cursor()) as cursor:
            cursor.execute("SELECT bots FROM matches WHERE list = ? AND format != 'duel'", (list_,))
            while rows := cursor.fetchmany(AT_ONCE):  # packed as they are, because there may be millions
                for seat in range(len(rows[0][0]) // 4):
                    found[seat].update([bots[4 * seat : 4 * seat + 4] for (bots,) in rows])
        return Counter(
            {(numbers(bot)[0], seat): count for seat, counts in found.items() for bot, count in counts.items()}
        )

    def _matches(self, where: str, values: Sequence[Any] = ()) -> Iterator[MatchRow]:
        """Some matches, by id."""
        return self._read(f"WHERE {where} ORDER BY id", values)

    def _newest(self, where: str, values: Sequence[Any] = ()) -> Iterator[MatchRow]:
        return self._read(f"WHERE {where} ORDER BY id DESC", values)

    def _read(self, which: str, values: Sequence[Any]) -> Iterator[MatchRow]:
        with explained(self._path), self.decoding(), closing(self._db.cursor()) as cursor:
            rows = cursor.execute(f"SELECT {COLUMNS} FROM matches {which}", values)
            bots = {id for (id,) in self._db.execute("SELECT id FROM bots")}
            for row in map(PackedRow._make, rows):
                if not bots.issuperset(numbers(row.bots)):
                    raise ValueError(f"match {row.id} was played by bots that are not here")
                yield unpacked(row)

    def counted(self, list_: int, after: int, upto: int, *, by_id: bool = False) -> Iterator[CountedMatch]:
        """The matches of a list that count, without duels, whose numbers are above `after` and at most `upto`.

        In the order of their numbers, or `by_id`. The matches of a group follow each other.
        """
        with explained(self._path), closing(self._db.cursor()) as cursor:
            for row in cursor.execute(
                "SELECT coalesce(grp, id), deals, bots, ranks, heads FROM matches WHERE number > ? AND number <= ?"
                f" AND list = ? AND counted AND format != 'duel' ORDER BY {'id' if by_id else 'number'}",
                (after, upto, list_),
            ):
                yield CountedMatch._make(row)

    def groups_of(self, list_: int, upto: int) -> list[tuple[int, int, int, str]]:
        """The groups of a list that count, without duels, by id: first match, number of matches, last match, last end."""
        return self._all(
            "SELECT coalesce(grp, id) AS first, count(*), max(id), max(ended) FROM matches WHERE number <= ? AND list = ?"
            " AND counted AND format != 'duel' GROUP BY first ORDER BY first",
            (upto, list_),
        )

    def counted_whole(self, list_: int, after: int, upto: int) -> Iterator[MatchRow]:
        """The same, with all that is known of them."""
        return self._read(
            "WHERE number > ? AND number <= ? AND list = ? AND counted AND format != 'duel' ORDER BY number",
            (after, upto, list_),
        )

    def last_number(self) -> int:
        """The number of the match that was stored last, of all lists; 0 if there is none."""
        return int(self._one("SELECT coalesce(max(number), 0) FROM matches")[0])

    def conduct(self, list_: int) -> tuple[str, int, dict[int, str]]:
        """The sums of `ladder.standings.conduct` by bot id, their version, and up to which number of a match they go.

        Those of later matches are still to be added.
        """
        found = self._all("SELECT value FROM meta WHERE key = ?", (f"conduct {list_}",))
        upto, _, version = (found[0][0] if found else "0").partition(" ")
        return version, int(upto), dict(self._all("SELECT bot, sums FROM conduct WHERE list = ?", (list_,)))

    def set_conduct(self, list_: int, version: str, upto: int, sums: Mapping[int, str]) -> None:
        """Store new sums of some bots, which go up to number `upto`. Call within `change`."""
        rows = [(list_, bot, text) for bot, text in sums.items()]
        self._db.executemany("INSERT OR REPLACE INTO conduct (list, bot, sums) VALUES (?, ?, ?)", rows)
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"conduct {list_}", f"{upto} {version}"))

    def ratings(self, list_: int, version: str) -> bytes | None:
        """The ratings of a list that were stored last (`ladder.standings.ratings`); None if there are none of this version."""
        found = self._all("SELECT facts FROM ratings WHERE list = ? AND version = ?", (list_, version))
        return bytes(found[0][0]) if found else None

    def set_ratings(self, list_: int, version: str, facts: bytes) -> None:
        """Store ratings. Call within `change`."""
        self._db.execute("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?)", (list_, version, facts))

    def counted_since(self, list_: int, after: int) -> int:
        """The number of matches of a list that count, without duels, whose numbers are above `after`."""
        query = "SELECT count(*) FROM matches WHERE number > ? AND list = ? AND counted AND format != 'duel'"
        return int(self._one(query, (after, list_))[0])

    def recent(self, bot: int, since: int, limit: int) -> Iterator[tuple[SeatRow, MatchRow]]:
        """Iterate over the bot's seats in its last matches from match `since` on, without void ones, newest first."""
        which = "WHERE id IN (SELECT match FROM played WHERE bot = ? AND match >= ?) AND void IS NULL ORDER BY id DESC LIMIT ?"
        rows = self._read(which, (bot, since, limit))
        return ((seat, row) for row in rows for seat in row.seats if seat.bot == bot)

    @contextmanager
    def rebuilding(self) -> "Iterator[Before]":
        """A change that begins without any matches and results, to rebuild them."""
        with self.change():
            before = Before(self._db)
            for table in ("played", "matches", "conduct", "ratings"):
                self._db.execute(f"DELETE FROM {table}")
            self._db.execute("DELETE FROM meta WHERE key LIKE 'conduct %'")
            yield before
            before.forget()

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with explained(self._path):
            return self._db.execute(query, values).fetchall()

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self._all(query, values)[0]


class Before:
    """The matches that were stored before a rebuild. They are kept in temporary tables, so they may be millions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.execute("CREATE TEMP TABLE before (id INTEGER PRIMARY KEY, seal BLOB NOT NULL)")
        db.execute("INSERT INTO before SELECT id, seal FROM matches")
        db.execute("CREATE TEMP TABLE groups (first INTEGER PRIMARY KEY, size INTEGER NOT NULL)")

    def claim(self, match: int, seal: bytes, *, add_unknown: bool) -> Literal["its own", "other", "unknown"]:
        """Whether a record with this seal is that of the match, or another one."""
        row = self._db.execute("SELECT seal FROM before WHERE id = ?", (match,)).fetchone()
        if row is None:
            return "its own" if add_unknown else "unknown"
        return "its own" if row[0] == seal else "other"

    def lost(self) -> tuple[int, int]:
        """The number of matches not stored again, and the first of them."""
        query = "SELECT count(*), min(id) FROM before WHERE id NOT IN (SELECT id FROM matches)"
        count, first = self._db.execute(query).fetchone()
        return int(count), int(first or 0)

    def note_group(self, first: int, size: int) -> None:
        """Note how many matches a group has."""
        self._db.execute("INSERT OR REPLACE INTO groups VALUES (?, ?)", (first, size))

    def settle_groups(self) -> None:
        """Let the matches of all groups count that are complete and have no void match."""
        self._db.execute(
            "UPDATE matches SET counted = 1 WHERE grp IN (SELECT grp FROM matches JOIN groups ON grp = first"
            " GROUP BY grp HAVING count(*) = max(size) AND count(void) = 0)"
        )

    def forget(self) -> None:
        """Remove the temporary tables."""
        self._db.execute("DROP TABLE before")
        self._db.execute("DROP TABLE groups")


_NEXT_MATCH = (
    "SELECT coalesce(max(id), 0) + 1 FROM (SELECT max(id) AS id FROM matches UNION SELECT max(id) FROM playing"
    " UNION SELECT max(id) + 1 FROM begun)"  # the second match of a group has no other trace
)


def _bot(row: Any) -> BotRow:
    id, name, source, state, reason, judged_from, hash, whole, image, built, commit, *entry, added = row
    contents = Contents(hash, bool(whole), image, built, commit)
    return BotRow(id, name, source, state, reason, judged_from, contents, Entry(*entry), added)


def _with_older(rows: list[BotRow], active: int) -> list[BotRow]:
    """The same rows, in which the versions that newer ones play instead of are `older`."""
    newest: defaultdict[str, list[BotRow]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: -row.version):
        if row.state == "active":
            newest[row.bot].append(row)
    instead = {row.id: ranked[0].name for ranked in newest.values() for row in ranked[active:]}
    return [
        replace(row, state="older", reason=f"replaced by {instead[row.id]}") if row.id in instead else row
        for row in rows
    ]


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
