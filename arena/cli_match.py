"""`bullring match`: from a plan to played matches, shown as the user wants to see them."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any

import click
import trio
from rich.console import Console

from arena import __version__
from arena.bots.manifest import Bot, BotError
from arena.cli_errors import first_error
from arena.match import MatchSpec
from arena.record import RECORD_START
from arena.replay import RecordError
from arena.rules.game import Game
from arena.runner import Report, calm_the_collector, open_private, run_match
from arena.sandbox.cell import HostError
from arena.sandbox.choice import SandboxError, Wish, open_sandbox, told_of
from arena.seats.pool import Pool, open_pool
from arena.seeds import Seed
from arena.settings import Settings
from arena.view.parts import sheet_table
from arena.view.plain import fault_lines
from arena.view.result import result_table, summary_table

DONE, FAILED, BOT_AT_FAULT, INTERRUPTED = 0, 1, 3, 130

_VIEW_GRACE = 5.0
"""Seconds the view may take to draw the end of a match."""


@dataclass(frozen=True)
class MatchPlan:
    """What the user asked for."""

    game: Game[Any]
    bots: list[Bot]
    seed: str | None
    settings: Settings
    wish: Wish
    record: Path | None
    matches: int
    watch: bool
    pace: float
    as_json: bool


def run_plan(plan: MatchPlan) -> int:
    """Play all matches of the plan and print what came of them. Returns the exit code."""
    _spare(plan)
    calm_the_collector()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup keeps us from hearing it
            signal.signal(number, signal.default_int_handler)
    reports: list[Report] = []
    interrupted = False
    if plan.record is not None and plan.matches > 1:
        plan.record.mkdir(parents=True, exist_ok=True)
    try:
        trio.run(_play_all, plan, reports)
    except KeyboardInterrupt:
        interrupted = True
    except BaseExceptionGroup as group:
        first = first_error(group)
        if isinstance(first, OSError | SandboxError | HostError | BotError):
            raise first from None
        if not isinstance(first, KeyboardInterrupt):
            raise
        interrupted = True
    if not plan.as_json:
        _print_end(plan, reports)
    if interrupted:
        click.echo(f"bullring: interrupted after {len(reports)} finished matches", err=True)
        return INTERRUPTED
    if all(report.result.void for report in reports):
        return FAILED
    at_fault = any(seat.faults for report in reports for seat in report.result.seats)
    return BOT_AT_FAULT if at_fault else DONE


def _spare(plan: MatchPlan) -> None:
    """Overwrite nothing but records. Raises `RecordError`."""
    path = plan.record
    if path is None or plan.matches > 1 or not path.is_file():
        return
    with path.open("rb") as file:
        beginning = file.read(len(RECORD_START))
    if beginning not in (b"", RECORD_START):
        raise RecordError(f"{path} exists and is no record, so it is not overwritten; name another file")


async def _play_all(plan: MatchPlan, reports: list[Report]) -> None:
    masked = [plan.record] if plan.record is not None else []
    async with (
        open_sandbox(plan.wish) as sandbox,
        open_pool(plan.settings.limits, sandbox, mask=masked) as pool,
    ):
        click.echo(told_of(sandbox, wished_frozen=plan.wish.freeze), err=True)
        for bot in plan.bots:
            await pool.prepare(bot)
        for number in range(plan.matches):
            report = await _play_one(plan, pool, number)
            reports.append(report)
            if plan.as_json:
                click.echo(json.dumps(report.facts()))


async def _play_one(plan: MatchPlan, pool: Pool, number: int) -> Report:
    bots = plan.bots[-(number % len(plan.bots)) :] + plan.bots[: -(number % len(plan.bots))]
    spec = MatchSpec(
        game=plan.game,
        names=[bot.name for bot in bots],
        seed=_seed(plan, number),
        limits=plan.settings.limits,
        pace=plan.pace,
        began=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        notes={"sandbox": pool.sandbox.tier.value, "freeze": pool.sandbox.freeze},
    )
    last = number == plan.matches - 1
    record = plan.record
    if record is not None and plan.matches > 1:
        record = record / f"match-{number + 1:0{len(str(plan.matches))}}.jsonl"
    if not plan.watch:
        return await run_match(pool, bots, spec, record, last=last)
    with _view(plan, record) as (path, view):
        report = await run_match(pool, bots, spec, path, flush_every=0.0, last=last)
        with trio.move_on_after(_VIEW_GRACE):
            while view.poll() is None:
                await trio.sleep(0.01)
    report.record = record
    return report


def _seed(plan: MatchPlan, number: int) -> Seed:
    if plan.seed is None:
        return Seed.draw()
    return Seed.given(plan.seed if plan.matches == 1 else f"{plan.seed}.{number + 1}"[-64:])


@contextmanager
def _view(plan: MatchPlan, record: Path | None) -> Iterator[tuple[Path, "subprocess.Popen[bytes]"]]:
    """The live view in its own process, following the record (or a temporary one)."""
    with tempfile.TemporaryDirectory(prefix="bullring-") as folder:
        path = record or Path(folder) / "match.jsonl"
        # Empty before the view looks: it must not take an old record for the match.
        FileIO(path, "w", opener=open_private).close()
        out = sys.stderr if plan.as_json else sys.stdout
        command = [sys.executable, "-m", "arena.view.live", str(path.resolve())]
        view = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out)
        try:
            yield path, view
        finally:
            assert view.stdin is not None
            view.stdin.close()
            try:
                view.wait(_VIEW_GRACE)
            except subprocess.TimeoutExpired:
                view.kill()
                view.wait()


def _print_end(plan: MatchPlan, reports: list[Report]) -> None:
    console = Console()
    if len(reports) == 1:
        console.print(result_table(reports[0].facts()))
        if reports[0].sheet is not None and not plan.watch:  # the view has shown it
            console.print(sheet_table(reports[0].spec.names, reports[0].sheet))
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
    if len(reports) == 1 and not plan.as_json:
        click.echo(f"seed {reports[0].spec.seed.seed}")
        if reports[0].record:
            click.echo(f"record {reports[0].record}")
