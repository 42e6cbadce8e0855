"""The records of a home: files that only grow, with the packets of some thousand matches each (`ladder.store.packet`).

The number of a match tells its file, so there is no index. There is one writer, the ladder that holds the lock of the home, and a
match is stored when its record is on disk. What a killed ladder has left at the ends of files belongs to matches that were only
begun, and is cut off by the next.

Bytes that are not a packet, because something has damaged them, are skipped up to the next packet, so a flipped bit costs its own
match at most. (The same packets in a table of SQLite take 9 % more room, and a bit in the wrong place costs the rest of the table.)
All packets need their dictionary, so each dictionary is kept twice.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from shlex import quote
from string import hexdigits
from typing import NamedTuple

from bullring.errors import RecordError
from bullring.ladder.store.dictionary import NO_DICTIONARY, Dictionary
from bullring.ladder.store.disk import explained, replace, sync_folder
from bullring.ladder.store.packet import HEAD, MAGIC, head_of, is_whole, unpack

EACH = 1024
"""Matches of a file. To find one, its file is read: a millisecond."""

SUFFIX = ".records"
DICTIONARIES = "dictionaries"
COPIES = ("", ".copy")
"""Endings of the files with a dictionary."""


class Piece(NamedTuple):
    """A part of a file: a packet, or what is between two."""

    path: Path
    offset: int
    data: bytes
    match: int | None
    """The number of the match; None if this is not a packet."""
    is_last: bool = False
    """Whether this is what is behind the last packet: it may be damaged, or not be written completely yet."""

    @property
    def place(self) -> str:
        """Its place in words."""
        return f"{self.path.name} between bytes {self.offset} and {self.offset + len(self.data)}"


class Records:
    """All records of a home. Methods raise `StoreError` if the disk fails, and `RecordError` where a record is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._dictionaries = {0: NO_DICTIONARY}
        self._last: tuple[tuple[Path, int, int], dict[int | None, Piece]] | None = None
        """The file that was read last, with its size and time, and its pieces by match: most readers go on to a neighbour."""

    # Reading

    def files(self) -> list[Path]:
        """The files, by the numbers of their matches."""
        with explained(f"the records in {self.folder}", "read", "; restore them from a backup"):
            return sorted(path for path in self.folder.iterdir() if path == self.file_of(_number(path) * EACH))

    def walk(self) -> Iterator[tuple[int, bytes]]:
        """All records, file by file. Raises `RecordError` if one is damaged."""
        for piece in self.pieces():
            if piece.match is not None:
                yield piece.match, self.text(piece)
            elif not piece.is_last:
                raise self._damaged(piece)

    def pieces(self) -> Iterator[Piece]:
        """All pieces of all files."""
        return chain.from_iterable(map(pieces, self.files()))

    def matches(self) -> Iterator[int]:
        """The numbers of the matches that have records, file by file."""
        return (piece.match for piece in self.pieces() if piece.match is not None)

    def newest(self) -> int:
        """The highest number in the last file that has records; 0 if there are no records."""
        for file in reversed(self.files()):
            if found := [piece.match for piece in pieces(file) if piece.match is not None]:
                return max(found)
        return 0

    def read(self, match: int) -> bytes | None:
        """The record of a match; None if there is none, and its file is not damaged."""
        found = self._found(match)
        if match in found:
            return self.text(found[match])
        if None in found:
            raise self._damaged(found[None])
        return None

    def text(self, piece: Piece) -> bytes:
        """The record in a packet."""
        try:
            return unpack(piece.data, self.dictionary)
        except RecordError as error:
            raise RecordError(f"the record of match {piece.match} cannot be read: {error}") from None

    def _damaged(self, piece: Piece) -> RecordError:
        home = quote(str(self.folder.parent))
        return RecordError(f"{piece.path.parent}/{piece.place} is damaged; see: bullring verify --home {home}")

    def _found(self, match: int) -> dict[int | None, Piece]:
        """The pieces of the file in which a match is."""
        path = self.file_of(match)
        try:
            status = path.stat()
        except FileNotFoundError:
            return {}
        stamp = path, status.st_size, status.st_mtime_ns
        if self._last is None or self._last[0] != stamp:
            self._last = stamp, {piece.match: piece for piece in pieces(path)}
        return self._last[1]

    def file_of(self, match: int) -> Path:
        """The file in which the record of a match is, if there is one."""
        return self.folder / f"{match // EACH:06}{SUFFIX}"

    # Dictionaries

    def dictionary(self, id: int) -> Dictionary:
        """A dictionary that was kept. Raises `RecordError` if none of its copies is whole."""
        if id not in self._dictionaries:
            for path in self._copies(id):
                if (found := _dictionary(path)) is not None and found.id == id:
                    self._dictionaries[id] = found
                    break
            else:
                raise RecordError(f"both copies of its dictionary, {self._copies(id)[0]}, are missing or damaged")
        return self._dictionaries[id]

    def keep(self, dictionary: Dictionary) -> None:
        """Keep a dictionary, twice."""
        for path in self._copies(dictionary.id):
            if dictionary.id and _dictionary(path) != dictionary:
                with explained(path, "written"):
                    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    replace(path, [dictionary.content])

    def mend_dictionaries(self) -> None:
        """Write the copies of dictionaries that are damaged or missing anew."""
        for id in {int(path.stem, 16) for path, _ in self.damaged_dictionaries()}:
            with suppress(RecordError):
                self.keep(self.dictionary(id))

    def damaged_dictionaries(self) -> Iterator[tuple[Path, str]]:
        """The copies of dictionaries that are damaged or missing, each with its state in words."""
        for path in sorted(self.dictionaries()):
            found = _dictionary(path)
            if found is None or path not in self._copies(found.id):
                yield path, "damaged" if path.exists() else "missing"

    def dictionaries(self) -> set[Path]:
        """The files that should be there for the dictionaries of which at least one copy is."""
        names = [path.stem for path in (self.folder / DICTIONARIES).glob("*")]
        ids = {int(name, 16) for name in names if len(name) == 8 and not set(name) - set(hexdigits)}
        return {path for id in ids for path in self._copies(id)}

    def _copies(self, id: int) -> list[Path]:
        return [self.folder / DICTIONARIES / f"{id:08x}{ending}" for ending in COPIES]

    # Writing: only with the lock of the home

    def append(self, packets: Iterable[bytes]) -> None:
        """Append packets as referee processes send them, and put them on disk. Raises `RecordError` for anything else."""
        by_file: dict[int, list[bytes]] = {}
        for packet in packets:
            if not is_whole(packet) or (head := head_of(packet)) is None:
                raise RecordError("expected a record as referee processes pack it, got something else")
            by_file.setdefault(head.match // EACH, []).append(packet)
        for number, some in by_file.items():
            _append(self.file_of(number * EACH), b"".join(some))

    def mend(
        self, matches: Collection[int], begun: Collection[int], newest: Callable[[int, int], int | None]
    ) -> int | None:
        """Cut off what a killed ladder left at the ends of these matches' files: torn packets, and matches only `begun`.

        `newest` is the match between two numbers that was stored last. If it is missing, the end of its file was damaged
        afterwards: then nothing is cut off there, and its number is returned.
        """
        missing = None
        for first in sorted({match - match % EACH for match in matches}):
            path = self.file_of(first)
            found = list(pieces(path)) if path.exists() else []
            last = newest(first, first + EACH - 1)
            if last is not None and all(piece.match != last for piece in found):
                missing = last
                continue
            end = None
            for piece in reversed(found):
                if piece.match is not None and piece.match not in begun:
                    break
                end = piece.offset
            if end is not None:
                with explained(path, "written"), path.open("r+b") as file:
                    file.truncate(end)
                    os.fsync(file.fileno())
        return missing

    def set_aside(self, folder: Path) -> list[Path]:
        """Move files that are damaged to a folder, and leave in their place the packets in them that are whole.

        Returns where they are then.
        """
        moved = []
        for path in self.files():
            if all(piece.match is not None for piece in pieces(path)):
                continue
            with explained(folder, "written"):
                folder.mkdir(mode=0o700, exist_ok=True)
                names = chain([path.name], (f"{path.stem}-{number}{SUFFIX}" for number in count(2)))
                place = next(folder / name for name in names if not (folder / name).exists())
                place.hardlink_to(path)
                sync_folder(folder)
                replace(path, (piece.data for piece in pieces(path) if piece.match is not None))
            moved.append(place)
        return moved


def pieces(path: Path) -> Iterator[Piece]:
    """All of a file, piece by piece. A packet that belongs into another file, or is there once more, does not count."""
    seen: set[int | None] = {None}
    with explained(path, "read"), path.open("rb") as file:
        at = 0
        while data := file.read(HEAD):
            head = head_of(data)
            data += file.read(head.size - HEAD) if head else b""
            if head is not None and is_whole(data):
                match = head.match if head.match // EACH == _number(path) else None
                yield Piece(path, at, data, None if match in seen else match)
                seen.add(match)
                at += len(data)
                continue
            file.seek(at)
            rest = file.read()
            size = _next(rest)
            yield Piece(path, at, rest[:size], None, is_last=size == len(rest))
            at += size
            file.seek(at)


def _next(data: bytes) -> int:
    """The place in these bytes at which the next whole packet begins; their length if there is none."""
    at = data.find(MAGIC, 1)
    while at >= 0:
        head = head_of(data, at)
        if head is not None and is_whole(data[at : at + head.size]):
            return at
        at = data.find(MAGIC, at + 1)
    return len(data)


def _number(path: Path) -> int:
    return int(path.stem) if path.stem.isdecimal() and len(path.stem) < 9 else -1


def _dictionary(path: Path) -> Dictionary | None:
    """The dictionary in a file, of whatever bytes; None if it cannot be read."""
    try:
        return Dictionary(path.read_bytes())
    except OSError:
        return None


def _append(path: Path, data: bytes) -> None:
    """Append to a file, all or nothing, and put it on disk."""
    with explained(path, "written"):
        path.parent.mkdir(exist_ok=True)
        is_new = not path.exists()
        # Others must not read it: records reveal what bots do.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab", buffering=0) as file:
            end = file.seek(0, os.SEEK_END)
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[file.write(rest) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise
        if is_new:
            sync_folder(path.parent)
