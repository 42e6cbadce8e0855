"""The frames of a record's file, read piece by piece without waiting, also while the file is still being written."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import FileIO
from pathlib import Path

from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.match.records.reader import MAX_LINE, MAX_RECORD, Entry, kind_of, parse_line, read_lines
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.errors import RecordError

MOST = 300
"""Most entries taken in one go, so that a screen which reads between two keys answers both in time."""


class Feed:
    """Reads on whenever it is asked. Hands stay closed; `opened` opens those of a match that is over."""

    def __init__(
        self,
        path: Path,
        elsewhere: Callable[[], Path | None] | None = None,
        through: Callable[[Entry], Entry] = lambda entry: entry,
    ) -> None:
        """`elsewhere` is asked where the record is when its file is not there: None if that is not known yet, and
        `FileNotFoundError` if it is nowhere. What it names has to begin with what was read. Frames are made of each entry as it
        comes `through`."""
        self.path = path
        self.head: Entry | None = None
        """The first entry, as it came; None before it."""
        self._through = through
        self._elsewhere = elsewhere
        self.finished = False
        """Whether the end of the match was read."""
        self.gone = False
        """Whether the file was removed or replaced, because the match was given up or is played again."""
        self.error: RecordError | None = None
        """The error in the record, from which on it is not read."""
        self._file: FileIO | None = None
        self._read = 0
        self._buffer = LineBuffer()
        self._lines: deque[bytes] = deque()
        """Lines read and not taken yet."""
        self._reducer = Reducer()

    @property
    def torn(self) -> int:
        """Bytes after the last complete line."""
        return len(self._buffer.rest)

    def more(self, most: int = MOST) -> list[Frame]:
        """The frames of the next entries, of at most `most` entries; none if there is nothing new yet."""
        frames: list[Frame] = []
        if self.error is not None:
            return frames
        try:
            self._take(most, frames)
        except RecordError as error:
            number = self._reducer.number + 1
            self.error = error if error.line else RecordError(str(error), number)
        except OSError as error:
            self.error = RecordError(f"{self.path} cannot be read: {error.strerror or error}")
        return frames

    def _take(self, most: int, frames: list[Frame]) -> None:
        if len(self._lines) < most and not self.finished:
            self._fill()
        for _ in range(min(most, len(self._lines))):
            entry = parse_line(self._lines.popleft(), self._reducer.number + 1)
            self.head = self.head or entry
            frames += self._reducer.feed(self._through(entry))
            if kind_of(entry) == "end":
                self.finished = True

    def _fill(self) -> None:
        if self._file is None:
            try:
                self._file = FileIO(self.path)
            except FileNotFoundError:
                if self._elsewhere is not None:
                    self._move(self._elsewhere)
                return  # not begun yet, or gone already
        data = self._file.read(1 << 18) or b""
        self._read += len(data)
        if self._read > MAX_RECORD:
            raise RecordError(f"{self.path} is larger than any record ({MAX_RECORD >> 20} MiB)")
        self._lines += self._buffer.feed(data)
        if len(self._buffer.rest) > MAX_LINE:
            parse_line(self._buffer.rest, self._reducer.number + len(self._lines) + 1)
        if not data and self._is_gone(self._file):
            if self._elsewhere is None:
                self.gone = True
            else:
                self._move(self._elsewhere)

    def _move(self, elsewhere: Callable[[], Path | None]) -> None:
        """Go on in the file that the record is in now."""
        try:
            path = elsewhere()
            if path is None:
                return
            file = FileIO(path)
        except FileNotFoundError:
            self.gone = True
            return
        self.close()
        self._file, self.path = file, path
        file.seek(self._read)

    def _is_gone(self, file: FileIO) -> bool:
        own = os.fstat(file.fileno())
        if own.st_size < self._read:
            return True
        with suppress(FileNotFoundError):
            there = self.path.stat()
            return (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino)
        return True

    def opened(self) -> list[Frame]:
        """All frames again, with all hands: those of the same entries. Raises `RecordError` unless the match is over."""
        lines = read_lines(self.path)
        if not lines.finished:
            raise RecordError("the hands are open when the match is over")
        reducer = Reducer(opened=True)
        return [frame for entry in lines.each() for frame in reducer.feed(entry)]

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


class Whole:
    """The same for entries that are at hand, such as those of a branch, whose hands are open from the start."""

    finished, gone, error = True, False, None

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = entries

    def more(self) -> list[Frame]:
        """All frames, once."""
        entries, self._entries = self._entries, ()
        reducer = Reducer(opened=True)
        return [frame for entry in entries for frame in reducer.feed(entry)]

    def opened(self) -> list[Frame]:
        """No others: the hands are open."""
        return []

    def close(self) -> None:
        """There is nothing to close."""
