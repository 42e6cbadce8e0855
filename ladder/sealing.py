"""The last line of records: seeds and nonces are opened when a group has ended, and not before."""

import ctypes
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from arena.match import end_entry
from arena.record import seal
from arena.seeds import Seed
from ladder.errors import StoreError
from ladder.home import Home
from ladder.store import GroupRow, MatchRow, Store


def seal_records(home: Home, store: Store, ended: Iterable[tuple[GroupRow, Sequence[MatchRow]]]) -> None:
    """Write the end of the records of matches whose groups have ended. Raises `StoreError`."""
    sealed = []
    for row, matches in ended:
        for match in matches:
            scores = [seat.heads for seat in match.seats]
            ranks = [seat.rank for seat in match.seats]
            path = home.record(match.id)
            try:
                seal(path, end_entry(Seed(row.seed, match.nonce), scores, ranks, match.void))
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
