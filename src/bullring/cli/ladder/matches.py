"""`bullring ladder matches`, `record` and `export`: list matches, take out one record, export all matches of a list."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, nullcontext
from pathlib import Path
from textwrap import indent

import click

from bullring.cli.late import late
from bullring.cli.options import PATH, TableWish, home_option, language_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import StoreError

with late():
    from bullring.arena.cells.text.doing import unshown
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rulebook.language import say
    from bullring.cli.ladder.chosen import opened
    from bullring.ladder.store.home import Home
    from bullring.ladder.watching.display.export import match_facts, seat_rows, write_csv, write_lines, write_parquet


_out_option = click.option("--out", type=PATH, help="Write to this file. Default: stdout.")


@click.command(name="matches")
@table_options
@click.option("--bot", type=LADDER_BOT, help="Only matches of this bot.")
@click.option("--last", type=click.IntRange(1), default=20, show_default=True, help="The number of matches to list.")
@language_option
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of all facts.")
def matches(table: TableWish, bot: str | None, last: int, home: Path | None, as_json: bool) -> None:
    """List matches with their ids, newest last."""
    _, store, list_ = opened(home, table)
    found = store.last_matches(list_.id, None if bot is None else store.bot(bot).id, last)
    names = {row.id: row.name for row in store.bots()}
    if as_json:
        # Written match by match: there may be millions.
        separator = "["
        for match in found:
            click.echo(separator)
            click.echo(indent(json.dumps(match_facts(match, names), indent=2), "  "), nl=False)
            separator = ","
        click.echo("[]" if separator == "[" else "\n]")
        return
    for match in found:
        seats = ", ".join(f"{harmless(names[seat.bot])} {seat.heads}" for seat in match.seats)
        void = f"  {say('table.void', what=harmless(match.void))}" if match.void else ""
        click.echo(f"{match.id:>9}  {seats}{void}")


@click.command(name="record")
@click.argument("match", type=click.IntRange(1))
@_out_option
@home_option
def record(match: int, out: Path | None, home: Path | None) -> None:
    """Print the record of a match, to share it: `bullring replay` and `verify` read it anywhere.

    In a home the records of all matches are packed together.
    """
    from bullring.cli.recorded import recorded

    text = recorded(Path(str(match)), Home.find(home).path)[0].read_bytes()
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_bytes(text)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror or error}") from None


@click.command(name="export")
@table_options
@click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "csv", "parquet"]),
    default="json",
    show_default=True,
    help="JSON lines, one per match, or a table with a row per match and seat; parquet needs `pip install 'bullring[parquet]'`.",
)
@_out_option
@home_option
def export(table: TableWish, kind: str, out: Path | None, home: Path | None) -> None:
    """Export all matches of a list, as JSON lines, CSV or Parquet.

    `bullring docs ratings` describes the columns, and has an example of an analysis.
    """
    from bullring.cli.progress import long_work
    from bullring.ladder.store.progress import told

    if kind == "parquet" and out is None:
        raise click.UsageError("a Parquet file is not written to stdout; name a file with --out")
    _, store, list_ = opened(home, table)
    names = {row.id: row.name for row in store.bots()}
    hidden = out is None and sys.stdout.isatty()  # the line would be among the matches
    try:
        with ExitStack() as stack:
            stack.enter_context(unshown() if hidden else nullcontext())
            tell = stack.enter_context(long_work("exporting"))
            exported = told(store.matches_in(list_.id), "matches exported", store.count(list_.id), tell)
            if kind == "parquet":
                assert out is not None
                write_parquet(seat_rows(exported, names), out)
                return
            file = sys.stdout if out is None else stack.enter_context(out.open("w", encoding="utf-8", newline=""))
            if kind == "csv":
                write_csv(seat_rows(exported, names), file)
            else:
                write_lines(exported, names, file)
    except BrokenPipeError:  # the reader is gone
        raise
    except OSError as error:
        raise StoreError(f"{out or 'stdout'} cannot be written: {error.strerror or error}") from None
