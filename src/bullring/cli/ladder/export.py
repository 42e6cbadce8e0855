"""`bullring ladder export`: export all matches of a list."""

import json
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import click

from bullring.cli.ladder.chosen import opened
from bullring.cli.longwork import long_work
from bullring.cli.options import TableWish, home_option, table_options
from bullring.errors import StoreError
from bullring.ladder.standings.matches import match_facts
from bullring.ladder.store.progress import told
from bullring.ladder.store.rows import MatchRow
from bullring.ladder.watching.display.export import seat_rows, write_csv, write_parquet


@click.command(name="export")
@table_options
@click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "csv", "parquet"]),
    default="json",
    show_default=True,
    help="JSON lines, one a match; or a table with a row for each match and seat. Parquet needs `pip install 'bullring[parquet]'`.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file. Default: stdout.")
@home_option
def command(table: TableWish, kind: str, out: Path | None, home: Path | None) -> None:
    """Export all matches of a list, as JSON lines, CSV or Parquet.

    `bullring docs ratings` describes the columns, and has an example of an analysis.
    """
    if kind == "parquet" and out is None:
        raise click.UsageError("a Parquet file is not written to stdout; name a file with --out")
    _, store, list_ = opened(home, table)
    names = {row.id: row.name for row in store.bots()}
    hidden = out is None and sys.stdout.isatty()  # the bar would be in the midst of the matches
    try:
        with ExitStack() as stack:
            tell = stack.enter_context(long_work(hidden=hidden))
            matches = told(store.matches_in(list_.id), "matches exported", store.count(list_.id), tell)
            if kind == "parquet":
                assert out is not None
                write_parquet(seat_rows(matches, names), out)
                return
            file = sys.stdout if out is None else stack.enter_context(out.open("w", encoding="utf-8", newline=""))
            if kind == "csv":
                write_csv(seat_rows(matches, names), file)
            else:
                file.writelines(_lines(matches, names))
    except BrokenPipeError:  # whoever read what we print is gone
        raise
    except OSError as error:
        raise StoreError(f"{out or 'stdout'} cannot be written: {error.strerror or error}") from None


def _lines(matches: Iterable[MatchRow], names: dict[int, str]) -> Iterable[str]:
    return (json.dumps(match_facts(match, names)) + "\n" for match in matches)
