"""`bullring ladder history`: the course of ratings."""

import json
from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import opened
from bullring.cli.ladder.plotting import PICTURES, free, plot_options, wished
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.tables import history_table

POINTS = 40
"""Points of a course in a plot."""

USUAL = 5
"""Bots that are plotted if none are named."""


@click.command(name="history")
@click.argument("bots", nargs=-1, metavar="[BOT]...", type=LADDER_BOT)
@table_options
@home_option
@plot_options
def command(
    bots: tuple[str, ...],
    table: TableWish,
    home: Path | None,
    format_: str | None,
    as_json: bool,
    output: Path | None,
    overwrite: bool,
) -> None:
    """Plot how ratings went, or print them.

    Each point is the rating after a number of matches of the list, as it would have been published then, with its 95 %
    interval. Without a BOT, the five best are shown. The anchor's rating is always the same, so no plot shows it.
    """
    console = Console()
    wish = wished(format_, output, as_json=as_json, console=console)
    target = free(output, overwrite=overwrite) if output is not None else None
    _, store, list_ = opened(home, table)
    standings = Standings(store, list_)
    chosen = _chosen(bots, store, standings, several=wish in ("plot", *PICTURES))
    if wish == "json":
        facts = {row.name: standings.history(row.id) for row in chosen}
        click.echo(json.dumps(facts if len(chosen) > 1 else facts[chosen[0].name], indent=2))
        return
    anchor = standings.anchor_name
    if wish == "table":
        for number, row in enumerate(chosen):
            if len(chosen) > 1:
                console.print(f"{chr(10) * (number > 0)}{row.name}", markup=False, highlight=False)
            if row.name == anchor:
                click.echo(_fixed(anchor))
            else:
                console.print(history_table(standings.history(row.id)))
        return
    _plot([row for row in chosen if row.name != anchor], anchor, standings, target, wish, console)


def _plot(
    chosen: list[BotRow], anchor: str, standings: Standings, target: Path | None, wish: str, console: Console
) -> None:
    from bullring.ladder.watching.display.figures import COLOURS, course_figure
    from bullring.ladder.watching.display.plots import MOST, Course, course_plot  # plotext takes time to import

    if not chosen:
        raise LadderError(f"{_fixed(anchor)}; name other bots")
    most = MOST if wish == "plot" else len(COLOURS)
    if len(chosen) > most:
        raise LadderError(f"this shows at most {most} bots, whose lines can be told apart; name fewer")
    courses = [Course.of(row.name, standings.history(row.id, POINTS)) for row in chosen]
    if not any(course.points for course in courses):
        raise LadderError(f"{', '.join(row.name for row in chosen)} played no match of this list")
    note = _fixed(anchor)
    if target is not None:
        course_figure(courses, standings.list.title, target, wish)
        click.echo(f"{target}: {note}")
        return
    console.print(standings.list.title, markup=False, highlight=False)
    for line in course_plot(courses, console.width, console.height - 3, colours=not console.no_color):
        console.print(line, no_wrap=True, crop=True, highlight=False)
    click.echo(note)


def _chosen(names: tuple[str, ...], store: Store, standings: Standings, *, several: bool) -> list[BotRow]:
    """The bots that are named, or the best."""
    if names:
        return [store.bot(name) for name in dict.fromkeys(names)]
    best = [row.bot for row in standings.rows() if row.matches and not (several and row.anchor)][:USUAL]
    if not best:
        raise LadderError("nobody has played a match of this list yet")
    return [store.bot(name) for name in best]


def _fixed(anchor: str) -> str:
    return f"{anchor} is the anchor: its rating is 1500, and others are measured from it"
