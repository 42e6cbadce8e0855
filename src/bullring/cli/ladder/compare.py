"""`bullring ladder compare`: how much stronger one bot is than another."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.cli.ladder.chosen import opened
    from bullring.ladder.standings.standings import Standings


@click.command(name="compare")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=LADDER_BOT)
@table_options
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of the pairs.")
def command(bots: tuple[str, ...], table: TableWish, home: Path | None, as_json: bool) -> None:
    """Say how much stronger one bot is than another, in a sentence for each pair.

    With one BOT, it is compared with all others. The difference in Elo has its 95 % interval and follows from all matches of the
    list, so two bots can be compared that never met.
    """
    _, store, list_ = opened(home, table)
    found = Standings(store, list_).compare(bots)
    if as_json:
        click.echo(json.dumps([one.facts() for one in found], indent=2))
        return
    console = Console()
    for one in found:
        console.print(Text(one.said()), soft_wrap=True)
