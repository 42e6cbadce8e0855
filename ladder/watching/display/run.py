"""The display of a run: a live picture on a terminal, plain lines elsewhere."""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.segment import Segment, SegmentLines
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.outlook import Outlook
from bullring.ladder.watching.display.steady import SteadyLive
from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table

if TYPE_CHECKING:
    from bullring.ladder.watching.display.featured import Featured

EVENTS = 5
"""Number of recent events shown."""
PLAIN_EVERY = 10.0
"""Seconds between progress lines when there is no terminal."""
DRAW_EVERY = 1.0
"""Seconds between redraws while nothing moves."""
LOOK_EVERY = 0.1
"""Seconds between two looks whether something has moved."""

ROOMY = 30
"""Lines of a terminal from which on a featured table is set apart from the standings."""
BELOW = 6
"""Beside a featured table, one of so many lines of the terminal is kept for what is said below the standings."""

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

    def advance(self, now: float) -> bool:
        """Go on with what moves. Returns whether something has moved."""

    def settle(self) -> None:
        """Leave out what moves: this picture stays on the terminal."""

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
    feature: "Callable[[], Featured] | None" = None
    """Makes the table above the standings; called when matches are being played."""
    events: deque[Text] = field(default_factory=lambda: deque(maxlen=EVENTS))
    progress: Progress = field(default_factory=Progress)
    _featured: "Featured | None" = None
    _kept: tuple[Sequence[Row], tuple[int, int | None], list[list[Segment]]] | None = None
    """The standings as they were drawn last, with their rows and sizes: they change more seldom than the rest."""

    def happened(self, happening: Happening) -> None:
        """Keep the happening if it is notable."""
        style = _NOTABLE.get(happening.kind)
        if style is not None:
            text = f"{time.strftime('%H:%M:%S')} {harmless(happening.text)}"
            self.events.append(Text(text, style=style, no_wrap=True, overflow="ellipsis"))

    def advance(self, now: float) -> bool:
        """Go on with the featured table. Returns whether something has moved."""
        if self._featured is None and self.feature is not None:
            self._featured = self.feature()
        playing = [match.id for match in self.progress.playing]
        return self._featured is not None and self._featured.advance(now, playing)

    def settle(self) -> None:
        """Leave out what moves: this picture stays on the terminal."""
        self.feature = self._featured = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        said = list(self._said())
        events = list(self.events)
        height, featured = console.height, self._featured
        if featured is not None and featured.fits(options):
            below = height // BELOW
            standings = self._standings(console, options, height - featured.least - 2 - below)
            yield featured.drawn(options.max_width, height - len(standings) - 2 - below)
            if height >= ROOMY:
                yield Text()
                below -= 1
            yield self._title()
            events = events[-max(below // 2, below - len(said)) :]
            said = said[: below - len(events)]
        else:
            most = max(5, height - EVENTS - 10) if console.is_terminal else None
            standings = self._standings(console, options, most)
            yield Text.assemble((" bullring ", "bold reverse"), " ", self._title(), no_wrap=True, overflow="ellipsis")
            said.append(self._running())
        yield self._progress()
        yield SegmentLines(standings, new_lines=True)
        for line in (*said, *events):
            line.no_wrap, line.overflow = True, "ellipsis"
            yield line

    def _standings(self, console: Console, options: ConsoleOptions, most: int | None) -> list[list[Segment]]:
        """The standings in at most so many lines."""
        rows, width = self.standings.rows(), options.max_width
        if self._kept is not None and self._kept[0] is rows and self._kept[1] == (width, most):
            return self._kept[2]
        count = len(lines_of(rows))
        room = count if most is None or count < most else most - 2
        table = standings_table(rows, wide=width >= WIDE, metrics=self.metrics, width=width, plain=True, most=room)
        more = [Text(f"and {count - room} more: bullring ladder table", style="dim")] if count > room else []
        lines = console.render_lines(Group(table, *more), options)
        self._kept = rows, (width, most), lines
        return lines

    def _said(self) -> Iterator[Text]:
        """What is said below the standings."""
        yield from map(Text, self.standings.verdicts)
        yield from standings_notes(self.standings.rows(), Outlook(more=self.standings.more(self._speed)))

    @property
    def _speed(self) -> float | None:
        """Matches a second; None as long as most of the time went into starting bots."""
        return _rate(self.progress) if self.progress.seconds >= SETTLED else None

    def _title(self) -> Text:
        text = Text(self.title, style="bold", no_wrap=True, overflow="ellipsis")
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
    """Draws the run on a terminal, as long as it is entered."""

    def __init__(self, picture: Picture, console: Console) -> None:
        self._picture = picture
        self._live = SteadyLive(picture, console)
        self._looked = self._drawn = 0.0

    wants_matches = False

    def __enter__(self) -> None:
        self._live.start(refresh=True)

    def __exit__(self, *_: object) -> None:
        self._picture.settle()
        self._live.stop()

    def happened(self, happening: Happening) -> None:
        """Pass the happening on to the picture."""
        if happening.kind in ("duplicate", "sandbox"):
            # Long texts that must be read in full, so they are printed above the picture.
            self._live.console.print(Text(happening.text, style=_NOTABLE.get(happening.kind, "dim")))
        self._picture.happened(happening)

    def tick(self, progress: Progress) -> None:
        """Redraw when something has moved, and every `DRAW_EVERY` seconds."""
        self._picture.progress = progress
        now = time.monotonic()
        if now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        if self._picture.advance(now) or now - self._drawn >= DRAW_EVERY:
            self._drawn = now
            self._live.refresh()


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
