"""`bullring ladder export`: export all matches of a list."""

import json
from pathlib import Path

import click

from bullring.cli.ladder.chosen import opened
from bullring.cli.options import TableWish, home_option, table_options
from bullring.errors import StoreError
from bullring.ladder.knowing.matches import match_facts


@click.command(name="export")
@table_options
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file. Default: stdout.")
@home_option
def command(table: TableWish, out: Path | None, home: Path | None) -> None:
    """Export all matches of a list as JSON lines."""
    _, store, list_ = opened(home, table)
    names = {row.id: row.name for row in store.bots()}
    lines = (json.dumps(match_facts(match, names)) + "\n" for match in store.matches_in(list_.id))
    if out is None:
        for line in lines:
            click.echo(line, nl=False)
        return
    try:
        with out.open("w", encoding="ascii") as file:
            file.writelines(lines)
    except OSError as error:
        raise StoreError(f"{out} cannot be written: {error.strerror or error}") from None
