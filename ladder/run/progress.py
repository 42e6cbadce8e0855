"""News and progress of a run, for people."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bullring.errors import StoreError
from bullring.ladder.store.home import Home

MOST_NAMED = 256
"""Most matches being played that are named. A hundred nodes have thousands, and they are named twenty times a second."""


@dataclass(frozen=True)
class Happening:
    """Something worth telling people."""

    kind: str
    """"duplicate", "sandbox", "build", "match", "fault", "void", "bench", "worker", "host", "signals" or "stop"."""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RunningMatch:
    """A match being played."""

    id: int
    bots: Sequence[str]
    """Names by seat."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    matches: int = 0
    """Number of matches played in this run."""
    void: int = 0
    """Matches of these that do not count."""
    seconds: float = 0.0
    """Seconds since the run began."""
    all_matches: int | None = None
    """The run stops after this many matches; None: no limit."""
    all_seconds: float | None = None
    """The run stops after this many seconds; None: no limit."""
    stopping: str = ""
    """The reason why no new matches are begun; empty while they are."""
    playing: Sequence[RunningMatch] = ()
    """The matches being played, oldest first; only the first `MOST_NAMED`."""
    more: int = 0
    """The number of further ones."""


class Listener(Protocol):
    """Follows a run."""

    @property
    def wants_matches(self) -> bool:
        """Whether it wants to hear of each match, of which there may be thousands a second."""

    def happened(self, happening: Happening) -> None:
        """Take a happening."""

    def tick(self, progress: Progress) -> None:
        """Take the progress, several times a second; a good time to draw."""


def tell_running(home: Home, list_: int, progress: Progress, *, over: bool = False) -> None:
    """Write running.json, for watching from another process (`running`). Raises `StoreError`."""
    matches = [vars(match) for match in progress.playing]
    facts = {"pid": os.getpid(), "list": list_, "over": over, "matches": matches, "more": progress.more}
    temporary = home.running.with_suffix(".new")
    try:
        temporary.write_text(json.dumps(facts), "utf-8")
        temporary.replace(home.running)
    except OSError as error:
        raise StoreError(f"{home.running} cannot be written: {error.strerror or error}") from None


@dataclass(frozen=True)
class Running:
    """The content of running.json."""

    list: int
    """The list that is being played."""
    matches: Sequence[RunningMatch]
    """The matches being played, oldest first; only the first `MOST_NAMED`."""
    more: int = 0
    """The number of further ones."""


def running(home: Home) -> Running | None:
    """The ladder that is running in a home; None if there is none."""
    try:
        facts = json.loads(home.running.read_text("utf-8"))
        if facts["over"] or not Path(f"/proc/{int(facts['pid'])}").exists():
            return None
        matches = [RunningMatch(**match) for match in facts["matches"]]
        return Running(int(facts["list"]), matches, int(facts["more"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None  # only a ladder writes it; if it is damaged, the next one mends it
