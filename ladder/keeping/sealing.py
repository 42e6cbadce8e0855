"""The last line of records: seeds and nonces are opened when a group has ended, and not before."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from bullring.arena.records.ends import end, seal
from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import MatchRow
from bullring.ladder.keeping.store import Store


def seal_records(home: Home, store: Store, ended: Iterable[MatchRow]) -> None:
    """Write the end of the records of matches whose groups have ended. Raises `StoreError`."""
    sealed = []
    for match in ended:
        scores = [seat.heads for seat in match.seats]
        ranks = [seat.rank for seat in match.seats]
        path = home.record(match.id)
        try:
            seal(path, end(match.seed, scores, ranks, match.void))
        except FileNotFoundError:
            pass  # somebody has removed it; the result stands
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None
        sealed.append((match.group, match.number))
    if sealed:
        sync_files(home.records)
        with store.change():
            store.set_sealed(sealed)


def sync_files(folder: Path) -> None:
    """Wait until what was written on the disk of this folder is really there: one call (syncfs) for any number of files."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _libc.syncfs(fd) != 0:
            number = ctypes.get_errno()
            raise StoreError(f"{folder}: records cannot be written to the disk: {os.strerror(number)}")
    finally:
        os.close(fd)


_libc = ctypes.CDLL(None, use_errno=True)
