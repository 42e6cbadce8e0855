"""The records of a home: segments, to which frames of records are appended, a few thousand matches to each.

There is one writer, the ladder that holds the lock of the home. It appends to the last segment only, and a match is stored when its
frame is on disk, so whatever was cut off at the end of the last segment belongs to no match that counts. A segment that is full
never changes again, except that it is packed more densely once (`condense`), in a file that takes its place as a whole.

Nothing says where a record lies but the segments themselves: the heads of their frames are read when somebody asks.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from bullring.errors import RecordError, StoreError
from bullring.ladder.keeping.frames import HEAD, Texts, head_of, is_whole, matches_in, pack, unpack

FULL = 4096
"""Matches after which a segment is full."""

DENSE = 128
"""Matches of a frame of a segment that was condensed. To read one of them, all are unpacked, which takes some milliseconds."""

SUFFIX = ".seg"


@dataclass(frozen=True)
class Frame:
    """Where a frame is."""

    segment: Path
    offset: int
    size: int
    matches: list[int]
    columns: bool

    def read(self) -> bytes:
        """Its bytes. Raises `RecordError` if it is not there any more: the segment was condensed meanwhile."""
        with _reading(self.segment), self.segment.open("rb") as file:
            file.seek(self.offset)
            return file.read(self.size)


@dataclass
class _Known:
    """What was read of a segment."""

    stamp: tuple[int, int, int]
    end: int
    """The end of its last whole frame."""
    frames: list[Frame] = field(default_factory=list)
    places: dict[int, Frame] = field(default_factory=dict)


class Records:
    """All records of a home. Methods raise `StoreError` if the disk fails, and `RecordError` where a record is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._known: dict[Path, _Known] = {}
        self._last: tuple[Frame, dict[int, bytes]] | None = None
        """The frame that was read last: whoever reads matches mostly reads neighbours."""
        self._tail: Path | None = None
        self._in_tail = 0
        self._unsynced: list[Path] = []

    # Reading

    def segments(self) -> list[Path]:
        """The segments, oldest first."""
        return sorted(self.folder.glob(f"*{SUFFIX}"))

    def frames(self) -> Iterator[Frame]:
        """All frames, oldest first."""
        for segment in self.segments():
            yield from self._look(segment).frames

    def matches(self) -> Iterator[int]:
        """The numbers of the matches that have records, oldest first."""
        for frame in self.frames():
            yield from frame.matches

    def read(self, match: int) -> bytes | None:
        """The record of a match; None if there is none. If there are several, the last one."""
        try:
            return self._read(match)
        except RecordError:
            self._known.clear()  # the segment may have been condensed in this moment
            return self._read(match)

    def _read(self, match: int) -> bytes | None:
        frame = next((known.places[match] for known in self._all_known() if match in known.places), None)
        if frame is None:
            return None
        if self._last is None or self._last[0] is not frame:
            self._last = frame, dict(unpack(frame.read()))
        return self._last[1].get(match)

    def walk(self) -> Iterator[tuple[int, bytes]]:
        """All records, frame after frame. Raises `RecordError` at a damaged frame."""
        for frame in self.frames():
            yield from unpack(frame.read())

    def _all_known(self) -> Iterator[_Known]:
        for segment in reversed(self.segments()):
            yield self._look(segment)

    def _look(self, segment: Path) -> _Known:
        """Read the heads of a segment's frames, as far as they were not read before."""
        with _reading(segment), segment.open("rb") as file:
            status = os.fstat(file.fileno())
            stamp = status.st_ino, status.st_size, status.st_mtime_ns
            known = self._known.get(segment)
            if known is not None and known.stamp == stamp:
                return known
            if known is None or known.stamp[0] != stamp[0] or known.end > status.st_size:
                known = _Known(stamp, 0)
            known.stamp = stamp
            while True:
                file.seek(known.end)
                head = head_of(file.read(HEAD))
                if head is None or known.end + head.size > status.st_size:
                    break
                frame = Frame(segment, known.end, head.size, matches_in(file.read(head.table)), head.columns)
                known.frames.append(frame)
                known.places.update(dict.fromkeys(frame.matches, frame))
                known.end += head.size
            self._known[segment] = known
            return known

    # Writing: only whoever holds the lock of the home

    def mend(self, is_stored: Callable[[int], bool]) -> int:
        """Cut off what a ladder that was killed has left at the end: half a frame, or matches that the store does not know.

        Returns the number of bytes.
        """
        segments = self.segments()
        if not segments:
            return 0
        last = segments[-1]
        known = self._look(last)
        size = last.stat().st_size
        frames = known.frames
        end = known.end
        while frames and not (is_whole(frames[-1].read()) and any(map(is_stored, frames[-1].matches))):
            end = frames.pop().offset
        if end < size:
            with _writing(last), last.open("r+b") as file:
                file.truncate(end)
                os.fsync(file.fileno())
            del self._known[last]
        return size - end

    def append(self, frames: Iterable[bytes]) -> None:
        """Append frames that are whole. `sync` puts them on disk."""
        for frame in frames:
            head = head_of(frame)
            if head is None or head.size != len(frame):
                raise RecordError("a referee process has sent something else than a frame of records")
            tail = self._room()
            with _writing(tail), tail.open("ab") as file:
                file.write(frame)
            self._in_tail += head.matches
            if tail not in self._unsynced:
                self._unsynced.append(tail)

    def sync(self) -> None:
        """Put all that was appended on disk."""
        for segment in self._unsynced:
            with _writing(segment):
                is_new = segment not in self._known
                _sync(segment)
                if is_new:
                    _sync(self.folder)
        self._unsynced.clear()

    def _room(self) -> Path:
        """The segment for the next frame."""
        if self._tail is None:
            segments = self.segments()
            self._tail = segments[-1] if segments else self._next(segments)
            self._in_tail = sum(len(frame.matches) for frame in self._look(self._tail).frames)
        if self._in_tail >= FULL:
            self._tail, self._in_tail = self._next(self.segments()), 0
        return self._tail

    def _next(self, segments: list[Path]) -> Path:
        """Make the next segment. Only its owner may read it."""
        number = int(segments[-1].stem) + 1 if segments else 0
        path = self.folder / f"{number:06}{SUFFIX}"
        with _writing(path):
            self.folder.mkdir(exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            _sync(self.folder)
        return path

    def loose(self) -> list[Path]:
        """The segments that are full and could be condensed, oldest first."""
        return [path for path in self.segments()[:-1] if not all(frame.columns for frame in self._look(path).frames)]

    def condense(self, segment: Path) -> None:
        """Pack a segment that is full more densely. It is replaced as a whole, so readers find the one or the other."""
        texts: dict[int, bytes] = {}
        for frame in self._look(segment).frames:
            texts.update(unpack(frame.read()))
        records = sorted(texts.items())
        temporary = segment.with_suffix(".new")
        with _writing(segment):
            with os.fdopen(os.open(temporary, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                for at in range(0, len(records), DENSE):
                    file.write(_dense(records[at : at + DENSE]))
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(segment)
            _sync(self.folder)


def _dense(records: Texts) -> bytes:
    frame = pack(records, columns=True)
    return frame if unpack(frame) == list(records) else pack(records)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def _reading(path: Path, verb: str = "read") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be {verb}: {error.strerror or error}") from None


_writing = partial(_reading, verb="written")
