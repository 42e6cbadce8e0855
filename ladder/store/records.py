"""The records of a home: segments, to which frames of records are appended, some thousand matches to each.

There is one writer, the ladder that holds the lock of the home. It appends to the last segment only, and a match is stored when its
frame is on disk, so whatever was cut off at the end of the last segment belongs to no match that counts. Once a segment is full, or
nobody appends any more, it is packed more densely (`condense`), in a file that takes its place as a whole.

Nothing says where a record lies but the segments themselves: the heads of their frames are read when somebody asks. Bytes that are
not a frame, because something has damaged them, are skipped to the next one that is whole.
"""

import fcntl
import os
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count
from pathlib import Path
from shlex import quote
from typing import BinaryIO

from bullring.errors import RecordError, StoreError
from bullring.ladder.store.frames import HEAD, MAGIC, PLAIN, head_of, is_whole, matches_in, repack, unpack

FULL = 2048
"""Matches after which a segment is full."""

DENSE = 256
"""Most matches of a frame of a segment that was condensed. To read one, all are unpacked: ten milliseconds."""
DENSE_BYTES = 4 << 20
"""Bytes of records after which such a frame is full."""

SUFFIX = ".seg"
NEW = ".new"
"""Of a segment that is being condensed."""


@dataclass(frozen=True)
class Frame:
    """Where a frame is."""

    segment: Path
    offset: int
    size: int
    matches: "array[int]"
    head: bytes
    """As it is in the file. It tells frames apart, for the checksum of the whole frame is in it."""

    @property
    def way(self) -> int:
        """How it is packed (`ladder.store.frames`)."""
        head = head_of(self.head)
        return PLAIN if head is None else head.way

    def read(self) -> bytes:
        """Its bytes. Raises `RecordError` if it is not there any more: the segment was condensed meanwhile."""
        with _reading(self.segment), self.segment.open("rb") as file:
            file.seek(self.offset)
            return file.read(self.size)

    def unpacked(self) -> list[tuple[int, bytes]]:
        """The records in it. Raises `RecordError` as `read`, and if it is damaged."""
        try:
            return unpack(self.read())
        except RecordError as error:
            first, last = min(self.matches), max(self.matches)
            which = f"match {first}" if first == last else f"matches from {first} to {last}"
            raise RecordError(
                f"{self.segment} is damaged between bytes {self.offset} and {self.offset + self.size}, where the records of"
                f" {which} are: {error}; see: bullring verify --home {quote(str(self.segment.parent.parent))}"
            ) from None

    def records(self) -> list[tuple[int, bytes]]:
        """The records in it, wherever they are by now. Raises `RecordError` if they are damaged."""
        try:
            return self.unpacked()
        except RecordError:
            # Its segment may have been condensed since it was found. If not, the first of these says so.
            kept, found = Records(self.segment.parent), []
            for match in self.matches:
                if (text := kept.read_now(match)) is None:
                    raise
                found.append((match, text))
            return found


@dataclass
class _Known:
    """What was read of a segment."""

    stamp: tuple[int, int, int]
    end: int = 0
    """The end of its last whole frame."""
    frames: list[Frame] = field(default_factory=list)
    damaged: int = 0
    """Bytes before the end that are not in a frame."""


class Records:
    """All records of a home. Methods raise `StoreError` if the disk fails, and `RecordError` where a record is damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.filled = 0
        """Segments that we have filled."""
        self._known: dict[Path, _Known] = {}
        self._last: tuple[Frame, dict[int, bytes]] | None = None
        """The frame that was read last: whoever reads matches mostly reads neighbours."""
        self._tail: _Tail | None = None

    # Reading

    def segments(self) -> list[Path]:
        """The segments, oldest first."""
        return sorted(self.folder.glob(f"*{SUFFIX}"))

    def frames(self) -> Iterator[Frame]:
        """All frames, oldest first."""
        for segment in self.segments():
            yield from self._look(segment, keep=False).frames

    def matches(self) -> Iterator[int]:
        """The numbers of the matches that have records, oldest first."""
        for frame in self.frames():
            yield from frame.matches

    def newest(self) -> int:
        """The highest number in the newest segments; 0 if there are no records."""
        for segment in reversed(self.segments()):
            if frames := self._look(segment).frames:
                return max(max(frame.matches) for frame in frames)
        return 0

    def damaged(self) -> Iterator[tuple[Path, int]]:
        """The segments that are damaged, each with the number of bytes that are in no frame; `torn` has the end of the last one."""
        segments = self.segments()
        for segment in segments:
            known = self._look(segment, keep=False)
            lost = known.damaged + (known.stamp[1] - known.end) * (segment != segments[-1])
            if lost:
                yield segment, lost

    def torn(self) -> tuple[Path, int] | None:
        """The last segment and the number of bytes at its end that are no whole frame; None if there are none.

        If matches that were stored are missing, they are damage, and else what a killed ladder has left of matches that were not.
        """
        for segment in self.segments()[-1:]:
            known = self._look(segment, keep=False)
            if known.stamp[1] > known.end:
                return segment, known.stamp[1] - known.end
        return None

    def has(self, match: int) -> bool:
        """Whether there is a record of a match."""
        return self._find(match) is not None

    def read(self, match: int) -> bytes | None:
        """The record of a match; None if there is none."""
        try:
            return self.read_now(match)
        except RecordError:
            self._known.clear()  # the segment may have been condensed in this moment
            self._last = None
            return self.read_now(match)

    def read_now(self, match: int) -> bytes | None:
        """The same. Raises `RecordError` also if segments are condensed in this moment."""
        if self._last is None or match not in self._last[1]:
            if (frame := self._find(match)) is None:
                return None
            self._last = frame, dict(frame.unpacked())
        return self._last[1].get(match)

    def _find(self, match: int) -> Frame | None:
        """The frame with a match. Segments that begin shortly before it are looked at first, for numbers rise almost steadily."""
        for segment in sorted(self.segments(), key=lambda segment: _distance(self._first(segment), match)):
            for frame in reversed(self._look(segment).frames):
                if match in frame.matches:
                    return frame
        return None

    def _first(self, segment: Path) -> int:
        """The first match of a segment; 0 if it has none."""
        if segment in self._known:
            frames = self._known[segment].frames
            return frames[0].matches[0] if frames else 0
        with _reading(segment), segment.open("rb") as file:
            head = head_of(file.read(HEAD))
            table = file.read(head.table) if head else b""
            # One that was torn in its first frame has no match, wherever it was torn.
            return matches_in(table)[0] if head and len(table) == head.table else 0

    def walk(self) -> Iterator[tuple[int, bytes]]:
        """All records, frame after frame. Raises `RecordError` at a damaged frame."""
        for frame in self.frames():
            yield from frame.records()

    def _look(self, segment: Path, *, keep: bool = True) -> _Known:
        """Read the heads of a segment's frames, as far as they were not read before; and `keep` them."""
        with _reading(segment), segment.open("rb") as file:
            status = os.fstat(file.fileno())
            stamp = status.st_ino, status.st_size, status.st_mtime_ns
            known = self._known.get(segment)
            if known is not None and known.stamp == stamp:
                return known
            if known is None or not _has_only_grown(file, known):
                known = _Known(stamp)
            if keep:
                self._known[segment] = known
            known.stamp = stamp
            while _read_head(file, segment, known) or _skip_damage(file, known):
                pass
            return known

    # Writing: only whoever holds the lock of the home

    def mend(self, begun: Container[int], is_stored: Callable[[int], bool]) -> int:
        """Cut off what a ladder that was killed has left at the end: half a frame, and frames with matches that were only `begun`.

        Whatever the store does not know at all stays: it may be older than the records. Returns the number of bytes.
        """
        if not (segments := self.segments()):
            return 0
        with _writing(self.folder), _alone(self.folder):
            for left in self.folder.glob(f"*{NEW}"):
                left.unlink()
            return self._cut(segments, begun, is_stored)

    def _cut(self, segments: Sequence[Path], begun: Container[int], is_stored: Callable[[int], bool]) -> int:
        cut = 0
        for segment in reversed(segments):
            known = self._look(segment)
            size, end, frames = known.stamp[1], known.end, known.frames
            while frames and _is_left_over(frames[-1], begun, is_stored):
                end = frames.pop().offset
            if end < size:
                with _writing(segment), segment.open("r+b") as file:
                    file.truncate(end)
                    os.fsync(file.fileno())
                del self._known[segment]
                cut += size - end
            if frames:
                break
        self._tail = None
        return cut

    def append(self, frames: Iterable[bytes]) -> None:
        """Append frames as referee processes send them. `sync` puts them on disk. Raises `RecordError` for anything else."""
        for frame in frames:
            head = head_of(frame)
            if head is None or head.way != PLAIN or not is_whole(frame):
                raise RecordError("expected a whole frame of records from a referee process, got something else")
            if self._tail is None:
                self._tail = self._open()
            elif self._tail.matches >= FULL:
                self.sync()
                self._tail.close()
                self._tail = self._open()
                self.filled += 1
            self._tail.append(frame, head.matches)

    def sync(self) -> None:
        """Put all that was appended on disk."""
        if self._tail is not None:
            self._tail.sync()

    def close(self) -> None:
        """Close the segment that was appended to."""
        if self._tail is not None:
            self._tail.close()
            self._tail = None

    def _open(self) -> "_Tail":
        """The last segment; or a new one if it is full, or damaged at its end."""
        segments = self.segments()
        if segments:
            known = self._look(segments[-1])
            matches = sum(len(frame.matches) for frame in known.frames)
            if matches < FULL and known.end == known.stamp[1]:
                return _Tail(segments[-1], known.end, matches)
        path = self.folder / f"{int(segments[-1].stem) + 1 if segments else 0:06}{SUFFIX}"
        with _writing(path):
            self.folder.mkdir(exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # records reveal what bots do
            _sync(self.folder)
        return _Tail(path, 0, 0)

    def loose(self, *, at_rest: bool = False) -> list[Path]:
        """The segments that are not packed densely, oldest first: without the last one, unless nobody appends.

        They are condensed in this order, so these are the newest ones, and only they are looked at.
        """
        found = []
        segments = self.segments()
        for segment in reversed(segments if at_rest else segments[:-1]):
            frames = self._look(segment, keep=False).frames
            if _plain(frames):
                found.append(segment)
            elif frames:
                break
        return found[::-1]

    def condense(self, segment: Path) -> None:
        """Pack a segment that nobody appends to more densely. It is replaced as a whole, so readers find the one or the other.

        Raises `RecordError` if it is damaged; then it stays as it is.
        """
        with _writing(segment), _alone(self.folder):
            known = self._look(segment, keep=False)
            if known.damaged or known.end < known.stamp[1]:
                raise RecordError(f"{segment} is damaged")
            if _plain(known.frames):  # or somebody else was quicker
                self._exchange(segment, _dense(known.frames))

    def set_aside(self, folder: Path) -> list[Path]:
        """Move segments that are damaged to a folder, and leave in their place those of their frames that are whole.

        Returns where they are then. Only when nobody appends.
        """
        moved = []
        with _writing(self.folder), _alone(self.folder):
            for segment in self.segments():
                known = self._look(segment, keep=False)
                whole = [frame for frame in known.frames if is_whole(frame.read())]
                if whole == known.frames and not known.damaged and known.end == known.stamp[1]:
                    continue
                folder.mkdir(mode=0o700, exist_ok=True)
                names = chain([segment.name], (f"{segment.stem}-{number}{SUFFIX}" for number in count(2)))
                place = next(folder / name for name in names if not (folder / name).exists())
                place.hardlink_to(segment)
                _sync(folder)
                self._exchange(segment, (frame.read() for frame in whole))
                moved.append(place)
        return moved

    def _exchange(self, segment: Path, frames: Iterable[bytes]) -> None:
        """Let a segment have these frames instead of its own, whenever the machine dies."""
        new = segment.with_suffix(NEW)
        try:
            with os.fdopen(os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
                for frame in frames:
                    file.write(frame)
                file.flush()
                os.fsync(file.fileno())
            new.replace(segment)
        finally:
            new.unlink(missing_ok=True)  # if the disk is full or a frame is damaged
        _sync(self.folder)


class _Tail:
    """The segment that is appended to."""

    def __init__(self, path: Path, end: int, matches: int) -> None:
        self.path = path
        self.end = end
        self.matches = matches
        with _writing(path):
            self._file = path.open("r+b", buffering=0)
            self._file.truncate(end)
        self._synced = True

    def append(self, frame: bytes, matches: int) -> None:
        """Write a frame; whole or not at all."""
        with _writing(self.path):
            try:
                self._file.seek(self.end)
                rest = memoryview(frame)
                while rest:
                    rest = rest[self._file.write(rest) :]
            except OSError:
                self._file.truncate(self.end)
                raise
        self.end += len(frame)
        self.matches += matches
        self._synced = False

    def sync(self) -> None:
        if not self._synced:
            with _writing(self.path):
                os.fsync(self._file.fileno())
            self._synced = True

    def close(self) -> None:
        self._file.close()


def _has_only_grown(file: BinaryIO, known: _Known) -> bool:
    """Whether what is known of a segment is still so: it may have been condensed, or mended and written to again."""
    if not known.frames:
        return known.end == 0
    last = known.frames[-1]
    file.seek(last.offset)
    return known.end <= os.fstat(file.fileno()).st_size and file.read(HEAD) == last.head


def _read_head(file: BinaryIO, segment: Path, known: _Known) -> bool:
    """Read the head of the frame where those that are known end. Returns whether there is one."""
    file.seek(known.end)
    data = file.read(HEAD)
    head = head_of(data)
    if head is None or known.end + head.size > known.stamp[1]:
        return False
    known.frames.append(Frame(segment, known.end, head.size, matches_in(file.read(head.table)), data))
    known.end += head.size
    return True


def _skip_damage(file: BinaryIO, known: _Known) -> bool:
    """Go on at the next whole frame after something that is none. Returns whether there is one."""
    if known.end == known.stamp[1]:
        return False
    begin = known.end
    if known.frames and known.frames[-1].offset + known.frames[-1].size == begin:
        # Its size may be what is damaged, and then whole frames are within what seemed to be this one.
        last = known.frames[-1]
        file.seek(last.offset)
        if not is_whole(file.read(last.size)):
            begin = last.offset
    file.seek(begin)
    data = file.read(known.stamp[1] - begin)
    at = data.find(MAGIC, 1)
    while at >= 0:
        head = head_of(data[at : at + HEAD])
        if head is not None and is_whole(data[at : at + head.size]):
            if begin < known.end:
                known.frames.pop()
            known.damaged += at
            known.end = begin + at
            return True
        at = data.find(MAGIC, at + 1)
    return False


def _is_left_over(frame: Frame, begun: Container[int], is_stored: Callable[[int], bool]) -> bool:
    """Whether no match of this frame, at the end of a segment, counts."""
    return all(match in begun for match in frame.matches) or not (
        any(map(is_stored, frame.matches)) or is_whole(frame.read())
    )


def _plain(frames: Iterable[Frame]) -> bool:
    """Whether some of them are packed quickly only."""
    return any(frame.way == PLAIN for frame in frames)


def _dense(frames: Iterable[Frame]) -> Iterator[bytes]:
    """Dense frames with the records of these. Raises `RecordError` if one is damaged."""
    portion: list[tuple[int, bytes]] = []
    size = 0
    for frame in frames:
        if not portion and frame.way != PLAIN and len(frame.matches) >= DENSE:  # it is as it should be
            data = frame.read()
            if not is_whole(data):
                raise RecordError(f"{frame.segment} is damaged")
            yield data
            continue
        for match, text in frame.records():
            if portion and (len(portion) == DENSE or size + len(text) > DENSE_BYTES):
                yield repack(portion)
                portion, size = [], 0
            portion.append((match, text))
            size += len(text)
    if portion:
        yield repack(portion)


def _distance(first: int, match: int) -> tuple[bool, int]:
    return first > match, abs(first - match)


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let nobody else condense segments of this folder. Whoever outlives its ladder may still do."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


@contextmanager
def _reading(path: Path, verb: str = "read") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be {verb}: {error.strerror or error}") from None


_writing = partial(_reading, verb="written")
