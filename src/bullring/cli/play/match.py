"""`bullring match`: play matches between bots."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import click

from bullring.arena.watching.screens import PACE
from bullring.cli.late import late
from bullring.cli.options import (
    PATH,
    SandboxWish,
    TableWish,
    config_option,
    deals_option,
    game_option,
    language_option,
    option_option,
    sandbox_options,
    seed_option,
    target_option,
    time_option,
)
from bullring.cli.play.debug import debug_options
from bullring.cli.values import BOT, Duration
from bullring.errors import (
    BOT_AT_FAULT,
    DONE,
    FAILED,
    INTERRUPTED,
    OptionError,
    RecordError,
    SeatsError,
    WriteError,
)
from bullring.installation import VERSION

with late():
    import tempfile

    import trio
    from rich.console import Console

    from bullring.arena.cells.bots.bot import Bot, told_apart
    from bullring.arena.cells.bots.load import load
    from bullring.arena.cells.building.cache import built_here
    from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
    from bullring.arena.cells.sandbox.identity import Owner
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.cells.text.doing import doing, unshown
    from bullring.arena.games.rulebook.language import say
    from bullring.arena.games.rules.game import Game
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.match.play import Report, calm_the_collector, notes_of, play_match
    from bullring.arena.match.records.ends import now
    from bullring.arena.match.records.reader import POLL
    from bullring.arena.match.records.writer import RECORD_START, create
    from bullring.arena.match.referee.spec import MatchSpec
    from bullring.arena.match.seats.attached import doors_for
    from bullring.arena.match.seats.pool import Pool, open_pool
    from bullring.arena.match.seeds import Seed
    from bullring.arena.settings.load import load_settings
    from bullring.arena.settings.settings import Settings
    from bullring.arena.watching.display.board import sheet_of
    from bullring.arena.watching.display.results import result_table, summary_table
    from bullring.arena.watching.display.text import fault_lines, log_hints
    from bullring.arena.watching.screens.live_client import Watching, watching
    from bullring.arena.watching.screens.terminal import full_screen
    from bullring.cli.play.debug import DebugWish, Speaker, listening, seated
    from bullring.cli.play.opened import opened, until_interrupted
    from bullring.cli.signals import play


@dataclass(frozen=True)
class Plan:
    """The matches to play, and how."""

    game: Game[Any]
    bots: list[Bot]
    seed: str | None
    settings: Settings
    wish: Wish
    record: Path | None
    overwrite: bool
    matches: int
    watch: bool
    pace: float
    """The time of one step that people see, in seconds."""
    as_json: bool
    attached: dict[Bot, int]
    """The ports of the bots that a person starts."""
    overheard: list[int]
    """The seats, in the first match, of the bots whose stderr is shown at once."""
    speaker: Speaker
    shown: Path | None = None
    """The record that a browser is shown."""

    @property
    def shown_on(self) -> TextIO:
        """The stream on which matches are shown."""
        return sys.stderr if self.as_json else sys.stdout


@click.command(name="match")
@click.argument("bots", nargs=-1, metavar="BOT BOT...", type=BOT)
@game_option
@option_option
@deals_option
@target_option
@click.option(
    "--start",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="SEAT",
    help="The starting seat, in games where it matters.",
)
@seed_option
@time_option
@config_option
@click.option("--record", type=PATH, help="Write the record to this file (with --matches, to a folder).")
@click.option("--overwrite", is_flag=True, help="Let --record replace records that exist.")
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    help="Play this many matches, rotating the seats.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Show the table on the whole terminal, or as lines of text where there is none.",
)
@click.option(
    "--open",
    "in_browser",
    is_flag=True,
    help="Open the match in a browser: as it is played, and its replay until Ctrl-C.",
)
@click.option(
    "--pace",
    type=Duration(zero=True),
    help=f"With --watch on a terminal, the time of one step: a reveal, a card, a row that falls. The match does not wait for it;"
    f" 0 shows each step at once. Default: {PACE * 1000:.0f}ms.",
)
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per match.")
@debug_options
@sandbox_options
def command(
    bots: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    deals: str | None,
    target: str | None,
    start: int,
    seed: str | None,
    times: tuple[str, ...],
    config: Path | None,
    record: Path | None,
    overwrite: bool,
    matches: int,
    watch: bool,
    in_browser: bool,
    pace: float | None,
    as_json: bool,
    debug: DebugWish,
    sandbox: SandboxWish,
) -> int:
    """Play matches between bots.

    The bots take their seats in the order given. A BOT is @NAME for a built-in one (`bullring bots --builtin` lists them), a folder
    with a bot.toml, or a command line in quotes.
    """
    if in_browser and (watch or matches > 1):
        raise click.UsageError("--open shows one match, and goes with neither --watch nor --matches")
    settings = load_settings(config, times)
    if debug.no_clock:
        settings = replace(settings, limits=replace(settings.limits, binding=False))
    places = debug.places(len(bots))
    seats = len(bots) + len(places)
    if not seats:
        raise click.UsageError("give the bots that play, such as: bullring match @greedy @random")
    table = _game(TableWish(game, seats, options), seats, deals, target, start)
    entrants, attached = seated([settings.admit(load(text)) for text in bots], places)
    if seed is not None:
        Seed.given(seed)
    named = told_apart(entrants)
    ports = {bot: attached[entrant] for bot, entrant in zip(named, entrants, strict=True) if entrant in attached}
    plan = Plan(
        game=table,
        bots=named,
        seed=seed,
        settings=settings,
        wish=sandbox.over(settings),
        record=record,
        overwrite=overwrite,
        matches=matches,
        watch=watch,
        pace=PACE if pace is None else pace,
        as_json=as_json,
        attached=ports,
        overheard=debug.overheard(named, ports),
        speaker=Speaker(),
    )
    return _play(plan, in_browser=in_browser)


def _game(table: TableWish, seats: int, deals: str | None, target: str | None, start: int) -> Game[Any]:
    given = table.lasting(deals=deals, target=target)
    if "deals" in given and "target" in given:
        raise OptionError("a match ends after a number of deals or at a target, not both; give one of them")
    if start >= seats:
        raise SeatsError(f"--start must be a seat from 0 to {seats - 1}, not {start}")
    return table.kind()(seats, given, start)


def _play(plan: Plan, *, in_browser: bool) -> int:
    """Play all matches of the plan and print the results. Returns the exit code."""
    _spare(plan)
    calm_the_collector()
    reports: list[Report] = []

    async def main() -> None:
        await _play_all(plan, reports)

    with ExitStack() as stack:
        if in_browser:
            plan = replace(plan, shown=_in_browser(plan, stack))
        interrupted = play(main)
        code = _told(plan, reports, interrupted)
        if in_browser and not interrupted:
            until_interrupted()
    return code


def _in_browser(plan: Plan, stack: ExitStack) -> Path:
    """Open the match in a browser. Returns the file of its record, which is removed unless it was asked for."""
    record = plan.record or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bullring-"))) / "match.jsonl"
    create(record).close()
    stack.enter_context(opened(record))
    return record


def _told(plan: Plan, reports: list[Report], interrupted: int) -> int:
    """Print the results. Returns the exit code."""
    if not plan.as_json:
        _print_end(plan, reports)
    elif plan.watch and full_screen(plan.shown_on):  # not before, because both may be on one terminal
        for report in reports:
            _print_facts(report)
    if interrupted:
        click.echo(
            f"bullring: interrupted after {counted(len(reports), 'finished match', 'finished matches')}", err=True
        )
        return interrupted
    if all(report.result.void for report in reports):
        return FAILED
    return BOT_AT_FAULT if any(seat.faults for report in reports for seat in report.result.seats) else DONE


def _spare(plan: Plan) -> None:
    """Find out before anything is started whether the records can be written. Raises `RecordError`, `WriteError`."""
    if plan.record is None:
        return
    folder = plan.record.parent if plan.matches == 1 else plan.record
    if plan.matches > 1:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise WriteError(f"{folder} is a file; with --matches, give --record a folder") from None
        except OSError as error:
            raise WriteError(f"the folder {folder} cannot be made: {error.strerror or error}") from None
    if not folder.is_dir():
        raise WriteError(f"the folder {folder} does not exist, so no record can be written to it; make it first")
    if plan.matches == 1 and plan.record.is_dir():
        raise WriteError(f"{plan.record} is a folder; give --record a file, or play several --matches")
    for number in range(plan.matches):
        path = _record(plan, number)
        if path is not None and path.is_file() and (beginning := _beginning(path)):
            if beginning != RECORD_START:
                raise RecordError(f"{path} exists and is not a record, so it is not overwritten; give --record another")
            if not plan.overwrite:
                raise RecordError(f"{path} holds the record of a match; give --record another, or add --overwrite")


def _beginning(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(RECORD_START))
    except OSError as error:
        raise WriteError(f"{path}: the record cannot be written: {error.strerror or error}") from None


def _record(plan: Plan, number: int) -> Path | None:
    """The file for the record of match `number`, from 0."""
    if plan.record is None or plan.matches == 1:
        return plan.record
    return plan.record / f"match-{number + 1:0{len(str(plan.matches))}}.jsonl"


async def _play_all(plan: Plan, reports: list[Report]) -> None:
    owner = Owner(hidden=() if plan.record is None else (plan.record,))
    async with AsyncExitStack() as stack:
        programs = await stack.enter_async_context(open_sandbox(plan.wish, owner))
        click.echo(told_of(programs), err=True)
        if not plan.settings.limits.binding:
            click.echo("no clock: bots are told the limits, but they are not enforced", err=True)
        sandbox = await stack.enter_async_context(doors_for(programs, plan.attached, plan.speaker.say))
        bots = await built_here(plan.bots, programs, plan.settings.build)
        plan = replace(plan, bots=bots)
        heard = [(seat, bots[seat]) for seat in plan.overheard]
        hears = stack.enter_context(listening(heard, plan.speaker))
        pool = await stack.enter_async_context(open_pool(plan.settings.limits, sandbox, hears=hears))
        with doing("preparing the bots"):
            for bot in bots:
                await pool.prepare(bot)
        shown = await stack.enter_async_context(_shown(plan)) if plan.watch else None
        if shown is not None:
            stack.enter_context(unshown())
        work = stack.enter_context(doing("playing", plan.matches if plan.matches > 1 else 0))
        for work.done in range(plan.matches):
            number = work.done
            report = await _play_one(plan, pool, number, shown)
            reports.append(report)
            if plan.as_json and (shown is None or not shown.watching.on_screen):
                _print_facts(report)
        if shown is not None:
            shown.watching.finish()
            while shown.watching.code is None:
                await trio.sleep(POLL)


@dataclass(frozen=True)
class _Shown:
    """The screen that shows matches, and the folder for records that are not kept."""

    watching: Watching
    folder: Path


@asynccontextmanager
async def _shown(plan: Plan) -> AsyncIterator[_Shown]:
    """Show matches until the context is left, or until the viewer quits."""
    with (
        tempfile.TemporaryDirectory(prefix="bullring-") as folder,
        watching(plan.pace, plan.shown_on) as screen,
        plan.speaker.beside(screen),
    ):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_heed, screen)
            yield _Shown(screen, Path(folder))
            nursery.cancel_scope.cancel()


async def _heed(screen: Watching) -> None:
    """Wait until the viewer has quit. A screen takes Ctrl-C as a key: then interrupt us, too."""
    while screen.code is None:
        await trio.sleep(POLL)
    if not screen.on_screen or screen.finished:
        return
    if screen.code == INTERRUPTED:
        signal.raise_signal(signal.SIGINT)
    else:
        click.echo("the match goes on without being watched; Ctrl-C ends it", err=True)


def _print_facts(report: Report) -> None:
    click.echo(json.dumps(report.facts()))


async def _play_one(plan: Plan, pool: Pool, number: int, shown: _Shown | None) -> Report:
    turn = number % len(plan.bots)
    bots = plan.bots[-turn:] + plan.bots[:-turn]
    spec = MatchSpec(
        game=plan.game,
        names=[bot.name for bot in bots],
        seed=_seed(plan, number),
        limits=plan.settings.limits,
        pulse=shown.watching.thinking if shown is not None and shown.watching.on_screen else None,
        began=now(),
        version=VERSION,
        notes=notes_of(pool.sandbox, plan.settings.limits),
    )
    last = number == plan.matches - 1
    record = _record(plan, number)
    if shown is None or shown.watching.code is not None:
        report = await play_match(
            pool, bots, spec, record or plan.shown, flush_every=0.0 if plan.shown else 0.5, last=last
        )
        report.record = record
        return report
    path = record or shown.folder / f"match-{number + 1}.jsonl"
    create(path).close()  # empty the file first, so that an old record is not shown
    title = say("live.match", number=number + 1, count=plan.matches) if plan.matches > 1 else ""
    shown.watching.show(path, title, remove=record is None)
    report = await play_match(pool, bots, spec, path, flush_every=0.0, last=last)
    report.record = record
    return report


def _seed(plan: Plan, number: int) -> Seed:
    if plan.seed is None:
        return Seed.draw()
    return Seed.given(plan.seed if plan.matches == 1 else f"{plan.seed}.{number + 1}"[-64:])


def _print_end(plan: Plan, reports: list[Report]) -> None:
    console = Console()
    if len(reports) == 1:
        console.print(result_table(reports[0].facts()))
        if reports[0].sheet is not None and (not plan.watch or full_screen(plan.shown_on)):  # else it was told already
            console.print(sheet_of(reports[0].spec.names, reports[0].sheet, console.width))
    elif reports:
        console.print(summary_table([bot.name for bot in plan.bots], [report.facts() for report in reports]))
    for number, report in enumerate(reports, 1):
        facts = report.facts()
        if facts["void"]:
            click.echo(f"match {number} is void: {facts['void_reason']}")
        for seat in facts["seats"]:
            for fault in seat["faults"]:
                for line in fault_lines(seat["bot"], fault):
                    click.echo(line.removeprefix("    "))
    if len(reports) == 1:
        click.echo(f"seed {reports[0].spec.seed.seed}")
        if reports[0].record:
            click.echo(f"record {reports[0].record}")
        logs = {
            seat: text for seat, text in enumerate(reports[0].logs) if reports[0].record or seat not in plan.overheard
        }
        for line in log_hints(logs, reports[0].record):
            click.echo(line)
