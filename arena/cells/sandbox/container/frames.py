"""The stream of an attached container: stdout and stderr combined, in frames with headers."""

from collections.abc import Iterator
from struct import Struct

STDOUT, STDERR, ENGINE = 1, 2, 3
"""Sources of a frame. The last one is the engine itself, which reports an error."""

_HEADER = Struct(">B3xI")


class FrameError(Exception):
    """The data is not a stream of frames."""


class Frames:
    """Splits the stream, in pieces of any size. Keeps only an unfinished header."""

    def __init__(self) -> None:
        self._header = b""
        self._kind = 0
        self._left = 0
        """Bytes of the current frame that have not arrived."""

    def split(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the source and data of each piece. Raises `FrameError`."""
        at = 0
        while at < len(data):
            if not self._left:
                header = self._header + data[at : at + _HEADER.size - len(self._header)]
                at += len(header) - len(self._header)
                if len(header) < _HEADER.size:
                    self._header = header
                    return
                self._header = b""
                self._kind, self._left = _HEADER.unpack(header)
                if not STDOUT <= self._kind <= ENGINE:
                    raise FrameError(f"a frame of kind {self._kind}")
            piece = data[at : at + self._left]
            if piece:
                at += len(piece)
                self._left -= len(piece)
                yield self._kind, piece
