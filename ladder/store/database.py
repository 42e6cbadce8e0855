"""Opening the database of a store, for its one writer or for readers, also on read-only media; and saying why that fails."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from bullring.errors import LadderError, StoreError
from bullring.ladder.store.migrations import FIRST, newest, version_of


def writable(path: Path) -> sqlite3.Connection:
    """Open it for reading and writing, or create it. Raises `sqlite3.Error`."""
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


def readable(path: Path) -> sqlite3.Connection:
    """Open it for reading only, beside its writer. Raises `sqlite3.Error`, `OSError`.

    SQLite needs files beside the database to share it with a writer. Where they cannot be written, there is no writer either, so
    the database is read as it lies there.
    """
    db = _opened(path, "mode=ro")
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        db.close()
        if not path.is_file() or os.access(path.parent, os.W_OK):
            raise
        log = Path(f"{path}-wal")
        return _with_log(path, log) if log.is_file() and log.stat().st_size else _opened(path, "immutable=1")
    except sqlite3.Error:
        db.close()
        raise
    return db


def copy_of(db: sqlite3.Connection) -> sqlite3.Connection:
    """A copy that can be changed and is gone when it is closed. Raises `sqlite3.Error`."""
    copy = _passing()
    db.backup(copy)
    return copy


def _passing() -> sqlite3.Connection:
    """An empty database in a file without a name, of which only a part is in memory: it may have to hold millions of matches."""
    return sqlite3.connect("", isolation_level=None)


def _opened(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, isolation_level=None, timeout=10)


def _with_log(path: Path, log: Path) -> sqlite3.Connection:
    """A copy of a database that was copied while it was written to: its last changes are in its log."""
    copy = _passing()
    with tempfile.TemporaryDirectory(prefix="bullring-") as folder:
        for file in (path, log):
            shutil.copyfile(file, Path(folder, file.name))
        with closing(sqlite3.connect(Path(folder, path.name))) as db:
            db.backup(copy)
    return copy


def must_migrate(db: sqlite3.Connection, path: Path) -> bool:
    """Whether a store must be migrated. Raises `StoreError` if it is not a store, and `LadderError` if it cannot be used."""
    version = version_of(db)
    if version is None or not version.isdecimal():
        raise StoreError(f"{path} is not the store of a ladder; expected a file made by: bullring ladder init")
    if int(version) < FIRST:
        raise LadderError(
            f"{path.parent} was made by a bullring from before the first release, and cannot be used any more;"
            " make a new home with bullring ladder init FOLDER and submit the bots there"
        )
    if int(version) > newest():
        raise LadderError(
            f"{path.parent} was made by a newer bullring: expected store version {newest()}, got {version:.20}; update bullring"
        )
    return int(version) < newest()


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise `StoreError` instead of `sqlite3.Error`, with what to do about it."""
    try:
        yield
    except sqlite3.Error as error:
        # Text that is not UTF-8 is refused by Python, without a code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        is_damaged = code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
        hint = ""
        if is_damaged:
            hint = "; restore it from a backup. Without one, the records are enough: bullring docs ladder"
        elif code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            hint = "; make room on its disk, if that is full, and try again"
        raise StoreError(f"the store {path} cannot be used: {error}{hint}") from None


@contextmanager
def decoding(path: Path) -> Iterator[None]:
    """Raise `StoreError` if what a row holds is not what we write. Nothing but decoding may happen inside."""
    try:
        yield
    except (ValueError, TypeError, AttributeError, KeyError, IndexError) as error:
        raise StoreError(
            f"the store {path} holds data that no ladder wrote ({error!s:.80}); restore it from a backup, or make it anew from"
            " the records: bullring ladder rebuild"
        ) from None
