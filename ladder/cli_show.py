"""What a ladder has found, to read and to pass on: table, pairs, history, matches, export; and `rebuild`."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from arena.view.plain import harmless
from ladder.choosing import complaints, game_option, home_option, options_option, seats_option, which_list
from ladder.errors import StoreError
from ladder.group import ladder
from ladder.home import Home
from ladder.rebuild import rebuild
from ladder.standings import Standings
from ladder.store import ListRow, MatchRow, Store, match_id
from ladder.view import history_table, pairs_table, standings_table

format_option = click.option(
    "--format", "format_", type=click.Choice(["table", "csv", "json", "markdown"]), default="table", show_default=True
)
anchor_option = click.option(
    "--anchor", metavar="BOT", help="Rate against this bot, whose rating is then 1500. Default: as `run` does."
)


def _opened(
    home: Path | None, game: str | None, seats: int | None, options: Sequence[str]
) -> tuple[Home, Store, ListRow]:
    place = Home.find(home)
    store = place.store(read_only=True)
    return place, store, which_list(store, game, seats, options)


@ladder.command()
@game_option
@seats_option
@options_option
@format_option
@anchor_option
@click.option(
    "--metric", "metrics", multiple=True, metavar="KEY", help="Show what bots print on stderr as `KEY = number`."
)
@home_option
def table(
    game: str | None,
    seats: int | None,
    options: tuple[str, ...],
    format_: str,
    anchor: str | None,
    metrics: tuple[str, ...],
    home: Path | None,
) -> None:
    """Print the standings.

    The rating is Elo from all groups at once, with its 95 % interval against the anchor; LOS is how likely a bot is better
    than the next one. Heads are per deal, with their own interval. Elo (on wide terminals) is the running kind.
    """
    with complaints():
        _, store, list_ = _opened(home, game, seats, options)
        rows = Standings(store, list_, anchor).rows()
    facts = [row.facts() for row in rows]
    if format_ == "json":
        click.echo(json.dumps({"list": list_.title, "rows": facts}, indent=2))
    elif format_ == "table":
        console = Console()
        console.print(list_.title, markup=False, highlight=False)
        console.print(standings_table(rows, wide=console.width >= 100, metrics=metrics))
    else:
        flat = [{key: value for key, value in row.items() if key != "metrics"} | _flat(row["metrics"]) for row in facts]
        click.echo(_csv(flat) if format_ == "csv" else _markdown(flat), nl=False)


@ladder.command()
@game_option
@seats_option
@options_option
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def pairs(game: str | None, seats: int | None, options: tuple[str, ...], home: Path | None, as_json: bool) -> None:
    """Print who beats whom: the share of points of each bot against each other, with the number of their matches."""
    with complaints():
        _, store, list_ = _opened(home, game, seats, options)
        standings = Standings(store, list_)
    found = standings.pairs()
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    console = Console()
    console.print(list_.title, markup=False, highlight=False)
    console.print(pairs_table([row.bot for row in standings.rows() if row.matches], found))


@ladder.command()
@click.argument("bot")
@game_option
@seats_option
@options_option
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def history(
    bot: str, game: str | None, seats: int | None, options: tuple[str, ...], home: Path | None, as_json: bool
) -> None:
    """Print the course of a bot's rating: after so many groups of the list, as it would have been published then."""
    with complaints():
        _, store, list_ = _opened(home, game, seats, options)
        row = store.bot(bot)
        points = Standings(store, list_).history(row.id)
    if as_json:
        click.echo(json.dumps(points, indent=2))
    else:
        Console().print(history_table(points))


@ladder.command()
@game_option
@seats_option
@options_option
@click.option("--bot", help="Only matches of this bot.")
@click.option("--last", type=click.IntRange(1), default=20, show_default=True, help="So many of the last matches.")
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of all facts.")
def matches(
    game: str | None,
    seats: int | None,
    options: tuple[str, ...],
    bot: str | None,
    last: int,
    home: Path | None,
    as_json: bool,
) -> None:
    """List matches, the newest last, each with its id and record."""
    with complaints():
        place, store, list_ = _opened(home, game, seats, options)
        where, values = "g.list = ?", [list_.id]
        if bot is not None:
            where += " AND EXISTS (SELECT 1 FROM results r WHERE r.grp = m.grp AND r.number = m.number AND r.bot = ?)"
            values.append(store.bot(bot).id)
        names = {row.id: row.name for row in store.bots()}
        found = store.matches(where, values, last)
    if as_json:
        click.echo(json.dumps([_match_facts(place, match, names) for match in found], indent=2))
        return
    for match in found:
        seats_text = ", ".join(f"{harmless(names[seat.bot])} {seat.heads}" for seat in match.seats)
        void = f"  void: {harmless(match.void)}" if match.void else ""
        click.echo(f"{match.id:>9}  {seats_text}{void}")


def _match_facts(home: Home, match: MatchRow, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "id": match.id,
        "group": match.group,
        "record": str(home.record(match_id(match.group, match.number))),
        "void": match.void,
        "deals": match.deals,
        "seats": [
            {
                "bot": names[seat.bot],
                "heads": seat.heads,
                "rank": seat.rank,
                "faults": list(seat.faults),
                "closed": seat.closed,
                "metrics": dict(seat.metrics),
            }
            for seat in match.seats
        ],
    }


@ladder.command()
@game_option
@seats_option
@options_option
@click.option("--out", type=click.Path(path_type=Path), help="The file; default: stdout.")
@home_option
def export(game: str | None, seats: int | None, options: tuple[str, ...], out: Path | None, home: Path | None) -> None:
    """Write all matches of a list as JSON lines, for programs of your own."""
    with complaints():
        place, store, list_ = _opened(home, game, seats, options)
        names = {row.id: row.name for row in store.bots()}
        lines = (
            json.dumps(_match_facts(place, match, names)) + "\n" for match in store.matches("g.list = ?", (list_.id,))
        )
        if out is None:
            for line in lines:
                click.echo(line, nl=False)
        else:
            try:
                with out.open("w", encoding="ascii") as file:
                    file.writelines(lines)
            except OSError as error:
                raise StoreError(f"{out} cannot be written: {error.strerror or error}") from None


@ladder.command(name="rebuild")
@click.option("--drop-missing", is_flag=True, help="Also if matches have no record any more: they are forgotten.")
@home_option
def rebuild_command(home: Path | None, drop_missing: bool) -> None:
    """Make all results again from the records, and verify each record on the way."""
    with complaints():
        place = Home.find(home)
        with place.locked():
            report = rebuild(place, drop_missing=drop_missing)
    click.echo(
        f"{report.matches} matches in {report.groups} groups from {report.records} records"
        + (f"; {len(report.refused)} records were left out:" if report.refused else "")
    )
    for path, why in report.refused[:20]:
        click.echo(f"  {harmless(path.name)}: {harmless(why)}")


def _flat(metrics: Mapping[str, float]) -> dict[str, float]:
    return {f"metric_{key}": value for key, value in metrics.items()}


def _csv(rows: Sequence[Mapping[str, Any]]) -> str:
    titles = list(dict.fromkeys(key for row in rows for key in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, titles, lineterminator="\n")
    writer.writeheader()
    # It may be read on a terminal: names of strangers are shown as everywhere.
    writer.writerows(
        {key: harmless(value) if isinstance(value, str) else value for key, value in row.items()} for row in rows
    )
    return text.getvalue()


def _markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    titles = list(dict.fromkeys(key for row in rows for key in row))

    def cell(value: object) -> str:
        text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else harmless(value)
        return text.replace("\\", "\\\\").replace("|", "\\|")

    lines = [titles, ["---"] * len(titles), *([cell(row.get(title)) for title in titles] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
