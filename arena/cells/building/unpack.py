"""Read what a build sends, strictly, into a new folder. `inside.build_and_send` has the format; the bytes are a stranger's."""

import struct
from collections.abc import Generator
from typing import Protocol

from bullring.arena.cells.files.fill import Filling
from bullring.arena.cells.files.walk import MIB, MOST_PATH, Bounds, Kind
from bullring.errors import FilesError

MOST_TARGET = 1024
"""Most bytes of a link's target."""

SPOILT = 0xFFFFFFFF
"""The length that takes a stock back."""

_KINDS = {kind.value: kind for kind in Kind}


class Sink(Protocol):
    """Takes a stock in pieces."""

    most: int
    """Bytes that it takes."""

    def write(self, piece: bytes) -> None: ...

    def finish(self) -> None:
        """All has come."""


class Unpacking:
    """The end of a build as it arrives."""

    def __init__(self, filling: Filling, bounds: Bounds, sink: Sink | None = None) -> None:
        """With a `sink`, a stock comes in the end."""
        self.status: int | None = None
        """The exit status of the build; negative: the signal that ended it. None as long as it has not ended."""
        self.hash: str | None = None
        """The hash of the folder, once all of it has come."""
        self._filling = filling
        self.done = False
        """Whether everything has come."""
        self._bounds = bounds
        self._sink = sink
        self._came = bytearray()
        self._reading = self._read()
        self._wanted = next(self._reading)

    def feed(self, data: bytes) -> None:
        """Take what came. Raises `FilesError` if it is not what a build sends, or too much; and `OSError`."""
        self._came += data
        while self._came and not self.done:
            least, most = self._wanted
            if len(self._came) < least:
                return
            part = bytes(self._came[:most])
            del self._came[:most]
            try:
                self._wanted = self._reading.send(part)
            except StopIteration:
                self.done = True
        if self._came:
            raise FilesError("something came after the end of the built folder")

    def _read(self) -> Generator[tuple[int, int], bytes, None]:
        """Ask for a least and a most number of bytes, again and again."""
        head = yield 5, 5
        if head[:1] != b"s":
            raise FilesError("the built folder does not begin with the status of the build")
        (self.status,) = struct.unpack(">i", head[1:])
        if self.status == 0:
            yield from self._read_folder()
        if self._sink is not None:
            yield from self._read_stock(self._sink)

    def _read_folder(self) -> Generator[tuple[int, int], bytes, None]:
        files, size = self._bounds.files, self._bounds.size
        while (mark := (yield 1, 1)) != b".":
            kind = _KINDS.get(mark)
            if kind is None:
                raise FilesError(f"there is no kind of file {mark!r}")
            (length,) = struct.unpack(">H", (yield 2, 2))
            if not 0 < length <= MOST_PATH:
                raise FilesError(f"a path has {length} bytes; at most {MOST_PATH} are allowed")
            path = yield length, length
            (left,) = struct.unpack(">Q", (yield 8, 8))
            files -= 1
            size -= left
            if files < 0:
                raise FilesError(f"the built folder has more than {self._bounds.files} files and folders")
            if size < 0:
                raise FilesError(f"the built folder is larger than {self._bounds.size // MIB} MiB")
            match kind:
                case Kind.FOLDER:
                    if left:
                        raise FilesError("a folder cannot have contents of its own")
                    self._filling.folder(path)
                case Kind.LINK:
                    if not 0 < left <= MOST_TARGET:
                        raise FilesError(f"a link leads to a path of {left} bytes; at most {MOST_TARGET} are allowed")
                    self._filling.link(path, (yield left, left))
                case Kind.FILE | Kind.PROGRAM:
                    with self._filling.file(path, kind) as write:
                        while left:
                            part = yield 1, left
                            write(part)
                            left -= len(part)
        self.hash = self._filling.finish()

    def _read_stock(self, sink: Sink) -> Generator[tuple[int, int], bytes, None]:
        left = sink.most
        while length := struct.unpack(">I", (yield 4, 4))[0]:
            if length == SPOILT:
                return
            left -= length
            if left < 0:
                raise FilesError(f"what it left for the next build is larger than {sink.most // MIB} MiB")
            while length:
                piece = yield 1, length
                sink.write(piece)
                length -= len(piece)
        sink.finish()
