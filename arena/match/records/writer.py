"""The record of a match: one append-only file of JSON lines.

It holds only what cannot be derived; the rest follows from replaying it (`replay`). docs/record.md describes the format, for
readers in any language. A truncated file is readable up to its last complete line.
"""

import json
import os
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bullring.errors import WriteError

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

FORMAT = 2
RECORD_START = b'{"bullring":'
"""The first bytes of every record."""

LIVE_AFTER = 0.25
"""Seconds after which a match is long: what there is of its record is shown then, and again at such intervals."""

encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@cache
def _line_of(count: int) -> str:
    """The template of a line with `count` answers, to be filled with answers, times and checksum."""
    numbers = ",".join(["%d"] * count)
    return f'{{"answers":[{numbers}],"us":[{numbers}],"check":%d}}'


class Recorder:
    """Writer of the record of one match. Without a file it costs next to nothing.

    Lines stay in memory until `flush`, which the referee calls while no clock runs, or until the record ends.
    """

    def __init__(
        self,
        file: FileIO | None = None,
        every: float = 0.5,
        *,
        before: bytes = b"",
        synced: bool = False,
        kept: bool = False,
        live: "Live | None" = None,
    ) -> None:
        """`before` is what the file holds already. With `synced`, what is written survives a loss of power.

        With `kept`, everything written stays in memory as well, as `text`. `live` is told what there is after `LIVE_AFTER` seconds.
        """
        self.active = kept or file is not None
        self._kept: list[bytes] | None = [] if kept else None
        self._file = file
        self._live = live
        self._lines: list[str] = []
        self._data: list[bytes] = []
        """Lines that are hashed, but not written."""
        self._digest = sha256(before)
        self._synced = synced
        self._timed = file is not None or live is not None
        self._every = every if live is None else LIVE_AFTER
        self._written = time.monotonic()
        self.deals = 0
        """Deals that were begun, for displays."""

    def write(self, entry: dict[str, Any]) -> None:
        """Add one entry."""
        if self.active:
            self._lines.append(encode(entry))

    def deal(self, cards: list[int]) -> None:
        """Add the cards of a deal, which is begun."""
        self.deals += 1
        self.write_line(f'{{"deal":{cards}}}'.replace(" ", ""))  # several times as fast as the JSON encoder

    def write_line(self, line: str) -> None:
        """Add one entry that is encoded already."""
        if self.active:
            self._lines.append(line)

    def answers(
        self, answers: list[Any], us: list[int], by: list[str] | None, events: bytes, back: list[int] | None = None
    ) -> None:
        """Add the answers to a batch; `events` are the events that followed, in msgpack."""
        if not self.active:
            return
        if by is None and back is None and type(answers[0]) is int:
            # Nearly always numbers only; this template is several times as fast as the JSON encoder.
            self._lines.append(_line_of(len(answers)) % (*answers, *us, crc32(events)))
        else:
            entry: dict[str, Any] = {"answers": answers, "us": us, "check": crc32(events)}
            if back is not None:
                entry["back"] = back
            if by is not None:
                entry["by"] = by
            self._lines.append(encode(entry))

    def flush(self, *, now: bool = False, long: bool = False) -> None:
        """Write the lines in memory if the last write is long enough ago, or at once with `now`. Raises `WriteError`.

        With `long`, what follows may take long: then it is shown already now.
        """
        if now:
            self._write()
        elif self._timed and self._lines and (long or time.monotonic() - self._written >= self._every):
            self._write()
            if self._live is not None:
                self._live.show(self._kept or ())

    def _write(self) -> None:
        self._hash()
        data = b"".join(self._data)
        self._data.clear()
        if self._file is not None and data:
            with _failures(str(self._file.name)):
                while data:
                    data = data[self._file.write(data) or 0 :]
                if self._synced:
                    os.fsync(self._file.fileno())
        self._written = time.monotonic()

    def _hash(self) -> None:
        if self._lines:
            data = "".join([line + "\n" for line in self._lines]).encode("ascii")
            self._lines.clear()
            self._digest.update(data)
            self._data.append(data)
            if self._kept is not None:
                self._kept.append(data)

    @property
    def text(self) -> bytes:
        """The lines flushed so far, if they are kept; else nothing."""
        return b"".join(self._kept or ())

    def hashed(self) -> "Hash":
        """The hash of everything so far. Nothing is written for it, so that the last lines of a record take one write."""
        self._hash()
        return self._digest.copy()


class Live:
    """A partial record that stays in memory, copied to a file for those who follow a long match. Leave it to remove the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: FileIO | None = None
        self._shown = 0
        """The number of pieces in the file."""
        self._failed = False

    def __enter__(self) -> "Live":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)

    def show(self, pieces: Sequence[bytes]) -> None:
        """Write those of all pieces that are new. What cannot be written is not shown: a match does not end for its spectators."""
        data = b"".join(pieces[self._shown :])
        self._shown = len(pieces)
        if not self._failed:
            self._failed = True
            with suppress(OSError, WriteError):
                self._file = self._file or create(self._path)
                self._failed = self._file.write(data) != len(data)


def create(path: Path) -> FileIO:
    """Create or overwrite the file of a record. Raises `WriteError`.

    Only its owner may read it, even if an existing file was open to others, because it shows the hands during the match.
    """
    with _failures(str(path)):
        return FileIO(path, "w", opener=_open_private)


def extend(path: Path, size: int) -> FileIO:
    """Open the file of a record to go on after its first `size` bytes; what follows them is cut off. Raises `WriteError`."""
    with _failures(str(path)):
        file = FileIO(path, "r+")
        file.truncate(size)
        file.seek(size)
        return file


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
