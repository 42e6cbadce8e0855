"""The stderr of a bot: kept per match, counted, and reported when it is too long."""

from collections import deque
from collections.abc import Callable

KEEP = 65536
"""Bytes kept per match: one half from the beginning, one half from the end."""


class Log:
    """The log of one bot. `too_much` is called once the bot has written more than `limit` bytes in one match."""

    def __init__(self, limit: int) -> None:
        self.too_much: Callable[[], None] | None = None
        self._limit = limit
        self.begin()

    def begin(self) -> None:
        """Start an empty log for another match."""
        self._total = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def write(self, data: bytes) -> None:
        """Add data. Above `KEEP` bytes, the middle is dropped."""
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
        """The log as text; bytes that are not UTF-8 are replaced."""
        tail = b"".join(self._tail)[-(KEEP // 2) :]
        lost = self._total - len(self._head) - len(tail)
        gap = f"\n[... {lost} bytes left out ...]\n".encode() if lost else b""
        return (bytes(self._head) + gap + tail).decode("utf-8", "replace")
