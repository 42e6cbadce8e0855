"""The chain of migrations: each brings a store from one version to the next, and none is ever changed once it was released.

A store is brought up to date when it is opened, in one transaction. Readers, which write nothing, do it to a copy.
"""

import sqlite3
from collections.abc import Callable

FIRST = 5
"""The version with which the chain begins. Stores of earlier versions were never released."""


def _keep_groups_of_duels(db: sqlite3.Connection) -> None:
    """Groups of duels are played again whatever happens to them."""
    db.execute(
        "CREATE TABLE begun (id INTEGER PRIMARY KEY, list INTEGER NOT NULL REFERENCES lists, bots BLOB NOT NULL)"
    )
    db.execute("ALTER TABLE matches ADD COLUMN spoiled INTEGER NOT NULL DEFAULT 0")


def _keep_confinements(db: sqlite3.Connection) -> None:
    """Records of earlier matches do not tell how their bots were confined."""
    db.execute("ALTER TABLE matches ADD COLUMN confinement TEXT")


def _keep_anchors_twice(db: sqlite3.Connection) -> None:
    """The second copy, by which a changed anchor is noticed, of those that were chosen before."""
    db.execute(
        "INSERT OR REPLACE INTO meta SELECT 'anchor ' || id, CAST(anchor AS TEXT) FROM lists WHERE anchor IS NOT NULL"
    )


def _keep_ratings(db: sqlite3.Connection) -> None:
    """They are stored by the next run."""
    db.execute(
        "CREATE TABLE ratings (list INTEGER PRIMARY KEY REFERENCES lists, version TEXT NOT NULL, facts BLOB NOT NULL)"
    )


def _keep_pythons(db: sqlite3.Connection) -> None:
    """Bots that were added earlier may need packages of Bullring's environment, which {python} had then."""
    db.execute("ALTER TABLE bots ADD COLUMN python TEXT NOT NULL DEFAULT '{python}'")
    db.execute("UPDATE bots SET python = '{bullring}'")


def _keep_commits(db: sqlite3.Connection) -> None:
    """What was submitted earlier as a commit tells so in its source."""
    db.execute("ALTER TABLE bots ADD COLUMN git_commit TEXT NOT NULL DEFAULT ''")


MIGRATIONS: list[Callable[[sqlite3.Connection], None]] = [
    _keep_groups_of_duels,
    _keep_confinements,
    _keep_anchors_twice,
    _keep_ratings,
    _keep_pythons,
    _keep_commits,
]
"""The first one makes version `FIRST` + 1. Each may change tables and rows as it needs; references are not checked meanwhile."""


def newest() -> int:
    """The version of a store that is up to date."""
    return FIRST + len(MIGRATIONS)


def version_of(db: sqlite3.Connection) -> str | None:
    """The version of a store; None if this is not a store. Raises `sqlite3.Error`."""
    try:
        row = db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" not in str(error):
            raise
        return None
    return row and str(row[0])


def migrate(db: sqlite3.Connection) -> None:
    """Bring a store from `FIRST` on up to date. Raises `sqlite3.Error`."""
    db.execute("PRAGMA foreign_keys = OFF")
    try:
        with db:
            db.execute("BEGIN IMMEDIATE")
            version = int(version_of(db) or FIRST)  # another process may have been quicker
            for migration in MIGRATIONS[version - FIRST :]:
                migration(db)
            db.execute("UPDATE meta SET value = ? WHERE key = 'version'", (str(newest()),))
    finally:
        db.execute("PRAGMA foreign_keys = ON")
