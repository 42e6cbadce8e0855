"""The log of a program: counted, kept within bounds, and reported when it is too long."""

from collections import deque
from collections.abc import Callable

KEEP = 65536
"""Bytes kept of a bot's log per match: one half from the beginning, one half from the end."""


class Log:
    """The stderr of one program. `too_much` is called once it has written more than `limit` bytes.

    `keep` bytes are kept: one half from the beginning, one half from the end. `heard` is called with everything at once.
    """

    def __init__(self, limit: int, keep: int = KEEP, heard: Callable[[bytes], None] | None = None) -> None:
        self._heard = heard
        self.too_much: Callable[[], None] | None = None
        self._limit = limit
        self._keep = keep
        self.begin()

    def begin(self) -> None:
        """Start an empty log, as for another match."""
        self._total = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0

    def write(self, data: bytes) -> None:
        """Add data. Above `keep` bytes, the middle is dropped."""
        self._total += len(data)
        if self._heard is not None:
            self._heard(data)
        half = self._keep // 2
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

    def last_line(self) -> str:
        """The last line that is not empty of what was written last. May be called in another thread."""
        lines = bytes(self._tail[-1] if self._tail else self._head[-4096:]).replace(b"\r", b"\n").split(b"\n")
        return next((line for line in reversed(lines) if line.strip()), b"").decode("utf-8", "replace").strip()

    def text(self) -> str:
        """The log as text; bytes that are not UTF-8 are replaced."""
        if not self._total:
            return ""
        tail = b"".join(self._tail)[-(self._keep // 2) :]
        lost = self._total - len(self._head) - len(tail)
        gap = f"\n[... {lost} bytes left out ...]\n".encode() if lost else b""
        return (bytes(self._head) + gap + tail).decode("utf-8", "replace")
