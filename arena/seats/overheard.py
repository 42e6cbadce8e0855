"""What bots write to stderr, passed on line by line while they play.

A terminal may stop taking text at any time (Ctrl-S), and the referee must not wait for it. So a thread writes, and what it cannot
keep up with is dropped, and counted.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Full, Queue

from bullring.arena.linebuffer import LineBuffer

MOST_WAITING = 1000
"""Pieces of text that wait to be written."""

LONGEST = 2000
"""Bytes after which a line is broken."""

GRACE = 1.0
"""Seconds to write what is left in the end."""


class Overheard:
    """Passes on what bots write: call `hears` for each of them, and `close` in the end."""

    def __init__(self, out: Callable[[str, bytes], None]) -> None:
        """`out` is called in a thread with the name of the bot and each line, without its end. It should not raise."""
        self._out = out
        self._queue: Queue[tuple[str, bytes] | None] = Queue(MOST_WAITING)
        self._lost = 0
        self._lines: dict[str, LineBuffer] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def hears(self, name: str) -> Callable[[bytes], None]:
        """A function to be called with what the bot of this name has written."""

        def hear(data: bytes) -> None:
            try:
                self._queue.put_nowait((name, data))
            except Full:
                self._lost += len(data)

        return hear

    def close(self) -> None:
        """Write what is left."""
        with suppress(Full):
            self._queue.put(None, timeout=GRACE)
            self._thread.join(GRACE)

    def _run(self) -> None:
        while (piece := self._queue.get()) is not None:
            name, data = piece
            buffer = self._lines.setdefault(name, LineBuffer())
            for line in buffer.feed(data):
                self._write(name, line)
            if len(buffer.rest) > LONGEST:
                self._write(name, buffer.rest)
                buffer.rest = b""
            if self._lost:
                lost, self._lost = self._lost, 0
                self._out(name, b"[... %d bytes left out ...]" % lost)
        for name, buffer in self._lines.items():
            if buffer.rest:
                self._write(name, buffer.rest)

    def _write(self, name: str, line: bytes) -> None:
        for at in range(0, max(1, len(line)), LONGEST):
            self._out(name, line[at : at + LONGEST])
