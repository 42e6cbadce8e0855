"""Stores of version 2 know nothing of versions of bots. They are brought up to date in one transaction, or read as if they were."""

import sqlite3

BOTS = """\
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, added TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('active', 'benched', 'retired', 'removed')), reason TEXT NOT NULL DEFAULT '',
    judged_from INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '', whole INTEGER NOT NULL DEFAULT 0, image TEXT NOT NULL DEFAULT '', built TEXT NOT NULL DEFAULT '',
    bot TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1, language TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0, files INTEGER NOT NULL DEFAULT 0, place TEXT NOT NULL DEFAULT '', UNIQUE (bot, version)
)"""
"""The table of the bots. Each row is a version of one."""

_BEFORE = "id, name, source, added, state, reason, judged_from, hash, whole, image"
_NEW = (
    "'' AS built, name AS bot, 1 AS version, '' AS language, 0 AS size, 0 AS files, place_of_two(name, whole) AS place"
)


def migrate(db: sqlite3.Connection) -> None:
    """Bring a store of version 2 up to date: every bot is the first version of itself. Raises `sqlite3.Error`."""
    db.create_function("place_of_two", 2, _place, deterministic=True)
    db.execute("PRAGMA foreign_keys = OFF")  # the results keep referring to the table while it is exchanged
    try:
        with db:
            db.execute("BEGIN IMMEDIATE")
            # Somebody else may have been quicker.
            if db.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0] == "2":
                # In this order the other tables go on referring to "bots".
                db.execute(BOTS.replace("TABLE bots", "TABLE new_bots"))
                db.execute(f"INSERT INTO new_bots SELECT {_BEFORE}, {_NEW} FROM bots ORDER BY id")
                db.execute("DROP TABLE bots")
                db.execute("ALTER TABLE new_bots RENAME TO bots")
                db.execute("UPDATE meta SET value = '3' WHERE key = 'version'")
    finally:
        db.execute("PRAGMA foreign_keys = ON")


def show_as_new(db: sqlite3.Connection) -> None:
    """Let a reader of version 2, who writes nothing, see the table of the bots as it would be. Raises `sqlite3.Error`."""
    db.create_function("place_of_two", 2, _place, deterministic=True)
    db.execute(f"CREATE TEMP VIEW bots AS SELECT {_BEFORE}, {_NEW} FROM main.bots")


def _place(name: str, whole: int) -> str:
    """Where the files of a bot of version 2 are: they had its name."""
    plain = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_+.") else f"%{ord(char):06x}" for char in name
    )
    return f"bots/{plain}" if whole else f"commands/{plain}.json"
