"""Writing to disk so that it stays there, and saying in one line why that cannot be done."""

import ctypes
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bullring.errors import StoreError


@contextmanager
def explained(path: Path | str, cannot: str, hint: str = "") -> Iterator[None]:
    """Raise `StoreError` instead of `OSError`: "`path` cannot be `cannot`", with the reason and a hint what to do."""
    try:
        yield
    except BrokenPipeError:  # the reader of our output is gone
        raise
    except OSError as error:
        raise StoreError(f"{path} cannot be {cannot}: {error.strerror or error}{hint}") from None


def replace(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file that only its owner can read; it has its old content or its new one, whenever the machine dies.

    Raises `OSError`.
    """
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)  # if the disk is full
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk. Raises `OSError`."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_files(folder: Path) -> None:
    """Put the whole file system of a folder on disk with one call (syncfs), however many files were written. Raises `OSError`."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _libc.syncfs(fd) != 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(fd)


_libc = ctypes.CDLL(None, use_errno=True)
