"""`bullring ladder matches`: list matches."""

import json
from pathlib import Path
from textwrap import indent

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.cli.ladder.chosen import opened
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.ladder.standings.matches import match_facts


@click.command(name="matches")
@table_options
@click.option("--bot", type=LADDER_BOT, help="Only matches of this bot.")
@click.option("--last", type=click.IntRange(1), default=20, show_default=True, help="The number of matches to list.")
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of all facts.")
def command(table: TableWish, bot: str | None, last: int, home: Path | None, as_json: bool) -> None:
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
        void = f"  void: {harmless(match.void)}" if match.void else ""
        click.echo(f"{match.id:>9}  {seats}{void}")
