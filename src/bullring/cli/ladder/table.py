"""`bullring ladder table`: print the standings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bullring.cli.late import late
from bullring.cli.options import TableWish, home_option, language_option, metrics_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rulebook.language import say
    from bullring.cli.comma_separated import comma_separated
    from bullring.cli.ladder.chosen import which_list, which_lists
    from bullring.ladder.gauge.house_rating import with_house
    from bullring.ladder.standings.columns import Row, facts_of
    from bullring.ladder.standings.machines import played_on
    from bullring.ladder.standings.overall import Overall
    from bullring.ladder.standings.ratings import Ratings
    from bullring.ladder.standings.standings import Standings
    from bullring.ladder.standings.titles import plain_title
    from bullring.ladder.store.home import Home
    from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table


@click.command(name="table")
@table_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["table", "csv", "json", "markdown"]),
    default="table",
    show_default=True,
    help="How to print it.",
)
@click.option(
    "--anchor",
    metavar="BOT",
    type=LADDER_BOT,
    help="Give this bot the rating 1500, which only moves the zero. Default: the anchor of `run`, or the mean of the list.",
)
@click.option(
    "--class",
    "class_",
    metavar="CLASS",
    help="Rate only the matches that were played on machines of this class; `here` are those without a cluster.",
)
@click.option(
    "--overall",
    is_flag=True,
    help="Show one rating over all lists of the home that fit the other options: every game counts the same.",
)
@click.option("--versions", is_flag=True, help="Show all versions of each bot; by default, one line a bot.")
@language_option
@metrics_option
@home_option
def command(
    table: TableWish,
    format_: str,
    anchor: str | None,
    class_: str | None,
    overall: bool,
    versions: bool,
    metrics: tuple[str, ...],
    home: Path | None,
) -> None:
    """Print the standings.

    The rating is Elo from all matches at once, with its 95 % interval against the mean of the list; LOS is the likelihood that a
    bot is better than the next one. CSV, JSON and Markdown list every version of a bot. `bullring docs ratings` describes all
    columns.
    """
    place = Home.find(home)
    store = place.store(read_only=True)
    only = None if class_ is None else played_on(place, class_)
    rows: Sequence[Row]
    if overall:
        whole = Overall.of(store, which_lists(place, store, table), anchor, only)
        title = named = whole.title
        rows, outlook = whole.rows(), whole.outlook()
    else:
        list_ = which_list(place, store, table)
        title, named = list_.title, plain_title(list_)
        kept = Ratings.shown(store, list_) if anchor is None and only is None else None
        if kept is None:
            anew = Standings(store, list_, anchor, only=only)
            rows, outlook = anew.rows(), anew.outlook()
        else:
            rows, outlook = kept.rows, kept.outlook
        rows = with_house(place, store, list_, rows, _without_house)
    facts = facts_of(rows)
    if format_ == "json":
        told = {"list": title, "rows": facts, **outlook.facts()}
        click.echo(json.dumps(told, indent=2))
    elif format_ == "table":
        console = Console()
        console.print(Text(named, "bold cyan"))
        drawn = standings_table(
            rows,
            wide=console.width >= WIDE,
            metrics=metrics,
            width=console.width,
            plain=not overall,  # there may be many lists, and each has a column
            versions=versions,
        )
        console.print(drawn, *standings_notes(rows, outlook, versions=versions), sep="\n")
    else:
        flat = [_flat(_flat(row, "metrics", "metric"), "ratings", "rating") for row in facts]
        titles = list(dict.fromkeys(key for row in flat for key in row))
        click.echo((comma_separated if format_ == "csv" else _markdown)(flat, titles), nl=False)
    if any(row.house for row in rows):  # files for programs stay as programs expect them
        click.echo(("\n" if format_ == "markdown" else "") + say("ladder.house"), err=format_ in ("csv", "json"))


def _without_house(error: LadderError) -> None:
    click.echo(f'bullring: column "house" omitted: {error}', err=True)


def _flat(row: Mapping[str, Any], key: str, prefix: str) -> dict[str, Any]:
    """The row with the values of an object in it under keys of their own."""
    own = {f"{prefix}_{name}": value for name, value in row.get(key, {}).items()}
    return {name: value for name, value in row.items() if name != key} | own


def _markdown(rows: Sequence[Mapping[str, Any]], titles: Sequence[str]) -> str:
    def cell(value: object) -> str:
        text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else harmless(value)
        return re.sub(r"[\\`*_\[\]<>&|~]", r"\\\g<0>", text)  # a name is no markup

    lines = [titles, ["---"] * len(titles), *([cell(row.get(title)) for title in titles] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
