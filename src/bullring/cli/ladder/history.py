"""`bullring ladder history`: print the history of a rating."""

import json
from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import opened
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.ladder.display.tables import history_table
from bullring.ladder.knowing.standings import Standings


@click.command(name="history")
@click.argument("bot", type=LADDER_BOT)
@table_options
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(bot: str, table: TableWish, home: Path | None, as_json: bool) -> None:
    """Print the history of a bot's rating.

    Each line is the rating after a number of matches of the list, as it would have been published then.
    """
    _, store, list_ = opened(home, table)
    points = Standings(store, list_).history(store.bot(bot).id)
    if as_json:
        click.echo(json.dumps(points, indent=2))
    else:
        Console().print(history_table(points))
