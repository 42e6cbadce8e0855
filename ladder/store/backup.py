"""Backups of a home: one tar file, which is consistent also while a ladder runs, and can be unpacked by any tar.

The database comes first, as it is at one moment (SQLite's backup). Records are on disk before their matches are stored, so what is
copied after it has them all; those of later matches are cut off when the home is restored.
"""

import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePosixPath
from posixpath import normpath

from bullring.errors import LadderError
from bullring.ladder.store.cleanup import clear_up
from bullring.ladder.store.database import explained as explained_database
from bullring.ladder.store.database import readable
from bullring.ladder.store.disk import explained, sync_files, sync_folder
from bullring.ladder.store.home import DATABASE, Home

TOP = "bullring-home"
"""The folder in the tar file."""

LEFT_OUT = frozenset(
    {
        DATABASE,
        f"{DATABASE}-wal",
        f"{DATABASE}-shm",
        "builds",
        "incoming",
        "live",
        "lock",
        "running.json",
        "running.rated",
    }
)
"""Entries of a home that are not copied: made again where they are missing, or of processes that run now."""


def backup(home: Home, file: Path) -> int:
    """Write a backup, which only its owner can read, and return its size in bytes. A name that ends in .gz or .tgz is compressed.

    Raises `LadderError` if the file exists or is in the home, and `StoreError`.
    """
    if file.resolve().is_relative_to(home.path):
        raise LadderError(f"{file} is in the home, and would be lost with it; name a place outside of {home.path}")
    if file.exists():
        raise _taken(file)
    with explained(f"the backup {file}", "written"), _scratch(file) as folder:
        part = folder / "part"
        with os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600), "wb") as raw:
            packed = file.suffix in (".gz", ".tgz")
            with tarfile.open(fileobj=raw, mode="w:gz" if packed else "w", format=tarfile.PAX_FORMAT) as tar:
                tar.add(home.path, TOP, recursive=False)
                tar.add(_snapshot(home.database, folder / DATABASE), f"{TOP}/{DATABASE}")
                for path in _files(home.path):
                    with suppress(FileNotFoundError):  # removed meanwhile
                        tar.add(path, f"{TOP}/{path.relative_to(home.path)}", recursive=False)
            raw.flush()
            os.fsync(raw.fileno())
        try:
            file.hardlink_to(part)  # unlike a rename, it replaces nothing
        except FileExistsError:
            raise _taken(file) from None
        sync_folder(file.resolve().parent)
        return part.stat().st_size


def _taken(file: Path) -> LadderError:
    return LadderError(f"{file} exists, and is not replaced; give the backup another name")


def restore(file: Path, folder: Path) -> Home:
    """Make a home from a backup, in a folder that is empty or does not exist. Raises `LadderError`, `StoreError`."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise LadderError(
            f"{folder} is {'not empty' if folder.is_dir() else 'a file'}; restore into an empty or new folder"
        )
    with explained(f"the home {folder}", "made"), _scratch(folder) as scratch:
        _unpack(file, scratch)
        home = Home(scratch / TOP)
        with home.locked(), closing(home.store()) as store:
            clear_up(home, store)
            # Nobody knows the records of matches that were stored after the database was copied.
            later = set(home.kept.matches()).difference(store.ids(store.last_number()))
            home.kept.mend(later, later, store.newest_of)
        (home.path / "lock").unlink()
        sync_files(home.path)
        with suppress(FileNotFoundError):
            folder.rmdir()
        home.path.rename(folder)
        sync_folder(folder.resolve().parent)
    return Home.find(folder)


def _unpack(file: Path, folder: Path) -> None:
    """Unpack a backup. Raises `LadderError` if it is none, or damaged."""
    with explained(f"the backup {file}", "read"), file.open("rb") as raw:
        try:
            with tarfile.open(fileobj=raw) as tar:
                tar.extraction_filter = lambda member, _: member  # Python has filters of its own from 3.11.4 on
                tar.extractall(folder, list(_harmless(tar)))
        except (tarfile.TarError, EOFError, ValueError) as error:
            raise LadderError(f"{file} is no whole backup of a home: {str(error).splitlines()[0]}") from None
    if not (folder / TOP / DATABASE).is_file():
        raise LadderError(
            f"{file} is no backup of a home: it has no {TOP}/{DATABASE}; make one with: bullring ladder backup"
        )
    (folder / TOP).chmod(0o700)


def _harmless(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The members of a backup. Somebody may have been given it, so it must not write elsewhere. Raises `ValueError` if it would."""
    files, links = set[PurePosixPath](), set[PurePosixPath]()
    for member in tar:
        path = PurePosixPath(member.name)
        through_link = not links.isdisjoint([path, *path.parents])
        inside = not path.is_absolute() and ".." not in path.parts and path.parts[:1] == (TOP,)
        if member.issym():
            target = PurePosixPath(normpath(path.parent / member.linkname))
            inside &= target.parts[:1] == (TOP,)
            links.add(path)
        elif member.islnk():
            inside &= PurePosixPath(member.linkname) in files
        elif member.isfile():
            files.add(path)
        elif not member.isdir():
            inside = False
        if not inside or through_link:
            raise ValueError(f"{member.name[:80]!a} is nothing that is in a home")
        member.mode &= 0o755
        yield member


def _files(folder: Path) -> Iterator[Path]:
    """The files, links and folders of a home that are copied."""
    for path in sorted(folder.iterdir()):
        if path.name not in LEFT_OUT:
            yield path
            yield from sorted(path.rglob("*")) if path.is_dir() else ()


def _snapshot(database: Path, copy: Path) -> Path:
    """Copy a database as it is now. Raises `StoreError`."""
    with explained_database(database), closing(readable(database)) as db, closing(sqlite3.connect(copy)) as target:
        db.backup(target)
    return copy


@contextmanager
def _scratch(beside: Path) -> Iterator[Path]:
    """A folder on the file system of what is made, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=".bullring-", dir=beside.resolve().parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
