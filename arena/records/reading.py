"""Reading records: complete files, and files that are still being written."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullring.arena.linebuffer import LineBuffer
from bullring.errors import RecordError

MAX_RECORD = 1 << 30
"""Largest record read, in bytes."""

POLL = 0.05
"""Seconds between two reads of a record that is being written."""

Entry = dict[str, Any]
"""One line of a record."""


@dataclass
class Lines:
    """The lines of a record file."""

    entries: list[Entry] = field(default_factory=list)
    finished: bool = False
    """Whether the file has its last line, the end of the match."""
    digest: str = ""
    """SHA-256 of all lines before the end, if the record is finished."""
    torn: int = 0
    """Bytes after the last complete line."""


def read_lines(path: Path) -> Lines:
    """All complete lines of a record. Raises `RecordError` if the file is not a record."""
    try:
        if path.stat().st_size > MAX_RECORD:
            raise RecordError(f"{path} is larger than any record ({MAX_RECORD >> 20} MiB)")
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from None
    lines = Lines()
    whole, _, rest = data.rpartition(b"\n")
    lines.torn = len(rest)
    at = 0
    for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
        lines.entries.append(parse_line(line, number))
        if "end" in lines.entries[-1]:
            lines.finished = True
            lines.digest = sha256(data[:at]).hexdigest()
            if at + len(line) + 1 < len(data):
                raise RecordError("there are more lines after the end of the match", number + 1)
        at += len(line) + 1
    if not lines.entries:
        raise RecordError(f"{path} is not a record: it has no complete line")
    return lines


def parse_line(line: bytes, number: int) -> Entry:
    """One line of a record. Raises `RecordError`."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordError("not JSON, so this is not a record of a match", number) from None
    if type(entry) is not dict:
        raise RecordError("not a JSON object, so this is not a record of a match", number)
    return entry


def follow(path: Path, goes_on: Callable[[], bool]) -> Iterator[list[Entry]]:
    """Yield the entries of a record as they are written; an empty list whenever a read finds nothing new.

    Stops at the end of the match, or when `goes_on` returns False and everything has been read. Raises `RecordError`, `OSError`.
    """
    with path.open("rb", buffering=0) as file:
        buffer, number, last_look = LineBuffer(), 0, False
        while True:
            data = file.read(1 << 16) or b""
            found = [parse_line(line, number + i) for i, line in enumerate(buffer.feed(data), 1)]
            number += len(found)
            yield found
            if any("end" in entry for entry in found) or (last_look and not data):
                return
            if not data and not last_look:
                time.sleep(POLL)
                # Read once more: lines may have been written before it stopped.
                last_look = not goes_on()
