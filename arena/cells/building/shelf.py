"""The store of builds: a folder with a shelf for each build, named by a hash of its sources.

========== ===========================================================================================
built.json what it was built from, and the hash of what came of it; written last, so the rest is whole
bot/       the built bot
log        what the last build printed, control characters escaped; also of one that failed
source/    the snapshot that is being built
work/      what is being received
given      what the build begins with (`stock`)
left       what it leaves for the next one, as it is received
whose.json the bot that it is built for, and its folder
========== ===========================================================================================

The folder of a shelf is locked while a build writes it, or while it is removed. The next holder of the lock removes what a killed
build has left. A shelf that was not used for a while may be removed at any time (`prune`).

After a start of the machine, the hash is compared once with what is there, instead of flushing thousands of files to disk.
"""

import fcntl
import json
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import trio

from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.files.copy import copy_folder
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.measure import below
from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.files.walk import Bounds
from bullring.errors import FilesError

IN_USE = 3600.0
"""Seconds after its last use for which a shelf is kept in any case: a match may still start its bot."""

_LOOK = 0.1
"""Seconds between two tries to get a lock."""

_MOST_TEXT = 65_536
_MOST_LOG = 1 << 30
_MOST_KEPT = 1000
_MOST_FILES = 100_000
_TOO_MUCH = 1 << 62
_OURS = Bounds(size=1 << 62, files=1 << 31)
_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True)
class Card:
    """The contents of built.json."""

    built: str
    """The hash of bot/."""
    source: str
    """The hash of the snapshot."""
    command: tuple[str, ...]
    machine: str
    network: bool
    seconds: float
    size: int
    """Bytes of bot/."""
    boot: str
    """The start of the machine since which bot/ is known to be whole. A machine that dies may lose what it had not yet written."""
    bot: str = ""
    """The name of the bot that it was built for; others of the same sources share it."""
    folder: str = ""
    """The folder of that bot."""
    warm: bool = False
    """Whether the build began with a stock."""


class Shelf:
    """The shelf of one build."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bot = path / "bot"
        self.log = path / "log"
        self.source = path / "source"
        self.work = path / "work"
        self.given = path / "given"
        self.left = path / "left"
        self._card = path / "built.json"
        self._whose = path / "whose.json"

    def __repr__(self) -> str:
        return f"<Shelf {self.path}>"

    def take(self) -> Card | None:
        """Return the card of a finished build, if there is one, and note that it is used. Raises `HostError`."""
        card = self.card()
        if card is None or not self.bot.is_dir():
            return None
        if card.boot != boot():
            try:
                if hash_folder(self.bot, _OURS) != card.built:
                    return None
            except (FilesError, OSError):
                return None
            with suppress(OSError):
                self._write(replace(card, boot=boot()))
        with suppress(OSError):  # a home may be one that cannot be written
            os.utime(self._card)
        return card

    def begin(self, bot: str, folder: Path) -> None:
        """Clear it for a build of this bot. Call with the lock held. Raises `OSError`."""
        self.clear()
        self._whose.write_text(json.dumps({"bot": bot, "folder": str(folder)}), "utf-8")
        for path in (self.source, self.work):
            path.mkdir()

    def end(self) -> None:
        """Remove what only a build needs; after one that failed, its log stays, and whose it is. Raises `OSError`."""
        for path in (self.source, self.work, self.given, self.left):
            remove_tree(path)
        if not self.log.exists():
            self._whose.unlink(missing_ok=True)

    def put(self, card: Card) -> None:
        """Keep what is in `work` as what was built. Raises `OSError`."""
        self.work.rename(self.bot)
        self._write(card)
        self._whose.unlink(missing_ok=True)

    def take_from(self, other: "Shelf") -> Card | None:
        """Copy a finished build from another shelf, and return its card; None if it is not there, or no copy can be made.

        Call with the lock held. The copy is hashed while it is made, so it is what was built, or nothing.
        """
        card = other.take()
        if card is None:
            return None
        try:
            self.clear()
            self.work.mkdir()
            whole = copy_folder(other.bot, self.work, _OURS) == card.built
            self.log.write_bytes(read_file(other.log, _MOST_LOG))
            if whole:
                self.put(card)
                return card
        except (FilesError, OSError):  # it may be removed meanwhile
            pass
        with suppress(OSError):
            self.clear()
        return None

    def clear(self) -> None:
        """Remove everything but the log. Call with the lock held. Raises `OSError`."""
        for file in (self._card, self._whose):
            file.unlink(missing_ok=True)
        for path in (self.bot, self.source, self.work, self.given, self.left):
            remove_tree(path)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Make the shelf if need be, and wait until no other process builds here. Raises `HostError`."""
        while True:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self.path.mkdir(exist_ok=True, mode=0o700)
                with _opened(self.path) as fd:
                    while not _got(fd):
                        await trio.sleep(_LOOK)
                    if _is_at(fd, self.path):  # not one that has been removed meanwhile
                        try:
                            yield
                        finally:
                            with suppress(OSError):
                                self.path.rmdir()  # if nothing came of it
                        return
            except OSError as error:
                raise unwritable(error, self.path) from None

    def remove(self) -> bool:
        """Remove it, unless somebody builds here. Returns whether it is gone. Raises `OSError`."""
        with _opened(self.path) as fd:
            if not _got(fd):
                return False
            self.clear()
            remove_tree(self.path)
            return True

    def age(self) -> float:
        """Seconds since it was used, or since its last build failed."""
        for path in (self._card, self.log, self.path):
            with suppress(OSError):
                return time.time() - path.stat().st_mtime
        return 0.0

    def size(self) -> int:
        """Bytes of what was built. What a killed build has left counts as more than anything may have."""
        card = self.card()
        if card is not None:
            return card.size
        return _TOO_MUCH if self.work.exists() or self.source.exists() else 0

    def facts(self) -> dict[str, Any]:
        """What it holds, as JSON values."""
        card = self.card()
        size = card.size if card else sum(found.st_size for found in below(self.path, _MOST_FILES))
        kind = "build" if card else "unfinished build" if self.source.exists() else "failed build"
        whose = asdict(card) if card else {"bot": "", "folder": "", **read_facts(self._whose)}
        told = {key: str(whose[key]) for key in ("bot", "folder")}
        return {"kind": kind, **told, "size": size, "used": time.time() - self.age()}

    def card(self) -> Card | None:
        """The card, if there is one."""
        facts = read_facts(self._card)
        try:
            return Card(**{**facts, "command": tuple(facts["command"])})
        except (KeyError, TypeError):
            return None

    def _write(self, card: Card) -> None:
        new = self._card.with_suffix(".new")
        new.write_text(json.dumps(asdict(card)), "utf-8")
        new.rename(self._card)


class Kept(Protocol):
    """Something that is kept as long as there is room."""

    def age(self) -> float: ...
    def size(self) -> int: ...
    def facts(self) -> dict[str, Any]: ...
    def remove(self) -> bool: ...


def prune(kept: Iterable[Kept], most: int) -> None:
    """Remove what was used least recently until all together are within `most` bytes. What cannot be removed stays."""
    held = 0
    for number, one in enumerate(sorted(kept, key=lambda one: one.age())):
        held += one.size()
        if (held > most or number >= _MOST_KEPT) and one.age() > IN_USE:
            with suppress(OSError):
                one.remove()


def read_facts(path: Path) -> dict[str, Any]:
    """A small JSON file of ours; empty if it is not there, or broken."""
    try:
        facts = json.loads(read_file(path, _MOST_TEXT))
    except (OSError, FilesError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def boot() -> str:
    """The id of the last start of the machine; empty if it is unknown."""
    try:
        return _BOOT.read_text("ascii").strip()
    except OSError:
        return ""


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)


def _got(fd: int) -> bool:
    """Whether we have the lock now. It goes with the descriptor."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(fd: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), path.stat())
    except FileNotFoundError:
        return False
