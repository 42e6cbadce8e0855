"""`bullring ladder pairs`: print who beats whom."""

import json
from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import opened
from bullring.cli.options import TableWish, home_option, table_options
from bullring.ladder.display.tables import pairs_table
from bullring.ladder.knowing.standings import Standings


@click.command(name="pairs")
@table_options
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(table: TableWish, home: Path | None, as_json: bool) -> None:
    """Print who beats whom.

    The share of points of each bot against each other one, with the number of their matches.
    """
    _, store, list_ = opened(home, table)
    standings = Standings(store, list_)
    found = standings.pairs()
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    console = Console()
    console.print(list_.title, markup=False, highlight=False)
    console.print(pairs_table([row.bot for row in standings.rows() if row.matches], found))
