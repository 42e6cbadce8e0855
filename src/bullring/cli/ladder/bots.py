"""`bullring ladder bots`: list the bots of a ladder."""

import json
from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import home_option
from bullring.ladder.keeping.home import Home


@click.command(name="bots")
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(home: Path | None, as_json: bool) -> None:
    """List the bots of the ladder, with the reason if one is benched."""
    place = Home.find(home)
    rows = place.store(read_only=True).bots()
    if as_json:
        facts = [{"bot": row.name, "source": row.source, "state": row.state, "reason": row.reason} for row in rows]
        click.echo(json.dumps(facts, indent=2))
        return
    if not rows:
        remedy = f"bullring ladder add BOT{home_flag(place)}"
        click.echo(f"bullring: there are no bots yet; add one with: {harmless(remedy)}", err=True)
    for row in rows:
        click.echo(f"{harmless(row.name):24} {row.state:8} {harmless(row.reason or row.source)}")
