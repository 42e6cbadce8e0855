"""`bullring analyse`: what each decision of a recorded match cost."""

import sys
from pathlib import Path

import click
from rich.console import Console

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.registry import find
from bullring.arena.match.records.reader import read_lines
from bullring.arena.study.analysis.result import Analysis, Choice
from bullring.arena.watching.display.analysis import account_table, choice_line, method_lines, option_table
from bullring.cli.recorded import match_home_option, record_argument, recorded
from bullring.cli.study.analysing import AnalysisWish, analysed, analysis_options, print_choice
from bullring.cli.support.verify import naming
from bullring.errors import RecordError, SeatsError


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    file: Path, home: Path | None, wish: AnalysisWish, worst: int, every: bool, seat: int | None, as_json: bool
) -> None:
    """Find out what each decision of a recorded match cost, by playouts.

    For each decision: the heads that every option was expected to take by what the seat knew. For each bot: what a move cost
    on average, and what its result is made of: heads = par + luck of the deal + luck of what others played + edge (what the
    best options gain) + mistakes. `bullring docs analysis` explains every number. The analysis is kept beside the record, or in
    the home if the record is there; `bullring replay` shows it.
    """
    file, place = recorded(file, home)
    try:
        analysis = analysed(place, read_lines(file), wish)
    except RecordError as error:
        raise naming(file, error) from None
    if seat is not None and seat >= len(analysis.accounts):
        raise SeatsError(f"--seat must be a seat from 0 to {len(analysis.accounts) - 1}, not {seat}")
    if as_json:
        click.echo(analysis.model_dump_json())
        return
    console = Console()
    console.print(account_table([account for account in analysis.accounts if seat in (None, account.seat)]))
    if every:
        for choice in analysis.choices:
            if seat in (None, choice.seat):
                print_choice(console, choice, _line(analysis, choice))
                console.print(option_table(choice))
    else:
        _print_worst(console, analysis, worst, seat)
    for line in method_lines(analysis):
        click.echo(line)


def _print_worst(console: Console, analysis: Analysis, count: int, seat: int | None) -> None:
    found = [choice for choice in analysis.worst(sys.maxsize) if seat in (None, choice.seat)][:count]
    if found:
        click.echo("the costliest decisions:")
    for choice in found:
        print_choice(console, choice, _line(analysis, choice))
    if found:
        click.echo()


def _line(analysis: Analysis, choice: Choice) -> str:
    name = f"{choice.seat} {harmless(analysis.accounts[choice.seat].name, 24)}"
    return choice_line(choice, find(analysis.game), name)
