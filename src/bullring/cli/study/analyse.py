"""`bullring analyse`: find out what each decision of a recorded match cost; and the parts that other commands use."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bullring.arena.study.analysis import ENGINE_PLAYOUTS, ERROR, PLAYOUTS, POLICIES, POLICY
from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import language_option, together
from bullring.cli.recorded import match_home_option, record_argument
from bullring.cli.values import Number
from bullring.errors import RecordError, SeatsError, WriteError

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rulebook.language import say
    from bullring.arena.games.rules.registry import find
    from bullring.arena.match.records.reader import Lines, read_lines
    from bullring.arena.study.analysis.kept import current, keep
    from bullring.arena.study.analysis.result import Analysis, Choice, Method
    from bullring.arena.study.reasons import Facts
    from bullring.arena.watching.display.analysis import (
        STYLES,
        account_table,
        choice_line,
        method_lines,
        option_table,
        reason_lines,
    )
    from bullring.arena.watching.picture.reducer import Reducer
    from bullring.arena.watching.picture.turning import turning_points
    from bullring.cli.progress import long_work
    from bullring.cli.recorded import naming, recorded


@dataclass(frozen=True)
class AnalysisWish:
    """The options of an analysis."""

    policy: str = POLICY
    error: float = ERROR
    playouts: int = PLAYOUTS
    engine_playouts: int = ENGINE_PLAYOUTS
    seed: int = 0
    fresh: bool = False
    """Do not read or write kept analyses."""

    @property
    def method(self) -> Method:
        return Method(
            policy=self.policy,
            error=self.error,
            playouts=self.playouts,
            engine_playouts=self.engine_playouts,
            seed=self.seed,
        )


_NUMBERS: tuple[tuple[str, click.ParamType[Any], float, str, str], ...] = (
    (
        "--error",
        Number(0.02, 100),
        ERROR,
        "HEADS",
        "Play out each decision until its standard errors are at most this.",
    ),
    ("--playouts", click.IntRange(2, 1_000_000), PLAYOUTS, "N", "Play out no option more often than this."),
    (
        "--engine-playouts",
        click.IntRange(2, 1_000_000),
        ENGINE_PLAYOUTS,
        "N",
        "With the slow rules engine, this many for all options of a decision together, whatever the errors.",
    ),
    ("--seed", click.IntRange(0, (1 << 62) - 1), 0, "NUMBER", "The seed of the playouts, which makes them repeatable."),
)

analysis_options = together(
    "wish",
    AnalysisWish,
    click.option(
        "--policy",
        type=click.Choice(POLICIES),
        default=POLICY,
        show_default=True,
        help="The policy of all seats in the playouts.",
    ),
    *(
        click.option(flag, type=kind, default=default, show_default=True, metavar=metavar, help=text)
        for flag, kind, default, metavar, text in _NUMBERS
    ),
    click.option("--fresh", is_flag=True, help="Analyse anew, and keep nothing."),
)


def analysed(place: Path, lines: Lines, wish: AnalysisWish) -> Analysis:
    """The analysis of a record that is kept in `place` if it was made in the same way, or else a new one, which is then kept.

    Raises `RecordError`.
    """
    from bullring.arena.games.playouts.simulated import covered
    from bullring.arena.study.analysis.analyser import analyse  # numpy takes time to import

    if not wish.fresh and (found := current(place, lines, wish.method)) is not None:
        return found
    decisions = sum(len(entry.get("answers", ())) for entry in lines.each())
    with long_work("analysing the match") as tell:
        analysis = analyse(lines, wish.method, lambda done: tell("decisions analysed", done, decisions))
    if covered(find(analysis.game)) and not analysis.simulated:
        click.echo(
            "bullring: to analyse faster, and with better play in the playouts: pip install 'bullring[fast]'", err=True
        )
    if not wish.fresh:
        try:
            keep(place, analysis)
        except WriteError as error:
            complain(f"the analysis is not kept: {error}")
    return analysis


def painted(mark: str, text: str) -> str:
    """A text in the colour of a mark."""
    return click.style(text, fg=STYLES[mark]) if mark in STYLES else text


def print_choice(console: Console, choice: Choice, text: str) -> None:
    """Print a line about a decision in the colour of its mark; broken between words where a terminal is too narrow."""
    console.print(Text(text, style=STYLES.get(choice.mark, "")), soft_wrap=not console.is_terminal)


@click.command(name="analyse")
@record_argument
@match_home_option
@analysis_options
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="Print the N costliest decisions.",
)
@click.option("--all", "every", is_flag=True, help="Print every decision with what each option was expected to take.")
@click.option("--seat", type=click.IntRange(0), metavar="SEAT", help="Only the decisions of this seat.")
@language_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path, home: Path | None, wish: AnalysisWish, worst: int, every: bool, seat: int | None, as_json: bool
) -> None:
    """Find out what each decision of a recorded match cost, by playouts.

    For each decision: the heads that every option was expected to take, by the knowledge of the seat. For each bot: the mean cost
    of a move, and the parts of its result: heads = par + luck of the deal + luck of others' cards + edge + mistakes (see
    `bullring docs analysis`). The analysis is kept beside the record, or in the home; `bullring replay` shows it.
    """
    file, place = recorded(file, home)
    try:
        lines = read_lines(file)
        analysis = analysed(place, lines, wish)
    except RecordError as error:
        raise naming(file, error) from None
    if seat is not None and seat >= len(analysis.accounts):
        raise SeatsError(f"--seat must be a seat from 0 to {len(analysis.accounts) - 1}, not {seat}")
    if as_json:
        click.echo(analysis.model_dump_json())
        return
    console = Console()
    console.print(account_table([account for account in analysis.accounts if seat in (None, account.seat)]))
    facts, game = Facts(lines), find(analysis.game)
    if every:
        for choice in analysis.choices:
            if seat in (None, choice.seat):
                print_choice(console, choice, _line(analysis, choice))
                console.print(option_table(choice, game, facts.all(choice)))
    else:
        _print_worst(console, analysis, worst, seat, facts)
    _print_turning(console, analysis, lines)
    for text in method_lines(analysis):
        click.echo(text)


def _print_worst(console: Console, analysis: Analysis, count: int, seat: int | None, facts: Facts) -> None:
    found = [choice for choice in analysis.worst(sys.maxsize) if seat in (None, choice.seat)][:count]
    if found:
        click.echo(say("story.cost.costliest"))
    for choice in found:
        print_choice(console, choice, _line(analysis, choice))
        for line in reason_lines(choice, find(analysis.game), facts.apart(choice)):
            console.print(Text(line, style="dim"), soft_wrap=not console.is_terminal)
    if found:
        click.echo()


def _print_turning(console: Console, analysis: Analysis, lines: Lines) -> None:
    reducer = Reducer()
    frames = [frame for entry in lines.each() for frame in reducer.feed(entry)]
    found = list(turning_points(analysis, frames))
    if found:
        click.echo(say("story.turning"))
    for point, told in found:
        console.print(
            Text(say("story.turning_point", deal=point.deal, turn=point.turn, what=" ".join(told))),
            soft_wrap=not console.is_terminal,
        )
    if found:
        click.echo()


def _line(analysis: Analysis, choice: Choice) -> str:
    name = f"{choice.seat} {harmless(analysis.accounts[choice.seat].name, 24)}"
    return choice_line(choice, find(analysis.game), name)
