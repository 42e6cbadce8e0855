"""`bullring train`: train a bot by self-play."""

from __future__ import annotations

import math
import os
import time
from contextlib import ExitStack
from pathlib import Path

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import PATH, language_option
from bullring.cli.values import GAME, Duration
from bullring.errors import DONE, INTERRUPTED, BotError, BullringError, UsageError, WriteError

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads gain nothing with small matrices, and take processor time

with late():
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    from bullring.arena.cells.text.doing import unshown
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rulebook.language import say
    from bullring.arena.games.simulator import COMPILED
    from bullring.cli.signals import noted
    from bullring.ladder.watching.display.plots import Course as Line
    from bullring.ladder.watching.display.plots import course_plot
    from bullring.ladder.watching.display.progress import clock
    from bullring.train.learning import MEASURED, Course, against_house, simulated
    from bullring.train.make_bot import make_bot, plays_a_policy, replace_policy

USUAL = 300.0
"""Seconds of processor time, if neither time nor deals are given."""

BESIDE = ("greedy", "sharp")
"""Policies of the simulator whose strength is shown beside that of the one that learns."""

PLOT = 16
"""Most lines of the plot."""

DRAW_EVERY = 0.25
"""Seconds between two pictures."""


@click.command(name="train")
@click.argument("file", default="policy.npz", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--game", type=GAME, help="A game whose rows grow to the right.  [default: standard]")
@click.option("--seats", type=click.IntRange(2, 10), help="The number of seats at a table.  [default: 4]")
@click.option(
    "--for",
    "seconds",
    type=Duration(1.0, among="1s or more"),
    help="Learn for this time of one core, in all: 90s, 10m.  [default: 5m]",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    metavar="N",
    help="Learn from this many deals, in all. With --for: until the first of both.",
)
@click.option("--seed", type=click.IntRange(0), metavar="N", help="For deals and chance.  [default: 1]")
@click.option("--to", "folder", type=PATH, metavar="NAME", help="Make a bot of it, or let the one there play by it.")
@language_option
def command(
    file: Path,
    game: str | None,
    seats: int | None,
    seconds: float | None,
    deals: int | None,
    seed: int | None,
    folder: Path | None,
) -> int:
    """Train a bot by self-play.

    A small network learns which card to play by playing deals against itself and against what it was before. FILE (policy.npz)
    keeps it: Ctrl-C leaves a policy that can be used, and the same command goes on from there, as does one with a longer --for.
    With --to, the policy becomes a bot for `bullring check`, `match` and `submit`.

    Its strength is plotted meanwhile: its Elo against the house, by deals of the simulator. Needs bullring[fast] to be quick.
    """
    if folder is not None and folder.exists() and not plays_a_policy(folder):
        raise BotError(f"{folder} is there already, and is not a bot that plays by a policy; give --to another name")
    course = _course(file, game, seats, seed)
    if seconds is None and deals is None:
        seconds = USUAL
    if course.deals >= (deals or math.inf) or course.seconds >= (seconds or math.inf):
        raise UsageError(
            f"{file} has learned from {course.deals} deals, in {clock(course.seconds)} of one core; give a larger"
            f" {'--for' if deals is None else '--deals'} to go on, or another name to begin anew"
        )
    if not COMPILED:
        complain(say("train.slow"))
    if course.deals:
        click.echo(say("train.goes_on", file=harmless(str(file)), deals=course.deals), err=True)
    if _Run(course, file, folder).learn(deals or math.inf, seconds or math.inf):
        complain(say("train.interrupted", file=str(file), deals=course.deals))
        return INTERRUPTED
    return DONE


def _course(file: Path, game: str | None, seats: int | None, seed: int | None) -> Course:
    """The course of the file, or a new one. Raises `UsageError`, `WriteError`."""
    if file.exists():
        try:
            course = Course.load(file)
        except OSError as error:
            raise BotError(f"{file}: {error.strerror or error}") from None
        for name, wish, own in (
            ("game", game, course.game),
            ("seats", seats, course.seats),
            ("seed", seed, course.seed),
        ):
            if wish not in (None, own):
                raise UsageError(f"{file} learns with --{name} {own}, not {wish}; leave it out, or give another name")
        return course
    try:
        course = Course(game or "standard", seats or 4, seed=1 if seed is None else seed)
    except BullringError:
        raise
    except ValueError as mistake:  # a game without such a simulation
        raise UsageError(str(mistake)) from None
    _save(course, file)  # now rather than when everything is learned
    return course


def _save(course: Course, file: Path) -> None:
    try:
        course.save(file)
    except OSError as error:
        raise WriteError(f"{file} cannot be written: {error.strerror or error}") from None


class _Run:
    """A run of the command."""

    def __init__(self, course: Course, file: Path, folder: Path | None) -> None:
        self._course, self._file, self._folder = course, file, folder
        self._console = Console()
        self._live: Live | None = None
        self._beside: dict[str, tuple[float, float]] = {}
        """The Elo of `BESIDE`, and half of its interval."""
        self._done = 0.0
        self._drawn = -math.inf
        self._told = len(course.measured)
        """Measurements that were told."""

    def learn(self, deals: float, seconds: float) -> bool:
        """Learn, keep what was learned, and say how strong it is. Returns whether a signal came before the end."""
        signals: list[int] = []
        course = self._course

        def told(_: Course, done: float) -> bool:
            self._done = done
            self._tell()
            return not signals

        with ExitStack() as stack:
            stack.enter_context(noted(signals.append))  # a step is finished first
            stack.enter_context(unshown())
            if self._console.is_terminal:
                self._live = stack.enter_context(Live(self, console=self._console, auto_refresh=False))
            self._beside = {
                name: against_house(simulated(name), course.game, course.seats, MEASURED) for name in BESIDE
            }
            course.learn(deals, seconds, told)
            if not course.measured or course.measured[-1].deals < course.deals:
                course.measure()
            self._keep()
            self._draw()
        self._finish()
        return bool(signals)

    def _tell(self) -> None:
        """Show how far it is."""
        count = len(self._course.measured)
        if count > self._told:
            self._told = count
            self._keep()
            if self._live is None:
                click.echo(self._so_far(), err=True)
        if time.monotonic() - self._drawn >= DRAW_EVERY:
            self._draw()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        if self._live is not None:
            self._live.refresh()

    def _keep(self) -> None:
        """Write the file and the bot. Raises `WriteError`, `BotError`."""
        _save(self._course, self._file)
        if self._folder is None:
            return
        if not plays_a_policy(self._folder):
            make_bot(self._file, self._folder)
            return
        try:
            replace_policy(self._course.policy, self._folder)
        except OSError as error:
            raise WriteError(f"{self._folder} cannot be written: {error.strerror or error}") from None

    def _finish(self) -> None:
        """Say what came out, and what can be done with it."""
        last = self._course.measured[-1]
        file = harmless(str(self._file))
        click.echo(say("train.kept", file=file, elo=last.elo, error=last.error, deals=last.deals))
        click.echo(say("train.beside", **{name: elo for name, (elo, _) in self._beside.items()}))
        if self._folder is None:
            click.echo(f"  bullring new python NAME --from-policy {file}")
            return
        folder = harmless(str(self._folder))
        click.echo(say("train.bot", folder=folder))
        for line in (f"check {folder}", f"match {folder} @greedy @casual --watch", f"submit {folder}"):
            click.echo(f"  bullring {line}")

    def _so_far(self) -> str:
        course = self._course
        if not course.measured:
            return say("train.begins", deals=course.deals, time=clock(course.seconds))
        last = course.measured[-1]
        return say("train.so_far", deals=course.deals, time=clock(course.seconds), elo=last.elo, error=last.error)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        course = self._course
        yield Text(say("train.title", game=course.game, seats=course.seats), style="bold")
        line = Table.grid(padding=(0, 2))
        line.add_row(ProgressBar(1.0, self._done, width=24), self._so_far())
        yield line
        measured = course.measured
        if len(measured) < 2:
            return
        lines = [Line("policy", [_point(each.deals, each.elo, each.error) for each in measured])]
        for name, own in self._beside.items():
            lines.append(Line(name, [_point(each.deals, *own) for each in (measured[0], measured[-1])]))
        height = min(PLOT, max(8, console.height - 4))
        yield from course_plot(lines, console.width, height, colours=not console.no_color, title=say("train.axis"))


def _point(deals: int, elo: float, error: float) -> tuple[int, float, float, float]:
    return deals, elo, elo - error, elo + error
