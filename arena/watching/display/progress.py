"""One line in a terminal that tells how far a long command has come. In a file or a pipe, nothing is written."""

import time
from typing import TextIO

_EVERY_S = 0.2
"""Seconds between two states that are shown."""


class Progress:
    """Call it with the number of things that are done; call `end` in the end."""

    def __init__(self, out: TextIO, total: int, what: str = "questions asked") -> None:
        self._out = out
        self._total = total
        self._what = what
        self._shows = out.isatty()
        self._next = time.monotonic() + _EVERY_S
        self._drawn = False

    def __call__(self, done: int) -> None:
        """Show it, unless that has just been done."""
        now = time.monotonic()
        if self._shows and now >= self._next:
            self._next = now + _EVERY_S
            self._drawn = True
            self._write(f"\r{done} of {self._total} {self._what}")

    def end(self) -> None:
        """Wipe the line."""
        if self._drawn:
            self._drawn = False
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
            self._out.flush()
        except OSError:
            self._shows = False  # the terminal is gone
