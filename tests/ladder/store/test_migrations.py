"""A store of an older version is brought up to date by the chain of migrations; one from before it is refused."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bullring.arena.cells.sandbox.program import OURS, PYTHON
from bullring.errors import LadderError
from bullring.ladder.store import migrations
from bullring.ladder.store.home import Home
from bullring.ladder.store.migrations import FIRST, migrate
from tests.ladder.homes import adopt, folder_of, intact, ladder, loaded
from tests.ladder.stored import match_of, played


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home of the first version, when there are two migrations."""
    home = Home.create(tmp_path / "home", ())
    with closing(home.store()) as store:
        for name in ("a", "b", "c"):
            store.add_bot(name, "")
        played(store, match_of(store))
    made_by(home, FIRST)
    monkeypatch.setattr(migrations, "MIGRATIONS", [rename, mark])
    return home


def rename(db: sqlite3.Connection) -> None:
    """A table that others refer to is exchanged."""
    db.execute("CREATE TABLE new AS SELECT * FROM bots")
    db.execute("UPDATE new SET name = name || '!'")
    db.execute("DELETE FROM bots")
    db.execute("INSERT INTO bots SELECT * FROM new")
    db.execute("DROP TABLE new")


def mark(db: sqlite3.Connection) -> None:
    db.execute("UPDATE bots SET name = name || '?'")


def made_by(home: Home, version: int | str) -> None:
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(version),))


def version(home: Home) -> int:
    with closing(sqlite3.connect(home.database)) as db:
        return int(db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0])


def names(home: Home, *, read_only: bool = False) -> list[str]:
    with closing(home.store(read_only=read_only)) as store:
        assert len(store.matches()) == 1
        return [row.name for row in store.bots()]


def test_each_migration_is_made_once_in_order(home: Home) -> None:
    assert names(home) == ["a!?", "b!?", "c!?"]
    assert names(home) == ["a!?", "b!?", "c!?"]
    assert version(home) == FIRST + 2
    assert intact(home)


def test_a_store_of_a_version_between_needs_the_rest_only(home: Home) -> None:
    made_by(home, FIRST + 1)
    assert names(home) == ["a?", "b?", "c?"]


def test_a_reader_sees_it_as_it_would_be_and_changes_nothing(home: Home) -> None:
    before = home.database.read_bytes()
    assert names(home, read_only=True) == ["a!?", "b!?", "c!?"]
    assert home.database.read_bytes() == before


def test_of_two_who_open_it_at_once_the_second_finds_it_done(home: Home) -> None:
    with closing(sqlite3.connect(home.database, isolation_level=None)) as late:
        home.store().close()
        migrate(late)
    assert names(home) == ["a!?", "b!?", "c!?"]


def test_a_migration_that_fails_changes_nothing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(db: sqlite3.Connection) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(migrations, "MIGRATIONS", [rename, fails])
        with pytest.raises(KeyboardInterrupt):
            home.store()
    assert version(home) == FIRST
    assert names(home) == ["a!?", "b!?", "c!?"]


def test_it_waits_until_no_older_bullring_plays_there(home: Home) -> None:
    with Home(home.path).locked(), pytest.raises(LadderError, match="made by an older bullring, whose ladder is still"):
        home.store()
    assert version(home) == FIRST
    with home.locked(), closing(home.store()):
        assert version(home) == FIRST + 2


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (FIRST - 1, "from before the first release"),
        (FIRST + 3, "update bullring"),
        ("x", "is not the store of a ladder"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_with_what_to_do(made: int | str, says: str, home: Home) -> None:
    made_by(home, made)
    done = ladder("table", home=home)
    assert done.exit_code in (1, 2)
    assert says in done.output.replace("\n", " ")
    assert "Traceback" not in done.output


def test_a_home_from_before_duels_kept_their_groups_goes_on(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ())
    with closing(home.store()) as store:
        store.add_bot("a", "")
        store.add_bot("b", "")
        played(store, match_of(store, (1, 2)))
        before = store.matches()
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("DROP TABLE begun")
        db.execute("DROP TABLE ratings")
        db.execute("ALTER TABLE matches DROP COLUMN spoiled")
        db.execute("ALTER TABLE matches DROP COLUMN confinement")
        db.execute("ALTER TABLE bots DROP COLUMN python")
        db.execute("ALTER TABLE bots DROP COLUMN git_commit")
    made_by(home, 5)
    with closing(home.store()) as store:
        assert store.matches() == before
        played(store, match_of(store, (1, 2)))
        assert store.begun_groups(1) == []


def test_bots_from_before_bots_had_a_python_of_their_own_keep_ours(tmp_path: Path) -> None:
    home = Home.create(tmp_path / "home", ())
    adopt(home, str(folder_of(tmp_path / "old", "old")))
    with closing(sqlite3.connect(home.database)) as db, db:
        db.execute("ALTER TABLE bots DROP COLUMN python")
        db.execute("ALTER TABLE bots DROP COLUMN git_commit")
    made_by(home, FIRST + 4)
    with closing(home.store()):
        new = adopt(home, str(folder_of(tmp_path / "new", "new")))
    assert loaded(home, "old").program.command[0] == OURS
    assert new.program.command[0] == PYTHON
