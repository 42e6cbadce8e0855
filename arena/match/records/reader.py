"""Reading records: complete files, and files that are still being written. Nothing is read without a bound."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.match.records.ends import seal_of
from bullring.errors import RecordError

MAX_RECORD = 128 << 20
"""Largest record read, in bytes: four times the longest match that the options of any game allow."""

MAX_LINE = 1 << 20
"""Longest line read, in bytes: twice what a bot's log can become."""

POLL = 0.05
"""Seconds between two reads of a record that is being written."""

_END = b'{"end":'
"""The beginning of the last line."""

Entry = dict[str, Any]
"""One line of a record."""


@dataclass(frozen=True)
class Lines:
    """The complete lines of a record. They are parsed one by one, so a long record takes no more memory than its bytes."""

    data: bytes
    torn: int = 0
    """Bytes after the last complete line."""

    def raw(self) -> Iterator[bytes]:
        """Yield the lines as they are, without their ends."""
        for line in BytesIO(self.data):
            yield line[:-1]

    def each(self) -> Iterator[Entry]:
        """Yield the entries. Raises `RecordError` at the first line that is not one."""
        for number, line in enumerate(self.raw(), 1):
            yield parse_line(line, number)

    @cached_property
    def entries(self) -> list[Entry]:
        """All entries. Raises `RecordError`."""
        return list(self.each())

    @property
    def last(self) -> bytes:
        """The last complete line."""
        return self.data[self.data.rfind(b"\n", 0, -1) + 1 : -1]

    @property
    def finished(self) -> bool:
        """Whether the file has its last line, the end of the match."""
        return self.last.startswith(_END)

    @cached_property
    def seal(self) -> str | None:
        """The seal that follows from the bytes of a finished record, whatever seal it carries; None if it has no place for one."""
        last = self.last
        found = seal_of(last)
        if found is None:
            return None
        return sha256(memoryview(self.data)[: len(self.data) - 1 - len(last) + found.covered]).hexdigest()


def read_lines(path: Path) -> Lines:
    """All complete lines of a record. Raises `RecordError` if the file is not a record or cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RECORD + 1)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
    return lines_of(data, str(path))


def lines_of(data: bytes, name: str) -> Lines:
    """All complete lines of a record. Raises `RecordError` if it is not one; `name` says which it is."""
    if len(data) > MAX_RECORD:
        raise RecordError(f"{name} is larger than any record ({MAX_RECORD >> 20} MiB)")
    whole = data.rfind(b"\n") + 1
    if not whole:
        raise RecordError(f"{name} is not a record: it has no complete line")
    lines = Lines(data[:whole], len(data) - whole)
    next(lines.each())
    return lines


def parse_line(line: bytes, number: int) -> Entry:
    """One line of a record. Raises `RecordError`."""
    if len(line) > MAX_LINE:
        raise RecordError(f"longer than any line of a record ({MAX_LINE >> 10} KiB)", number)
    try:
        entry = _DECODER.decode(line.decode("ascii"))
    except (ValueError, RecursionError):
        raise RecordError("not JSON, so this is not a record of a match", number) from None
    if type(entry) is not dict:
        raise RecordError("not a JSON object, so this is not a record of a match", number)
    return entry


def kind_of(entry: Entry) -> str:
    """The kind of a line: its first key, whatever other keys it has."""
    return next(iter(entry), "")


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)  # Python's parser would take NaN and Infinity, which are not JSON


_DECODER = json.JSONDecoder(parse_constant=_no_number)


class Follower:
    """A record that is being written. Raises `OSError` if it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._buffer = LineBuffer()
        self._number = 0
        """Lines read so far."""
        self.idle = False
        """Whether the last read found nothing new."""
        self.over = False
        """Whether the end of the match was read."""

    def __enter__(self) -> "Follower":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self) -> list[Entry]:
        """The entries that were written meanwhile, of at most 64 KiB. Never waits. Raises `RecordError`, `OSError`."""
        data = self._file.read(1 << 16) or b""
        self.idle = not data
        found = [parse_line(line, self._number + at) for at, line in enumerate(self._buffer.feed(data), 1)]
        if len(self._buffer.rest) > MAX_LINE:
            parse_line(self._buffer.rest, self._number + len(found) + 1)
        self._number += len(found)
        self.over = self.over or any(kind_of(entry) == "end" for entry in found)
        return found


def follow(path: Path, goes_on: Callable[[], bool]) -> Iterator[list[Entry]]:
    """Yield the entries of a record as they are written; an empty list whenever a read finds nothing new.

    Stops at the end of the match, or when `goes_on` returns False and everything has been read. Raises `RecordError`, `OSError`.
    """
    with Follower(path) as tail:
        last_look = False
        while True:
            found = tail.read()
            yield found
            if tail.over or (last_look and tail.idle):
                return
            if tail.idle and not last_look:
                time.sleep(POLL)
                # Read once more: lines may have been written before it stopped.
                last_look = not goes_on()
