"""The stderr of bots, passed on line by line while they play.

A terminal may stop taking text at any time (Ctrl-S), and the referee must neither wait for it nor lose its processor to a bot that
writes without end. So a thread writes, so much a second; what does not fit is dropped, and counted.
"""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

from bullring.arena.cells.text.lines import LineBuffer

MOST_WAITING = 1 << 18
"""Bytes that wait to be written."""

SLICE, PAUSE = 1 << 14, 0.05
"""Bytes that are written at a time, and seconds between two times."""

LONGEST = 2000
"""Bytes after which a line is broken."""

GRACE = 2.0
"""Seconds to write what is left in the end."""


class Overheard:
    """Passes on what bots write: call `hears` for each of them, and `close` in the end."""

    def __init__(self, out: Callable[[str, bytes], None]) -> None:
        """`out` is called in a thread with the name of the bot and each line, without its end. It should not raise."""
        self._out = out
        self._queue: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = self._lost = 0
        """Bytes in the queue, and bytes that were dropped since the last word about it."""
        self._lines: dict[str, LineBuffer] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def hears(self, name: str) -> Callable[[bytes], None]:
        """A function to be called with what the bot of this name has written."""

        def hear(data: bytes) -> None:
            with self._lock:
                room = self._waiting + len(data) <= MOST_WAITING
                if room:
                    self._waiting += len(data)
                else:
                    self._lost += len(data)
            if room:
                self._queue.put((name, data))

        return hear

    def close(self) -> None:
        """Write what is left."""
        self._queue.put(None)
        self._thread.join(GRACE)

    def _run(self) -> None:
        written = 0
        while (piece := self._queue.get()) is not None:
            name, data = piece
            for at in range(0, len(data), SLICE):
                part = data[at : at + SLICE]
                self._take(name, part)
                written += len(part)
                if written >= SLICE:
                    written = 0
                    time.sleep(PAUSE)
            with self._lock:
                self._waiting -= len(data)
                lost, self._lost = self._lost, 0
            if lost:
                self._out(name, b"[... %d bytes left out ...]" % lost)
        for name, buffer in self._lines.items():
            if buffer.rest:
                self._write(name, buffer.rest)

    def _take(self, name: str, data: bytes) -> None:
        buffer = self._lines.setdefault(name, LineBuffer())
        for line in buffer.feed(data):
            self._write(name, line)
        if len(buffer.rest) > LONGEST:
            self._write(name, buffer.rest)
            buffer.rest = b""

    def _write(self, name: str, line: bytes) -> None:
        for at in range(0, max(1, len(line)), LONGEST):
            self._out(name, line[at : at + LONGEST])
