"""The folder of matches with people. Beside each record lie, until it is over, the sitting and the secrets of the referee."""

import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.games.rulebook.language import say
from bullring.arena.match.seeds import Seed
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.sitting import Sitting, played
from bullring.errors import UsageError, WriteError

SITTING = ".sitting"
"""The end of the name of a file with the sitting of a match that is not over. It is locked while a referee plays the match."""

SECRET = ".secret"
"""The end of the name of a file with seed and nonce of a match that is not over. Only the referee's process opens it."""

RECORD = ".jsonl"
"""The end of the name of a record."""

MAX_SITTING = 1 << 20
"""Bytes of the longest sitting that is read."""


@dataclass(frozen=True)
class Left:
    """A match that was left and can go on."""

    record: Path
    sitting: Sitting
    began: str
    """Date and time of its beginning, as records have them."""

    def resume(self) -> Table:
        """Go on with it, as `Table.begin` begins a match."""
        return Table(self.sitting, str(self.record))


def left(folder: Path | None = None) -> list[Left]:
    """The matches of a folder (`played` by default) that can go on, the latest first. Those that are being played now are not among
    them."""
    found = []
    for path in sorted((folder or played()).glob(f"*{SITTING}"), reverse=True):
        with suppress(OSError, ValueError, UsageError, KeyError, TypeError), path.open("rb") as file:
            if not path.with_suffix(RECORD).is_file():
                continue
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            facts = json.loads(file.read(MAX_SITTING))
            found.append(Left(path.with_suffix(RECORD), Sitting.of(facts["sitting"]), facts["began"]))
    return found


def resume(record: Path) -> Table:
    """Go on with the match of this record. Raises `UsageError` if it cannot go on."""
    for one in left(record.parent):
        if one.record.name == record.name:
            return one.resume()
    raise UsageError(say("screens.refusals.not_left", record=record))


def new_record(folder: Path, game: str) -> Path:
    """The path of a new record. Raises `WriteError` if the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise WriteError(f"the folder {folder} cannot be made: {error.strerror or error}") from None
    at = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime())
    return folder / f"{at}-{game}-{secrets.token_hex(2)}{RECORD}"


@contextmanager
def kept(record: Path) -> Iterator[None]:
    """Hold the lock of a match. Raises `UsageError` if another referee plays it."""
    try:
        file = os.open(record.with_suffix(SITTING), os.O_RDWR)
    except OSError as error:
        raise UsageError(say("screens.refusals.stays", record=record, error=error.strerror or error)) from None
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(say("screens.refusals.played_now", record=record)) from None
        yield
    finally:
        os.close(file)


@contextmanager
def remember(record: Path, sitting: Sitting, began: str, seed: Seed) -> Iterator[None]:
    """Keep the sitting and the seed of a new match, so that it can be left, and hold its lock. Raises `WriteError`."""
    _keep(record.with_suffix(SECRET), json.dumps({"seed": seed.seed, "nonce": seed.nonce}))
    _keep(record.with_suffix(SITTING), json.dumps({"sitting": sitting.facts(), "began": began}))
    with kept(record):
        yield


def secret_of(record: Path, commitment: str) -> Seed:
    """The seed of a match that was left. Only the referee may call this. Raises `UsageError`."""
    path = record.with_suffix(SECRET)
    try:
        facts = json.loads(path.read_bytes()[:MAX_SITTING])
        seed = Seed.given(facts["seed"], facts["nonce"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(say("screens.refusals.no_seed", path=path, error=error)) from None
    if seed.commitment != commitment:
        raise UsageError(say("screens.refusals.other_seed", path=path))
    return seed


def _keep(path: Path, text: str) -> None:
    """Write a file that only its owner may read, and that survives a loss of power. Raises `WriteError`."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, text.encode())
            os.fsync(file)
        finally:
            os.close(file)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None


def forget(record: Path) -> None:
    """Remove sitting and seed: the match is over."""
    for end in (SECRET, SITTING):
        record.with_suffix(end).unlink(missing_ok=True)
