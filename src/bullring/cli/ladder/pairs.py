"""`bullring ladder pairs`: print the results of pairs."""

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
    """Print the results of each pair of bots.

    For each pair: the bot's share of points against the other, and the number of their matches.
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
