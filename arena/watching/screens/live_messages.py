"""News from the process that plays: matches to show, seats that still think, stderr of bots."""

from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bullring.arena.cells.processes.frames import Ear


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
    """The messages of `Watching`. `hear` never waits."""

    def __init__(self, fd: int) -> None:
        self.matches: deque[Match] = deque()
        """The matches that have not been shown yet."""
        self.said: deque[str] = deque()
        """Lines to show."""
        self.finished = False
        """Whether no more matches come."""
        self._ear = Ear(fd)
        self._shown = 0
        self._thinking: tuple[int, ...] = ()

    @property
    def gone(self) -> bool:
        """Whether the other process has left."""
        return self._ear.closed

    def hear(self) -> None:
        """Take the messages that have come."""
        for message in self._ear.now():
            self._take(message)

    def thinking(self, match: int, batch: int) -> tuple[int, ...] | None:
        """The seats that have not answered this batch of this match yet; None if nothing is known."""
        return self._thinking[2:] if self._thinking[:2] == (match, batch) else None

    def _take(self, message: list[Any]) -> None:
        match message:
            case "show", record, title, remove:
                self._shown += 1
                self.matches.append(Match(self._shown, Path(record), title, remove))
            case "thinking", *numbers:
                self._thinking = tuple(numbers)
            case "said", text:
                self.said.append(text)
            case ["end"]:
                self.finished = True
