"""`bullring ladder history` and `pairs`: the courses of ratings and the results of pairs, plotted or printed."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import PATH, TableWish, home_option, table_options, together
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError, WriteError

with late():
    from rich.console import Console

    from bullring.cli.comma_separated import comma_separated
    from bullring.cli.ladder.chosen import opened
    from bullring.ladder.standings.history import Point
    from bullring.ladder.standings.lines import lines_of
    from bullring.ladder.standings.standings import Standings
    from bullring.ladder.store.rows import BotRow
    from bullring.ladder.store.store import Store
    from bullring.ladder.watching.display.tables import history_table, pairs_table


POINTS = 40
"""Points of a course in a plot."""

USUAL = 5
"""Bots that are plotted if none are named."""

FORMATS = ("plot", "table", "csv", "json", "svg", "png")

PICTURES = ("svg", "png")
"""Formats that go to a file."""

_BEGINNINGS = (b"<?xml", b"<svg", b"\x89PNG")

_NOTHING = "no match of this list has been played yet"


@dataclass(frozen=True)
class PlotWish:
    """The format and the file that were asked for."""

    format_: str | None
    as_json: bool
    output: Path | None
    overwrite: bool

    def format(self, console: Console) -> str:
        """The format that is meant. Raises `UsageError` if the options do not fit each other, and `WriteError`."""
        if self.as_json and self.format_ not in (None, "json"):
            raise click.UsageError("give either --json or --format")
        if self.format_ in PICTURES and self.output is None:
            raise click.UsageError(f"--format {self.format_} needs --output FILE")
        if self.output is not None:
            if self.format_ not in PICTURES:
                raise click.UsageError("--output is for --format svg or png")
            _must_be_free(self.output, overwrite=self.overwrite)
        if self.as_json:
            return "json"
        return self.format_ or ("plot" if console.is_terminal and not console.is_dumb_terminal else "table")


plot_options = together(
    "wish",
    PlotWish,
    click.option(
        "--format",
        "format_",
        type=click.Choice(FORMATS),
        help="How to print it: svg and png need `pip install 'bullring[plots]'`.  [default: plot on a terminal, else table]",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print JSON; short for --format json."),
    click.option("--output", type=PATH, metavar="FILE", help="Write a picture (svg, png) to this file."),
    click.option("--overwrite", is_flag=True, help="Let --output replace a picture that exists."),
)


def _must_be_free(output: Path, *, overwrite: bool) -> None:
    """Raise `WriteError` if a picture may not be written to this file."""
    if not output.parent.is_dir():
        raise WriteError(f"the folder {output.parent} does not exist; make it first")
    if not output.exists():
        return
    if not output.is_file():
        raise WriteError(f"{output} is not a file; give --output another name")
    with output.open("rb") as file:
        beginning = file.read(5)
    if beginning and not beginning.startswith(_BEGINNINGS):
        raise WriteError(f"{output} exists and is not a picture, so it is not overwritten; give --output another name")
    if beginning and not overwrite:
        raise WriteError(f"{output} exists; give --output another name, or add --overwrite")


@click.command(name="history")
@click.argument("bots", nargs=-1, metavar="[BOT]...", type=LADDER_BOT)
@table_options
@home_option
@plot_options
def history(bots: tuple[str, ...], table: TableWish, home: Path | None, wish: PlotWish) -> None:
    """Plot the course of ratings, or print it.

    Each point is the rating after a number of matches of the list, as it was known then, with its 95 % interval against the mean of
    the list, the number of the last match, and when that ended. Without a BOT, the five best are shown.
    """
    console = Console()
    format_ = wish.format(console)
    _, store, list_ = opened(home, table)
    standings = Standings(store, list_)
    chosen = _chosen(bots, store, standings)
    if format_ in ("csv", "json"):
        points = standings.histories([row.name for row in chosen])
        facts = {row.name: [vars(point) for point in own] for row, own in zip(chosen, points, strict=True)}
        if format_ == "json":
            click.echo(json.dumps(facts if len(chosen) > 1 else facts[chosen[0].name], indent=2))
        else:
            rows = [{"bot": bot, **point} for bot, own in facts.items() for point in own]
            click.echo(comma_separated(rows, ["bot", *(field.name for field in fields(Point))]), nl=False)
        return
    if format_ == "table":
        for number, row in enumerate(chosen):
            if len(chosen) > 1:
                console.print(f"{chr(10) * (number > 0)}{row.name}", markup=False, highlight=False)
            console.print(history_table(standings.history(row.id)))
        return
    _plot(chosen, standings, wish.output, format_, console)


def _plot(chosen: list[BotRow], standings: Standings, target: Path | None, format_: str, console: Console) -> None:
    from bullring.ladder.watching.display.figures import COLOURS, course_figure
    from bullring.ladder.watching.display.plots import MOST, Course, course_plot  # plotext takes time to import

    most = MOST if format_ == "plot" else len(COLOURS)
    if len(chosen) > most:
        raise LadderError(f"this shows at most {most} bots, whose lines can be told apart; name fewer")
    courses = [Course.of(row.name, standings.history(row.id, POINTS)) for row in chosen]
    if not any(course.points for course in courses):
        raise LadderError(f"{', '.join(row.name for row in chosen)} played no match of this list")
    if target is not None:
        course_figure(courses, standings.list.title, target, format_)
        click.echo(target)
        return
    console.print(standings.list.title, markup=False, highlight=False)
    for line in course_plot(courses, console.width, console.height - 3, colours=not console.no_color):
        console.print(line, no_wrap=True, crop=True, highlight=False)


def _chosen(names: tuple[str, ...], store: Store, standings: Standings) -> list[BotRow]:
    """The named bots, or else the best."""
    if names:
        return [store.bot(name) for name in dict.fromkeys(names)]
    best = [row.bot for row in standings.rows() if row.matches][:USUAL]
    if not best:
        raise LadderError(_NOTHING)
    return [store.bot(name) for name in best]


@click.command(name="pairs")
@table_options
@home_option
@plot_options
def pairs(table: TableWish, home: Path | None, wish: PlotWish) -> None:
    """Show the results of each pair of bots as a map, or print them.

    For each pair: the bot's share of points against the other; the table adds the number of their matches.
    """
    console = Console()
    format_ = wish.format(console)
    _, store, list_ = opened(home, table)
    standings = Standings(store, list_)
    found = standings.pairs()
    if format_ == "json":
        click.echo(json.dumps(found, indent=2))
        return
    bots = [line.row.bot for line in lines_of(standings.rows()) if line.row.matches]
    if not bots and format_ != "table":
        raise LadderError(_NOTHING)
    if format_ == "csv":
        click.echo(comma_separated(found, list(found[0])), nl=False)
        return
    if wish.output is not None:
        from bullring.ladder.watching.display.figures import pairs_figure  # matplotlib takes time to import

        pairs_figure(bots, found, list_.title, wish.output, format_)
        click.echo(wish.output)
        return
    console.print(list_.title, markup=False, highlight=False)
    if format_ == "table":
        console.print(pairs_table(bots, found))
        return
    from bullring.ladder.watching.display.plots import pairs_map  # plotext takes time to import

    for line in pairs_map(bots, found, console.width):
        console.print(line, highlight=False)
