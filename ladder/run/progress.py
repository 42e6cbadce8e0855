"""News and progress of a run, for people."""

import json
import os
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bullring.errors import StoreError
from bullring.ladder.store.home import Home

NOTABLE = frozenset(("duplicate", "fault", "bench", "void", "signals", "worker", "node", "stop"))
"""The kinds of happenings of which people are told wherever a run is shown."""

NOTICES = 3
"""The last notable happenings that are told to those who watch."""

MOST_NAMED = 256
"""Most matches that are named. A hundred nodes have thousands, and they are named twenty times a second."""


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
    """The matches that were given to referee processes, those at tables first; only the first `MOST_NAMED`."""
    tables: int = 0
    """The number of tables being played."""


class Listener(Protocol):
    """Follows a run."""

    @property
    def wants_matches(self) -> bool:
        """Whether it wants to hear of each match, of which there may be thousands a second."""

    def happened(self, happening: Happening) -> None:
        """Take a happening."""

    def tick(self, progress: Progress) -> None:
        """Take the progress, several times a second; a good time to draw."""


@dataclass(frozen=True)
class Notice:
    """A notable happening, as those who watch are told it."""

    at: str
    """The time of day."""
    kind: str
    text: str


class Noting:
    """Passes everything on to a listener, and keeps the last notices."""

    def __init__(self, listener: Listener) -> None:
        self.notices: deque[Notice] = deque(maxlen=NOTICES)
        self.tick = listener.tick
        self._listener = listener

    @property
    def wants_matches(self) -> bool:
        """Whether the listener does."""
        return self._listener.wants_matches

    def happened(self, happening: Happening) -> None:
        """Keep it if it is notable, and pass it on."""
        if happening.kind in NOTABLE:
            self.notices.append(Notice(time.strftime("%H:%M:%S"), happening.kind, happening.text))
        self._listener.happened(happening)


def tell_running(
    home: Home, list_: int, progress: Progress, notices: Sequence[Notice] = (), *, over: bool = False
) -> None:
    """Write running.json, for watching from another process (`running`). Raises `StoreError`."""
    told = {**vars(progress), "playing": [vars(match) for match in progress.playing]}
    facts = {"pid": os.getpid(), "list": list_, "over": over, "progress": told, "notices": list(map(vars, notices))}
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
    progress: Progress
    notices: Sequence[Notice] = ()
    """The last notable happenings, the newest last."""

    @property
    def matches(self) -> Sequence[RunningMatch]:
        """The matches that were given to referee processes, those at tables first; only the first `MOST_NAMED`."""
        return self.progress.playing

    @property
    def tables(self) -> int:
        """The number of tables being played."""
        return self.progress.tables


def running(home: Home) -> Running | None:
    """The ladder that is running in a home; None if there is none."""
    try:
        facts = json.loads(home.running.read_text("utf-8"))
        if facts["over"] or not Path(f"/proc/{int(facts['pid'])}").exists():
            return None
        told = facts["progress"]
        progress = Progress(**{**told, "playing": [RunningMatch(**match) for match in told["playing"]]})
        return Running(int(facts["list"]), progress, [Notice(**notice) for notice in facts["notices"]])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # only a ladder writes it; if it is damaged, the next one mends it
