"""What people are told of a run: what happens, and how far it has come."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bullring.errors import StoreError
from bullring.ladder.keeping.home import Home


@dataclass(frozen=True)
class Happening:
    """Something worth telling."""

    kind: str
    """"sandbox", "match", "fault", "void", "upset", "bench", "worker" or "stop"."""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunningMatch:
    """A match that is being played."""

    id: str
    bots: Sequence[str]
    """Names by seat."""
    record: str
    began: str


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    matches: int = 0
    """Matches that were played in this run."""
    seconds: float = 0.0
    """Since the run began."""
    all_matches: int | None = None
    """After so many it stops."""
    all_seconds: float | None = None
    """After so long it stops."""
    stopping: str = ""
    """Why nothing new is begun; empty while something is."""
    playing: Sequence[RunningMatch] = ()
    """The matches that are being played, the oldest first."""


class Listener(Protocol):
    """Whoever follows a run."""

    def happened(self, happening: Happening) -> None:
        """Something happened."""

    def tick(self, progress: Progress) -> None:
        """A moment has passed; a good time to draw."""


def tell_running(home: Home, list_: int, playing: Sequence[RunningMatch], *, over: bool = False) -> None:
    """Write down what is being played, for those who watch from outside (`display.watching`). Raises `StoreError`."""
    facts = {"pid": os.getpid(), "list": list_, "over": over, "matches": [vars(match) for match in playing]}
    temporary = home.running.with_suffix(".new")
    try:
        temporary.write_text(json.dumps(facts), "utf-8")
        temporary.replace(home.running)
    except OSError as error:
        raise StoreError(f"{home.running} cannot be written: {error.strerror or error}") from None
