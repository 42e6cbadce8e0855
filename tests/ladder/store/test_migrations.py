"""Homes of store versions 2 and 3 are brought up to date where they lie, and read as if they were."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bullring.errors import LadderError
from bullring.ladder.store.home import Home
from bullring.ladder.store.migrations import migrate
from bullring.ladder.store.rows import SeatRow
from bullring.ladder.store.store import Store
from tests.ladder.homes import intact, loaded, tiny
from tests.ladder.stored import match_of, pair_of, played

THREE = """
CREATE TABLE old_matches (
    id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, format TEXT NOT NULL, grp INTEGER,
    seed TEXT NOT NULL, nonce TEXT NOT NULL, began TEXT NOT NULL, ended TEXT NOT NULL, void TEXT, counted INTEGER NOT NULL,
    deals INTEGER NOT NULL, seal BLOB NOT NULL, bots BLOB NOT NULL, ranks BLOB NOT NULL, heads BLOB NOT NULL
);
INSERT INTO old_matches SELECT id, list, format, grp, seed, nonce, began, ended, void, counted, deals, seal, bots, ranks, heads
    FROM matches;
DROP TABLE matches;
DROP TABLE played;
ALTER TABLE old_matches RENAME TO matches;
CREATE INDEX matches_of_list ON matches (list, format);
CREATE TABLE results (
    match INTEGER NOT NULL REFERENCES matches, seat INTEGER NOT NULL, bot INTEGER NOT NULL REFERENCES bots,
    heads INTEGER NOT NULL, rank INTEGER NOT NULL, faults TEXT NOT NULL, closed INTEGER NOT NULL,
    times TEXT NOT NULL, metrics TEXT NOT NULL, wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL, starts INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_bot ON results (bot, match);
UPDATE meta SET value = '3' WHERE key = 'version';
"""

TWO = """
CREATE TABLE old (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'benched', 'removed')), reason TEXT NOT NULL DEFAULT '',
    judged_from INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', whole INTEGER NOT NULL DEFAULT 0, image TEXT NOT NULL DEFAULT ''
);
INSERT INTO old SELECT id, name, source, added, state, reason, judged_from, hash, whole, image FROM bots;
DROP TABLE bots;
ALTER TABLE old RENAME TO bots;
UPDATE meta SET value = '2' WHERE key = 'version';
"""


def result_of(match: int, number: int, seat: SeatRow) -> tuple[object, ...]:
    """A row of the results of version 3."""
    texts = ",".join(seat.faults), seat.closed, json.dumps(seat.times), json.dumps(seat.metrics) if seat.metrics else ""
    return (match, number, seat.bot, seat.heads, seat.rank, *texts, *vars(seat.spent).values())


def make_old(home: Home, scripts: str) -> None:
    """Take a home back to an older version."""
    with closing(home.store()) as store:
        matches = store.matches()
    with closing(sqlite3.connect(home.database)) as db:
        db.executescript(scripts)
        rows = [result_of(match.id, number, seat) for match in matches for number, seat in enumerate(match.seats)]
        with db:
            db.executemany(f"INSERT INTO results VALUES ({', '.join('?' * 12)})", rows)


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Home]:
    """A home with a copied bot, a benched command line, a removed bot, and some matches."""
    home = Home.create(tmp_path / "home", ())
    home.commands.mkdir()
    (home.bots / "mine%0000202").mkdir()
    (home.bots / "mine%0000202" / "bot.toml").write_text('name = "mine"\nrun = ["true"]\n')
    with closing(home.store()) as store:
        for name in ("mine 2", "line", "gone"):
            store.add_bot(name, f"from {name}")
        store.set_state(2, "benched", "it never answers")
        store.set_state(3, "removed")
        played(store, match_of(store, (1, 2)))
        played(store, *pair_of(store, (3, 1)))
        played(store, match_of(store, (2, 3), void="a stall", faults=("crash", "timeout"), closed=True))
    yield home
    assert intact(home)


@pytest.fixture
def home(new: Home) -> Home:
    """The same, of version 2."""
    make_old(new, THREE + TWO)
    with closing(sqlite3.connect(new.database)) as db, db:
        db.execute("UPDATE bots SET hash = 'sha256:00', whole = 1 WHERE id = 1")
    return new


@pytest.mark.parametrize("scripts", [THREE, THREE + TWO], ids=["3", "2"])
def test_every_match_is_kept_with_all_that_was_known_of_it(new: Home, scripts: str) -> None:
    with closing(new.store()) as store:
        before, faults = store.matches(), store.faults_in(1)
        costs = store.recent_costs(3, 0, 9)
        seats = store.seats_in(1)
    make_old(new, scripts)
    for read_only in (True, False, True):
        with closing(new.store(read_only=read_only)) as store:
            assert store.matches() == before
            assert (store.faults_in(1), store.recent_costs(3, 0, 9), store.seats_in(1)) == (faults, costs, seats)
            assert [len(group) for group in store.groups_in(1, "ladder")] == [2]
    assert version(new) == "4"


def version(home: Home) -> str:
    with closing(sqlite3.connect(home.database)) as db:
        return str(db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0])


def test_a_reader_sees_it_as_it_would_be_and_changes_nothing(home: Home) -> None:
    before = home.database.read_bytes()
    with closing(home.store(read_only=True)) as store:
        read = store.bots()
        assert len(store.matches()) == 4
    assert home.database.read_bytes() == before
    with closing(home.store()) as store:
        assert store.bots() == read
    assert version(home) == "4"


def test_bots_keep_all_they_had_and_are_their_own_first_version(home: Home) -> None:
    with closing(home.store()) as store:
        mine, line, gone = store.bots()
        assert [(row.name, row.bot, row.version, row.state) for row in (mine, line, gone)] == [
            ("mine 2", "mine 2", 1, "active"),
            ("line", "line", 1, "benched"),
            ("gone", "gone", 1, "removed"),
        ]
        assert line.reason == "it never answers"
        assert mine.contents.whole
        assert mine.entry.place == "bots/mine%0000202"
        assert line.entry.place == "commands/line.json"
        assert [match.bots for match in store.matches()] == [(1, 2), (3, 1), (1, 3), (2, 3)]
        store.set_state(1, "retired", "replaced")
        store.add_bot("new", "from nowhere")
    assert loaded(home, "mine 2").program.folder == home.bots / "mine%0000202"


def test_results_go_on_referring_to_the_bots(home: Home) -> None:
    home.store().close()
    with closing(sqlite3.connect(home.database)) as db:
        db.execute("PRAGMA foreign_keys = ON")
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            db.execute("DELETE FROM bots WHERE id = 1")


def test_of_two_who_open_it_at_once_the_second_finds_it_done(home: Home) -> None:
    with closing(sqlite3.connect(home.database, isolation_level=None)) as late:
        home.store().close()
        migrate(late)
    assert version(home) == "4"


def test_a_migration_that_is_cut_short_changes_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(home.database, isolation_level=None)) as db:

        def stop(action: int, first: str | None, second: str | None, database: str | None, inner: str | None) -> int:
            return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_DROP_TABLE else sqlite3.SQLITE_OK

        db.set_authorizer(stop)
        with pytest.raises(sqlite3.DatabaseError):
            migrate(db)
    assert version(home) == "2"
    with closing(Store.open(home.database)) as store:
        assert len(store.bots()) == 3


def test_a_bot_of_an_old_home_gets_a_second_version(home: Home) -> None:
    from tests.ladder.homes import adopt

    assert adopt(home, tiny(), "line").name == "line v2"


def test_it_waits_until_no_older_bullring_plays_there(home: Home) -> None:
    """An older one takes a new bot for a damaged one, and benches it."""
    with Home(home.path).locked(), pytest.raises(LadderError, match="made by an older bullring, whose ladder is still"):
        home.store()
    assert version(home) == "2"
    with home.locked(), closing(home.store()):
        assert version(home) == "4"
