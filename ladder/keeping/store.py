"""The store of a ladder: SQLite, one writer, every change in one transaction.

A match is noted before it is played, and stored when its record is complete and on disk; the matches of a group are stored
together. So the store is consistent whenever the machine dies: a match is stored completely or not at all, and what was only
noted is given up. Everything except the bots and the lists can be rebuilt from the records (`rebuild`).
"""

import json
import sqlite3
import struct
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from bullring.arena.bots.bot import NOT_KNOWN, Contents
from bullring.arena.cost import Spent
from bullring.arena.seeds import Seed
from bullring.errors import LadderError, StoreError
from bullring.ladder.keeping.database import readable, writable
from bullring.ladder.keeping.migrating import BOTS, migrate, show_as_new
from bullring.ladder.keeping.rows import NOTHING_NOTED, BotRow, Entry, Format, ListRow, MatchRow, SeatRow, State

VERSION = 3

_SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
{BOTS};
CREATE TABLE lists (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, seats INTEGER NOT NULL, duplicate INTEGER NOT NULL DEFAULT 0,
    anchor INTEGER REFERENCES bots, UNIQUE (game, options, seats)
);
-- Matches being played.
CREATE TABLE playing (id INTEGER PRIMARY KEY);
-- The last three columns are the results again, packed for the ratings: see `packed`.
CREATE TABLE matches (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, format TEXT NOT NULL, grp INTEGER,
    seed TEXT NOT NULL, nonce TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, void TEXT, counted INTEGER NOT NULL,
    deals INTEGER NOT NULL, seal BLOB NOT NULL, bots BLOB NOT NULL, ranks BLOB NOT NULL, heads BLOB NOT NULL
);
CREATE INDEX matches_of_list ON matches (list, format);
CREATE TABLE results (
    match INTEGER NOT NULL REFERENCES matches, seat INTEGER NOT NULL, bot INTEGER NOT NULL REFERENCES bots,
    heads INTEGER NOT NULL, rank INTEGER NOT NULL, faults TEXT NOT NULL, closed INTEGER NOT NULL,
    times TEXT NOT NULL, metrics TEXT NOT NULL, wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, starts INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_bot ON results (bot, match);
-- The public keys of this ladder, newest last.
CREATE TABLE keys (number INTEGER PRIMARY KEY, public TEXT NOT NULL UNIQUE, made TEXT NOT NULL);
CREATE TABLE conduct (
    list INTEGER NOT NULL REFERENCES lists, bot INTEGER NOT NULL REFERENCES bots, sums TEXT NOT NULL, PRIMARY KEY (list, bot)
) WITHOUT ROWID;
"""


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
            db = writable(path)
            with db:
                db.executescript(_SCHEMA)
                db.execute("INSERT INTO meta VALUES ('version', ?), ('home', ?)", (str(VERSION), home))
        return cls(db, path)

    @classmethod
    def open(cls, path: Path, *, read_only: bool = False) -> "Store":
        """Open an existing store. One of version 2 is brought up to date, or if `read_only`, read as if it were.

        Raises `LadderError` if it is of another version.
        """
        with _errors(path), ExitStack() as stack:
            db = stack.enter_context(closing(readable(path) if read_only else writable(path)))
            if _version(db, path) != VERSION:
                (show_as_new if read_only else migrate)(db)
            stack.pop_all()  # it stays open
        return cls(db, path)

    @classmethod
    def is_old(cls, path: Path) -> bool:
        """Whether a store would be brought up to date if it were opened. Raises `StoreError`, `LadderError`."""
        with _errors(path), closing(readable(path)) as db:
            return _version(db, path) != VERSION

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def change(self) -> Iterator[None]:
        """A transaction: make all changes inside it, or none."""
        with _errors(self._path), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Inside, all that is read is of one moment. Its writer goes on meanwhile."""
        with _errors(self._path):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("ROLLBACK")

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
            "SELECT id, name, source, state, reason, judged_from, hash, whole, image, built, bot, version, language, size, files,"
            " place, added FROM bots ORDER BY id"
        )
        return list(map(_bot, rows))

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
        known = ", ".join(row.name for row in rows if row.state not in ("retired", "removed")) or "none yet"
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
        values = (name, source, _now(), contents.hash, contents.whole, contents.image, contents.built)
        with self.change():
            if retire:
                self._db.execute(
                    "UPDATE bots SET state = 'retired', reason = ? WHERE bot = ? AND state IN ('active', 'benched')",
                    (f"replaced by {name}", bot),
                )
            self._db.execute(
                "INSERT INTO bots (name, source, added, hash, whole, image, built, bot, version, language, size, files, place,"
                " state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'active')",
                (*values, bot, entry.version, entry.language, entry.size, entry.files, entry.place),
            )

    def set_image(self, bot: int, image: str) -> None:
        """Store the image that a bot plays in from now on."""
        with self.change():
            self._db.execute("UPDATE bots SET image = ? WHERE id = ?", (image, bot))

    def set_state(self, bot: int, state: State, reason: str = "") -> None:
        """Retire, remove or reinstate a bot; earlier faults no longer count against it."""
        with self.change():
            self._db.execute(
                f"UPDATE bots SET state = ?, reason = ?, judged_from = ({_NEXT_MATCH}) WHERE id = ?",
                (state, reason, bot),
            )

    def bench(self, bot: int, reason: str) -> bool:
        """Bench a bot; False if it is not active any more, because somebody took it off."""
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

    def list_of(self, game: str, options: Mapping[str, Any], seats: int) -> ListRow:
        """The list for a game, its complete options and a number of seats; created if it does not exist."""
        text = json.dumps(options, sort_keys=True)
        key = (game, text, seats)
        with self.change():
            self._db.execute("INSERT OR IGNORE INTO lists (game, options, seats) VALUES (?, ?, ?)", key)
        (found,) = self._all("SELECT id, duplicate FROM lists WHERE game = ? AND options = ? AND seats = ?", key)
        return ListRow(found[0], game, dict(options), seats, bool(found[1]))

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

    # Matches

    def next_match(self) -> int:
        """The id for the next match."""
        return int(self._one(_NEXT_MATCH)[0])

    def begin(self, ids: Iterable[int]) -> None:
        """Note matches that are going to be played. Call within `change`."""
        self._db.executemany("INSERT INTO playing VALUES (?)", [(id,) for id in ids])

    def playing(self) -> list[int]:
        """The matches that were begun and neither stored nor given up."""
        return [id for (id,) in self._all("SELECT id FROM playing ORDER BY id")]

    def give_up(self, ids: Iterable[int]) -> None:
        """Forget matches that were begun. Call within `change`."""
        self._db.executemany("DELETE FROM playing WHERE id = ?", [(id,) for id in ids])

    def add(self, matches: Sequence[MatchRow]) -> None:
        """Store a match that was played, or all of a group together. Call within `change`."""
        self.give_up(match.id for match in matches)
        self._db.executemany(
            "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    match.id,
                    match.list,
                    match.format,
                    match.group,
                    match.seed.seed,
                    match.seed.nonce,
                    match.began,
                    match.ended,
                    match.void,
                    match.counted,
                    match.deals,
                    bytes.fromhex(match.seal),
                    *packed(match),
                )
                for match in matches
            ],
        )
        self._db.executemany(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    match.id,
                    seat,
                    row.bot,
                    row.heads,
                    row.rank,
                    ",".join(row.faults),
                    row.closed,
                    json.dumps(row.times),
                    json.dumps(row.metrics) if row.metrics else "",
                    row.spent.wall_us,
                    row.spent.cpu_us,
                    row.spent.starts,
                )
                for match in matches
                for seat, row in enumerate(match.seats)
            ],
        )

    def matches(self) -> list[MatchRow]:
        """All matches, by id."""
        return list(self._matches("1"))

    def matches_in(self, list_: int) -> Iterator[MatchRow]:
        """Iterate over the matches of a list, by id."""
        return self._matches("list = ?", (list_,))

    def packed_of(self, match: int) -> tuple[bytes, bytes, bytes]:
        """What ratings are computed from (`packed`), as it is kept beside the results of a match."""
        ((bots, ranks, heads),) = self._all("SELECT bots, ranks, heads FROM matches WHERE id = ?", (match,))
        return bots, ranks, heads

    def last_matches(self, list_: int, bot: int | None, limit: int) -> list[MatchRow]:
        """The last matches of a list, or only those of one bot, newest last."""
        played = " AND EXISTS (SELECT 1 FROM results r WHERE r.match = m.id AND r.bot = ?)"
        where, values = ("list = ?", (list_,)) if bot is None else ("list = ?" + played, (list_, bot))
        return list(self._matches(where, values, limit))

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
        marks = ", ".join("?" * len(bots))
        which = (
            f"EXISTS (SELECT 1 FROM results r WHERE r.match = m.id AND r.bot IN ({marks}){' AND r.rank > 1' * lost})"
        )
        values = [*bots]
        if match is not None:
            which, values = f"m.id = ? AND {which}", [match, *values]
        if list_ is not None:
            which, values = f"m.list = ? AND {which}", [list_, *values]
        return list(self._matches(which, values, limit))

    def briefs(self, list_: int) -> Iterator[Brief]:
        """Iterate over the matches of a list, by id, with what can be had of them quickly."""
        rows = self._db.execute(
            "SELECT id, began, void, counted, deals, seal, bots, ranks, heads FROM matches WHERE list = ? ORDER BY id",
            (list_,),
        )
        with _errors(self._path):
            for id, began, void, counted, deals, seal, bots, ranks, heads in rows:
                scores = struct.unpack(f"<{len(ranks)}i", heads)
                yield Brief(id, began, void, bool(counted), deals, seal.hex(), unpacked(bots), tuple(ranks), scores)

    def faults_in(self, list_: int) -> dict[tuple[int, int], list[str]]:
        """The kinds of faults of a list, by match and bot."""
        rows = self._all(
            "SELECT r.match, r.bot, r.faults FROM results r JOIN matches m ON m.id = r.match"
            " WHERE m.list = ? AND r.faults != '' ORDER BY r.match, r.seat",
            (list_,),
        )
        return {(match, bot): faults.split(",") for match, bot, faults in rows}

    def groups_in(self, list_: int, format: Format) -> Iterator[list[MatchRow]]:
        """Iterate over the groups of a list and format that count, each with its matches by id."""
        found = self._matches("list = ? AND format = ? AND counted AND grp IS NOT NULL", (list_, format))
        return (list(matches) for _, matches in groupby(found, attrgetter("group")))

    def tables_in(self, list_: int, format: Format) -> Counter[tuple[int, ...]]:
        """How often each table was played in this list and format: ascending ids of its bots. A group counts once."""
        rows = self._all(
            "SELECT bots FROM matches WHERE list = ? AND format = ? AND counted AND (grp IS NULL OR grp = id)",
            (list_, format),
        )
        return Counter(tuple(sorted(unpacked(bots))) for (bots,) in rows)

    def seats_in(self, list_: int) -> Counter[tuple[int, int]]:
        """How often each bot sat in each seat in the rated matches of a list, void ones included, by bot and seat."""
        rows = self._all("SELECT bots FROM matches WHERE list = ? AND format != 'duel'", (list_,))
        return Counter((bot, seat) for (bots,) in rows for seat, bot in enumerate(unpacked(bots)))

    def _matches(self, where: str, values: Sequence[Any] = (), limit: int = -1) -> Iterator[MatchRow]:
        """The last `limit` matches (-1: all), by id."""
        columns = "id, list, format, grp, seed, nonce, began, ended, void, counted, deals, seal"
        chosen = f"SELECT {columns} FROM matches m WHERE {where} ORDER BY id DESC LIMIT ?"
        query = (
            f"SELECT c.*, r.bot, r.heads, r.rank, r.faults, r.closed, r.times, r.metrics,"
            f" r.wall_us, r.cpu_us, r.starts FROM ({chosen}) c"
            " JOIN results r ON r.match = c.id ORDER BY c.id, r.seat"
        )
        with _errors(self._path), _decoding(self._path):
            rows = self._db.execute(query, (*values, limit))
            for match, seats in groupby(rows, itemgetter(slice(12))):
                id, list_, format, group, seed, nonce, began, ended, void, counted, deals, seal = match
                yield MatchRow(
                    id,
                    list_,
                    format,
                    group,
                    Seed(seed, nonce),
                    began,
                    ended,
                    void,
                    bool(counted),
                    deals,
                    [_seat(row[12:]) for row in seats],
                    seal.hex(),
                )

    def counted(self, list_: int) -> Iterator[CountedMatch]:
        """The matches of a list that count, by id, without duels."""
        rows = self._all(
            "SELECT coalesce(grp, id), deals, bots, ranks, heads FROM matches"
            " WHERE list = ? AND counted AND format != 'duel' ORDER BY id",
            (list_,),
        )
        return map(CountedMatch._make, rows)

    def conduct(self, list_: int) -> dict[int, str]:
        """The sums of `ladder.knowing.conduct` over the matches of a list that count, by bot id."""
        return dict(self._all("SELECT bot, sums FROM conduct WHERE list = ?", (list_,)))

    def set_conduct(self, list_: int, sums: Iterable[tuple[int, str]]) -> None:
        """Store new sums of some bots. Call within the same `change` as the matches they come from."""
        self._db.executemany(
            "INSERT OR REPLACE INTO conduct (list, bot, sums) VALUES (?, ?, ?)",
            [(list_, bot, text) for bot, text in sums],
        )

    def recent_results(self, bot: int, since: int, limit: int) -> list[tuple[str, bool]]:
        """The bot's last matches from match `since` on, newest first: its fault kinds, and whether its seat was closed."""
        rows = self._all(
            "SELECT r.faults, r.closed FROM results r JOIN matches m ON m.id = r.match"
            " WHERE r.bot = ? AND r.match >= ? AND m.void IS NULL ORDER BY r.match DESC LIMIT ?",
            (bot, since, limit),
        )
        return [(faults, bool(closed)) for faults, closed in rows]

    def seals(self) -> dict[int, str]:
        """The seals of the records of all matches, by id."""
        return {id: seal.hex() for id, seal in self._all("SELECT id, seal FROM matches")}

    def recent_costs(self, bot: int, since: int, limit: int) -> list[tuple[int, Spent, int]]:
        """The bot's last matches from match `since` on, newest first: its decisions, its cost, the least `wall_us` at the table."""
        rows = self._all(
            "SELECT r.times, r.wall_us, r.cpu_us, r.starts, (SELECT min(wall_us) FROM results o WHERE o.match = r.match)"
            " FROM results r JOIN matches m ON m.id = r.match"
            " WHERE r.bot = ? AND r.match >= ? AND m.void IS NULL ORDER BY r.match DESC LIMIT ?",
            (bot, since, limit),
        )
        with _decoding(self._path):
            return [(sum(json.loads(times).values()), Spent(*spent), least) for times, *spent, least in rows]

    def clear_results(self) -> None:
        """Delete all matches and results, to rebuild them. Call within `change`."""
        for table in ("results", "matches", "conduct"):
            self._db.execute(f"DELETE FROM {table}")

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with _errors(self._path):
            return self._db.execute(query, values).fetchall()

    def _one(self, query: str, values: Sequence[Any] = ()) -> Any:
        return self._all(query, values)[0]


_NEXT_MATCH = (
    "SELECT coalesce(max(id), 0) + 1 FROM (SELECT max(id) AS id FROM matches UNION SELECT max(id) FROM playing)"
)


def packed(match: MatchRow) -> tuple[bytes, bytes, bytes]:
    """Bots (4 bytes each, little-endian), ranks (1 byte each) and heads (4 bytes each, little-endian), by seat."""
    seats = match.seats
    return (
        struct.pack(f"<{len(seats)}I", *[seat.bot for seat in seats]),
        bytes([seat.rank for seat in seats]),
        struct.pack(f"<{len(seats)}i", *[seat.heads for seat in seats]),
    )


def unpacked(bots: bytes) -> tuple[int, ...]:
    """The ids of bots that were `packed`."""
    return struct.unpack(f"<{len(bots) // 4}I", bots)


def _bot(row: Any) -> BotRow:
    id, name, source, state, reason, judged_from, hash, whole, image, built, *entry, added = row
    contents = Contents(hash, bool(whole), image, built)
    return BotRow(id, name, source, state, reason, judged_from, contents, Entry(*entry), added)


def _seat(row: Any) -> SeatRow:
    bot, heads, rank, faults, closed, times, metrics, *spent = row
    return SeatRow(
        bot,
        heads,
        rank,
        faults.split(",") if faults else [],
        bool(closed),
        _times(times),
        json.loads(metrics) if metrics else {},
        Spent(*spent),
    )


def _times(text: str) -> dict[int, int]:
    return {int(bucket): count for bucket, count in json.loads(text).items()}


def _version(db: sqlite3.Connection, path: Path) -> int:
    """The version of a store, 2 or 3. Raises `StoreError` if it is not a store, and `LadderError` if it is of another version."""
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        row = None
    if row is None:
        raise StoreError(f"{path} is not the store of a ladder; expected a file made by: bullring ladder init")
    if row[0] == "1":
        raise LadderError(
            f"{path.parent} was made by an older bullring, which played each deal several times; its results cannot be"
            " continued: make a new home with bullring ladder init FOLDER and add the bots there"
        )
    if row[0] not in ("2", str(VERSION)):
        raise LadderError(
            f"{path.parent} was made by a newer bullring: expected store version {VERSION}, got {row[0]!r:.20};"
            " update bullring"
        )
    return int(row[0])


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"the store {path} cannot be used: {error}") from None


@contextmanager
def _decoding(path: Path) -> Iterator[None]:
    """Raise `StoreError` if what a row holds is not what we write. Nothing but decoding may happen inside."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        raise StoreError(
            f"the store {path} holds something that no ladder has written ({error!s:.80}); restore it from a copy"
        ) from None


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
