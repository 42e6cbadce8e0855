"""The files of the records as a whole: flushed to disk together, and removed if their match was given up."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from bullring.errors import StoreError
from bullring.ladder.store.home import Home
from bullring.ladder.store.store import Store


def sync_files(folder: Path) -> None:
    """Flush the file system of this folder to disk with one call (syncfs), however many files were written."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _libc.syncfs(fd) != 0:
            number = ctypes.get_errno()
            raise StoreError(f"the records in {folder} cannot be written to disk: {os.strerror(number)}")
    finally:
        os.close(fd)


def give_up(home: Home, store: Store, matches: Iterable[int]) -> None:
    """Forget matches that were begun, and remove what there is of their records. Call within a change of the store.

    Their deals are not played again, and an audit would find records of matches that the store does not know. Raises `StoreError`.
    """
    matches = list(matches)
    for match in matches:
        path = home.live / f"{match}.jsonl"
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{path} cannot be removed: {error.strerror or error}") from None
    store.give_up(matches)


_libc = ctypes.CDLL(None, use_errno=True)


def clear_live(home: Home) -> None:
    """An empty folder for the records of matches that are being played. Raises `StoreError`."""
    try:
        home.live.mkdir(mode=0o700, exist_ok=True)
        for path in home.live.iterdir():
            path.unlink()
    except OSError as error:
        raise StoreError(f"{home.live} cannot be used: {error.strerror or error}") from None
