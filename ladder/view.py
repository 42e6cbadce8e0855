"""What people see of a ladder: the standings, and the live table of a run."""

import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TextIO

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.view.parts import name_text
from arena.view.plain import harmless
from ladder.runner import Happening, LadderRun
from ladder.standings import Row, Standings

EVENTS = 5
"""Events that are shown."""
WIDE = 100
"""Columns from which on more is shown."""
PLAIN_EVERY = 10.0
"""Seconds between two lines, where there is no terminal."""

_NOTABLE = {
    "fault": "red",
    "bench": "bold red",
    "upset": "magenta",
    "void": "yellow",
    "worker": "red",
    "stop": "cyan",
}


def standings_table(rows: Sequence[Row], *, wide: bool = False, metrics: Sequence[str] = ()) -> Table:
    """The list: rating with its 95 % interval, heads per deal with theirs, and how they play."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("", justify="right")
    # Where there is no room, only the names give way.
    table.add_column("bot", overflow="ellipsis", min_width=8, max_width=24)
    titles = ["rating", "±95%", "heads", "±95%", "matches", "wins", "LOS", "faults", "ms", "p99"]
    for title in [*titles, *(["Elo", "groups"] if wide else []), *metrics]:
        table.add_column(title, justify="right", no_wrap=True)
    for row in rows:
        cells: list[str | Text] = [
            str(row.place) if row.place else "",
            name_text(harmless(row.bot) + ("" if row.state == "active" else f" ({row.state})")),
            _number(row.rating, 0),
            Text("anchor" if row.anchor else _number(row.error, 0), style="dim"),
            _number(row.heads, 2),
            Text(_number(row.heads_error, 2), style="dim"),
            str(row.matches or ""),
            "" if row.wins is None else f"{100 * row.wins:.1f}%",
            "" if row.los is None else f"{100 * row.los:.0f}%",
            Text(str(row.faults or ""), style="red"),
            _number(row.median_ms, 2 if (row.median_ms or 0) < 10 else 0),
            _number(row.p99_ms, 1 if (row.p99_ms or 0) < 100 else 0),
        ]
        if wide:
            cells += [_number(row.elo, 0), str(row.groups or "")]
        cells += [_number(row.metrics.get(name), 2) for name in metrics]
        table.add_row(*cells, style="dim" if row.state != "active" else "")
    return table


def pairs_table(bots: Sequence[str], pairs: Sequence[Mapping[str, Any]]) -> Table:
    """Who beats whom: a row for each bot, a column for each rival, in per cent of the points and with the matches below."""
    cells = {(pair["bot"], pair["other"]): pair for pair in pairs}
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    table.add_column("", justify="right")
    table.add_column("bot", no_wrap=True, overflow="ellipsis", min_width=8, max_width=24)
    for number in range(1, len(bots) + 1):
        table.add_column(str(number), justify="right")
    for number, bot in enumerate(bots, 1):
        row = []
        for other in bots:
            pair = cells.get((bot, other))
            row.append(
                "·" if bot == other else "" if pair is None else f"{100 * pair['share']:.0f}%\n{pair['matches']}"
            )
        table.add_row(str(number), name_text(harmless(bot)), *row)
    return table


def history_table(points: Sequence[Mapping[str, Any]]) -> Table:
    """The course of a rating, with a bar to look at."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold dim")
    for title in ("groups", "rating", "from", "to"):
        table.add_column(title, justify="right")
    table.add_column("")
    known = [point["rating"] for point in points if point["rating"] is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    for point in points:
        rating = point["rating"]
        bar = "" if rating is None else "━" * (1 + round(30 * (rating - low) / (high - low))) if high > low else "━"
        table.add_row(
            str(point["groups"]),
            *(_number(point[key], 0) for key in ("rating", "low", "high")),
            Text(bar, style="cyan"),
        )
    return table


@dataclass
class RunView:
    """A run as it is watched: standings, progress, running matches, the last notable events."""

    title: str
    standings: Standings
    metrics: Sequence[str] = ()
    events: deque[Text] = field(default_factory=lambda: deque(maxlen=EVENTS))
    run: LadderRun | None = None

    def happened(self, happening: Happening) -> None:
        """Keep it if it is worth to be read."""
        style = _NOTABLE.get(happening.kind)
        if style is not None:
            text = f"{time.strftime('%H:%M:%S')} {harmless(happening.text)}"
            self.events.append(Text(text, style=style, no_wrap=True, overflow="ellipsis"))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = self.standings.rows()
        room = max(3, console.height - EVENTS - 6) if console.is_terminal else len(rows)
        yield self._title()
        yield self._progress()
        yield standings_table(rows[:room], wide=options.max_width >= WIDE, metrics=self.metrics)
        if len(rows) > room:
            yield Text(f"and {len(rows) - room} more: bullring ladder table", style="dim")
        yield self._running()
        yield from self.events

    def _title(self) -> Text:
        text = Text(no_wrap=True, overflow="ellipsis")
        text.append(" bullring ", style="bold reverse")
        return text.append(f" {self.title}", style="bold")

    def _progress(self) -> Text:
        run = self.run
        if run is None:
            return Text("beginning", style="dim")
        seconds = run.began_ago
        rate = run.matches / seconds if seconds else 0.0
        wanted = f" of {run.stops.matches}" if run.stops.matches is not None else ""
        text = f"{run.matches}{wanted} matches in {clock(seconds)}, {rate:.1f} a second{self._left(run, seconds, rate)}"
        return Text(text, style="cyan", no_wrap=True, overflow="ellipsis")

    def _left(self, run: LadderRun, seconds: float, rate: float) -> str:
        if run.stopping:
            return f", ending: {run.stopping}"
        left = []
        if run.stops.matches is not None and rate:
            left.append((run.stops.matches - run.matches) / rate)
        if run.stops.seconds is not None:
            left.append(run.stops.seconds - seconds)
        return f", {clock(max(0.0, min(left)))} left" if left else ""

    def _running(self) -> Text:
        playing = [] if self.run is None else self.run.playing
        shown = ", ".join(f"{job.id} {' '.join(harmless(name, 12) for name in job.names)}" for job in playing[:3])
        more = f" and {len(playing) - 3} more" if len(playing) > 3 else ""
        return Text(f"playing: {shown}{more}" if playing else "", style="dim", no_wrap=True, overflow="ellipsis")


class View(Protocol):
    """A picture of a run."""

    run: LadderRun | None

    def happened(self, happening: Happening) -> None:
        """Something happened that it may show."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The picture."""


class LiveListener:
    """Draws the run on a terminal."""

    def __init__(self, view: View, console: Console) -> None:
        self._view = view
        self.live = Live(view, console=console, auto_refresh=False)
        self._drawn = 0.0

    def happened(self, happening: Happening) -> None:
        """See `Listener`."""
        if happening.kind == "sandbox":
            # It is long, and has to be read: so it stands above the picture, whole.
            self.live.console.print(Text(happening.text, style="dim"))
        self._view.happened(happening)

    def tick(self, run: LadderRun) -> None:
        """See `Listener`."""
        self._view.run = run
        if time.monotonic() - self._drawn >= 0.25:
            self._drawn = time.monotonic()
            self.live.refresh()


class PlainListener:
    """Prints a line now and then."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out
        self._told = time.monotonic()

    def happened(self, happening: Happening) -> None:
        """See `Listener`."""
        if happening.kind in _NOTABLE or happening.kind == "sandbox":
            click.echo(harmless(happening.text), file=self._out)

    def tick(self, run: LadderRun) -> None:
        """See `Listener`."""
        if time.monotonic() - self._told >= PLAIN_EVERY:
            self._told = time.monotonic()
            seconds = self._told - run.began
            click.echo(f"{run.matches} matches in {clock(seconds)}, {run.matches / seconds:.1f}/s", file=self._out)


def clock(seconds: float) -> str:
    """1:05 or 2:00:07."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
