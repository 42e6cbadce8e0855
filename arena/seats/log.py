"""What a bot writes to stderr: kept for the match it belongs to, counted, and told when it is too much."""

from collections import deque
from collections.abc import Callable

KEEP = 65536
"""Bytes kept of one match: the first half and the last."""


class Log:
    """The log of one bot. `too_much` is called when it has written more than `limit` bytes in one match."""

    def __init__(self, limit: int) -> None:
        self.too_much: Callable[[], None] | None = None
        self._limit = limit
        self.begin()

    def begin(self) -> None:
        """From here on the log belongs to another match."""
        self._total = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def write(self, data: bytes) -> None:
        """Take what came; what is too much is dropped from the middle."""
        self._total += len(data)
        half = KEEP // 2
        room = half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data)
            self._tail_size += len(data)
            while self._tail_size - len(self._tail[0]) >= half:
                self._tail_size -= len(self._tail.popleft())
        if self._total > self._limit and self.too_much is not None:
            self.too_much()

    def text(self) -> str:
        """The log as text; bytes that are not text are replaced."""
        tail = b"".join(self._tail)[-(KEEP // 2) :]
        lost = self._total - len(self._head) - len(tail)
        gap = f"\n[... {lost} bytes left out ...]\n".encode() if lost else b""
        return (bytes(self._head) + gap + tail).decode("utf-8", "replace")
