"""News from the process that plays: matches to show, seats that still think, stderr of bots."""

import json
import os
import select
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from bullring.arena.cells.text.lines import LineBuffer


@dataclass(frozen=True)
class Match:
    """A match to show."""

    number: int
    """From 1, in the order in which they are played."""
    record: Path
    title: str
    remove: bool
    """Whether the record is removed when it has been shown."""


class News:
    """Reads what `Watching` tells. `hear` never waits."""

    def __init__(self, fd: int) -> None:
        self.matches: deque[Match] = deque()
        """The matches that have not been shown yet."""
        self.said: deque[str] = deque()
        """Lines to show."""
        self.finished = False
        """Whether no more matches come."""
        self.gone = False
        """Whether the other process has left."""
        self._fd = fd
        self._buffer = LineBuffer()
        self._shown = 0
        self._thinking: tuple[int, ...] = ()

    def hear(self) -> None:
        """Take the messages that have come."""
        while not self.gone and select.select([self._fd], [], [], 0)[0]:
            data = os.read(self._fd, 1 << 16)
            self.gone = not data
            for line in self._buffer.feed(data):
                self._take(json.loads(line))

    def thinking(self, match: int, batch: int) -> tuple[int, ...] | None:
        """The seats that have not answered this batch of this match yet; None if nothing is known."""
        return self._thinking[2:] if self._thinking[:2] == (match, batch) else None

    def _take(self, message: dict[str, object]) -> None:
        match message:
            case {"record": str(record), "title": str(title), "remove": bool(remove)}:
                self._shown += 1
                self.matches.append(Match(self._shown, Path(record), title, remove))
            case {"thinking": [*numbers]}:
                self._thinking = tuple(number for number in numbers if isinstance(number, int))
            case {"said": str(text)}:
                self.said.append(text)
            case {"end": True}:
                self.finished = True
