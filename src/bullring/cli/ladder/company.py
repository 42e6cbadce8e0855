"""`bullring ladder company`: print how each bot's presence changes the results of the others."""

import json
from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import home_flag, opened
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError
from bullring.ladder.standings.standings import Standings
from bullring.ladder.watching.display.company import company_notes, company_table

SHOWN = 10
"""Pairs that are shown unless all are asked for; unusual ones are always shown."""


@click.command(name="company")
@click.argument("bot", type=LADDER_BOT, required=False)
@table_options
@click.option("--all", "everything", is_flag=True, help=f"Show all pairs, not only the {SHOWN} most unusual ones.")
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of all pairs.")
def command(bot: str | None, table: TableWish, everything: bool, home: Path | None, as_json: bool) -> None:
    """Print how each bot's presence changes the results of each other one.

    For tables of three and more. Each line compares a bot's results against the same rivals beside one companion and beside
    others; with BOT, only lines with that bot. Effects of playing styles are subtracted, and the rest is called unusual if chance
    hardly explains it in any pair of the list. Unusual is not guilty: see docs/fair-play.md.
    """
    place, store, list_ = opened(home, table)
    if list_.seats < 3:
        raise LadderError(
            f"{list_.title}: `company` needs a list of three seats or more, as at two seats nobody can be helped"
        )
    name = None if bot is None else store.bot(bot).name
    pairs = Standings(store, list_).company()
    chosen = [pair for pair in pairs if name is None or name in (pair["bot"], pair["beside"])]
    if as_json:
        click.echo(json.dumps(chosen, indent=2))
        return
    console = Console()
    console.print(list_.title, markup=False, highlight=False)
    shown = [pair for at, pair in enumerate(chosen) if everything or at < SHOWN or pair["unusual"]]
    if shown:
        console.print(company_table(shown))
    console.print(company_notes(chosen, home_flag(place)), markup=False, highlight=False)
