"""Sealing: when a group has ended, and not before, the last line of its records reveals seed and nonce."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.records.ends import end, now, seal
from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import MatchRow
from bullring.ladder.keeping.store import Store


def seal_records(home: Home, store: Store, ended: Iterable[MatchRow]) -> None:
    """Write the last line of the records of these matches, whose groups have ended. Raises `StoreError`."""
    sealed = []
    for match in ended:
        scores = [seat.heads for seat in match.seats]
        ranks = [seat.rank for seat in match.seats]
        path = home.record(match.id)
        try:
            seal(path, end(match.seed, scores, ranks, match.void, now()))
        except FileNotFoundError:
            pass  # somebody removed the record; the result still counts
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None
        sealed.append((match.group, match.number))
    if sealed:
        sync_files(home.records)
        with store.change():
            store.set_sealed(sealed)


def sync_files(folder: Path) -> None:
    """Flush the file system of this folder to disk with one call (syncfs), however many files were written."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _libc.syncfs(fd) != 0:
            number = ctypes.get_errno()
            raise StoreError(f"the records in {folder} cannot be written to disk: {os.strerror(number)}")
    finally:
        os.close(fd)


_libc = ctypes.CDLL(None, use_errno=True)
