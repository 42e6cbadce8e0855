"""The display of a run: a live picture on a terminal, plain lines elsewhere."""

import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TextIO

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table

EVENTS = 5
"""Number of recent events shown."""
PLAIN_EVERY = 10.0
"""Seconds between progress lines when there is no terminal."""
DRAW_EVERY = 0.25
"""Seconds between redraws."""

SETTLED = 20.0
"""Seconds of a run after which its speed is that of the next minutes."""

_NOTABLE = {
    "duplicate": "yellow",
    "fault": "red",
    "bench": "bold red",
    "void": "yellow",
    "signals": "yellow",
    "worker": "red",
    "node": "cyan",
    "stop": "cyan",
}


class Picture(Protocol):
    """A live picture of a run or a duel."""

    progress: Progress

    def happened(self, happening: Happening) -> None:
        """Take a happening, which the picture may show."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult: ...


class Rated(Protocol):
    """The ratings of a list while it is played, by whatever process."""

    @property
    def rated(self) -> int:
        """The number of matches in the ratings."""

    def rows(self) -> Sequence[Row]:
        """The standings."""

    @property
    def verdicts(self) -> Sequence[str]:
        """The sentences about its places and cycles."""

    def more(self, speed: float | None) -> More | None:
        """The matches needed for narrower intervals, at `speed` matches a second."""


@dataclass
class RunPicture:
    """A rated run: standings, progress, the matches in progress, the last notable events."""

    title: str
    standings: Rated
    metrics: Sequence[str] = ()
    events: deque[Text] = field(default_factory=lambda: deque(maxlen=EVENTS))
    progress: Progress = field(default_factory=Progress)

    def happened(self, happening: Happening) -> None:
        """Keep the happening if it is notable."""
        style = _NOTABLE.get(happening.kind)
        if style is not None:
            text = f"{time.strftime('%H:%M:%S')} {harmless(happening.text)}"
            self.events.append(Text(text, style=style, no_wrap=True, overflow="ellipsis"))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = self.standings.rows()
        lines, width = len(lines_of(rows)), options.max_width
        room = max(3, console.height - EVENTS - 12) if console.is_terminal else lines
        yield self._title()
        yield self._progress()
        yield standings_table(rows, wide=width >= WIDE, metrics=self.metrics, width=width, plain=True, most=room)
        if lines > room:
            yield Text(f"and {lines - room} more: bullring ladder table", style="dim")
        yield from map(Text, self.standings.verdicts)
        for note in standings_notes(rows, Outlook(more=self.standings.more(self._speed))):
            note.no_wrap, note.overflow = True, "ellipsis"
            yield note
        yield self._running()
        yield from self.events

    @property
    def _speed(self) -> float | None:
        """Matches a second; None as long as most of the time went into starting bots."""
        return _rate(self.progress) if self.progress.seconds >= SETTLED else None

    def _title(self) -> Text:
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(" bullring ", style="bold reverse")
        text.append(f" {self.title}", style="bold")
        rated = self.standings.rated
        return text.append(f"  {counted(rated, 'match', 'matches')} rated" if rated else "")

    def _progress(self) -> Text:
        progress = self.progress
        rate = _rate(progress) or 0.0
        of_all = f" of {progress.all_matches}" if progress.all_matches is not None else ""
        matches = "match" if f"{progress.matches}{of_all}" == "1" else "matches"
        void = f" ({progress.void} void)" if progress.void else ""
        time = f"in {clock(progress.seconds)}, {rate:.1f}/s{_left(progress, rate)}"
        text = f"this run: {progress.matches}{of_all} {matches}{void} {time}"
        return Text(text, style="cyan", no_wrap=True, overflow="ellipsis")

    def _running(self) -> Text:
        playing = self.progress.playing
        shown = ", ".join(f"{match.id} {' '.join(harmless(name, 12) for name in match.bots)}" for match in playing[:3])
        others = len(playing) + self.progress.more - 3
        more = f" and {others} more" if others > 0 else ""
        return Text(f"playing: {shown}{more}" if playing else "", style="dim", no_wrap=True, overflow="ellipsis")


def _rate(progress: Progress) -> float | None:
    """Matches a second; None before the first one."""
    return progress.matches / progress.seconds if progress.matches and progress.seconds else None


def _left(progress: Progress, rate: float) -> str:
    """The time left, or why the run is ending; empty if the run has no limit."""
    if progress.stopping:
        return f", ending: {progress.stopping}"
    left = []
    if progress.all_matches is not None and rate:
        left.append((progress.all_matches - progress.matches) / rate)
    if progress.all_seconds is not None:
        left.append(progress.all_seconds - progress.seconds)
    return f", {clock(max(0.0, min(left)))} left" if left else ""


class LiveListener:
    """Draws the run on a terminal."""

    def __init__(self, picture: Picture, console: Console) -> None:
        self._picture = picture
        self.live = Live(picture, console=console, auto_refresh=False)
        self._drawn = 0.0

    wants_matches = False

    def happened(self, happening: Happening) -> None:
        """Pass the happening on to the picture."""
        if happening.kind in ("duplicate", "sandbox"):
            # Long texts that must be read in full, so they are printed above the picture.
            self.live.console.print(Text(happening.text, style=_NOTABLE.get(happening.kind, "dim")))
        self._picture.happened(happening)

    def tick(self, progress: Progress) -> None:
        """Redraw, at most every `DRAW_EVERY` seconds."""
        self._picture.progress = progress
        if time.monotonic() - self._drawn >= DRAW_EVERY:
            self._drawn = time.monotonic()
            self.live.refresh()


class PlainListener:
    """Prints notable happenings, and a progress line every `PLAIN_EVERY` seconds."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._told = time.monotonic()

    wants_matches = False

    def happened(self, happening: Happening) -> None:
        """Print the happening if it is notable."""
        if happening.kind in _NOTABLE or happening.kind == "sandbox":
            self._say(harmless(happening.text))

    def tick(self, progress: Progress) -> None:
        """Print the progress, at most every `PLAIN_EVERY` seconds."""
        if time.monotonic() - self._told >= PLAIN_EVERY:
            self._told = time.monotonic()
            matches, seconds = progress.matches, progress.seconds
            self._say(f"{counted(matches, 'match', 'matches')} in {clock(seconds)}, {matches / seconds:.1f}/s")

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()


def clock(seconds: float) -> str:
    """Seconds as minutes or hours: 1:05 or 2:00:07."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
