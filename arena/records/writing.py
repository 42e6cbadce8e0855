"""The record of a match: one file of JSON lines, only ever appended to.

It holds what cannot be derived; the rest follows by playing it again (`replay`). The lines, in order:

=========== ====================================================================================================
bullring    the head: format, game, options, seats, what their programs call themselves, start, limits, commitment, when and
            by which version
deal        the cards dealt, in the order in which the game deals them
fault       a fault of a seat in the batch whose answers come next
answers     the answers to one batch in the order of its seats; ``us`` the time of each in microseconds; ``by``, if not
            all are the bots' own, whose each is ("bot" or "fallback"); ``check`` the CRC-32 of the events that followed,
            as they go over the wire in msgpack
stderr      what a bot wrote to stderr in this match
end         seed and nonce, scores, ranks, void (null or why), and the SHA-256 of all lines before
=========== ====================================================================================================

A file whose end is missing is readable up to its last whole line.
"""

import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any
from zlib import crc32

from bullring.errors import WriteError

FORMAT = 1
RECORD_START = b'{"bullring":'
"""How every record begins."""

encode = json.JSONEncoder(separators=(",", ":")).encode


@cache
def _line_of(count: int) -> str:
    """The line of so many answers, to be filled with answers, times and checksum."""
    numbers = ",".join(["%d"] * count)
    return f'{{"answers":[{numbers}],"us":[{numbers}],"check":%d}}'


class Recorder:
    """Writes the record of one match. Without a file it costs next to nothing.

    Lines are kept in memory and written by `flush`, which the referee calls where no clock runs.
    """

    def __init__(self, file: FileIO | None = None, every: float = 0.5) -> None:
        self.active = file is not None
        self._file = file
        self._lines: list[str] = []
        self._digest = sha256()
        self._every = every
        self._written = time.monotonic()

    def write(self, entry: dict[str, Any]) -> None:
        """Take one entry."""
        if self.active:
            self._lines.append(encode(entry))

    def answers(self, answers: list[Any], us: list[int], by: list[str] | None, events: bytes) -> None:
        """Take the answers of a batch and, in msgpack, the events that followed from them."""
        if not self.active:
            return
        if by is None and type(answers[0]) is int:
            # Numbers only, as nearly always: printed several times as fast as by a JSON encoder.
            self._lines.append(_line_of(len(answers)) % (*answers, *us, crc32(events)))
        else:
            entry: dict[str, Any] = {"answers": answers, "us": us, "check": crc32(events)}
            if by is not None:
                entry["by"] = by
            self._lines.append(encode(entry))

    def flush(self, *, now: bool = False) -> None:
        """Write what was taken, if the last time is long enough ago or it must be `now`. Raises `WriteError`."""
        if self._lines and (now or time.monotonic() - self._written >= self._every):
            assert self._file is not None
            data = "".join([line + "\n" for line in self._lines]).encode("ascii")
            self._lines.clear()
            self._digest.update(data)
            with _failures(str(self._file.name)):
                while data:
                    data = data[self._file.write(data) or 0 :]
            self._written = time.monotonic()

    def digest(self) -> str:
        """Write everything that was taken; the SHA-256 of it all, in hexadecimal digits."""
        self.flush(now=True)
        return self._digest.hexdigest()


def create(path: Path) -> FileIO:
    """A new file for a record, in the place of an old one. It holds the hands while the match is played, so it is nobody else's
    business, even if it was before. Raises `WriteError`."""
    with _failures(str(path)):
        return FileIO(path, "w", opener=_open_private)


@contextmanager
def _failures(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WriteError(f"{path}: the record cannot be written: {error.strerror or error}") from None


def _open_private(path: str, flags: int) -> int:
    fd = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(fd).st_mode):
        os.fchmod(fd, 0o600)
    return fd
