"""`bullring ladder bots`: list the bots of a ladder."""

import json
from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import home_option
from bullring.ladder.display.tables import told_of
from bullring.ladder.keeping.home import Home


@click.command(name="bots")
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(home: Path | None, as_json: bool) -> None:
    """List the bots of the ladder.

    Each line has the name, the state, the hash of the bot's folder (or "not fixed" for a command line, whose files are not copied)
    and the reason if the bot is benched, or else where it came from.
    """
    place = Home.find(home)
    rows = place.store(read_only=True).bots()
    if as_json:
        facts = [
            {
                "bot": row.name,
                "source": row.source,
                "state": row.state,
                "reason": row.reason,
                "hash": row.contents.hash,
                "reproducible": row.contents.whole,
                "image": row.contents.image,
            }
            for row in rows
        ]
        click.echo(json.dumps(facts, indent=2))
        return
    if not rows:
        remedy = f"bullring ladder add BOT{home_flag(place)}"
        click.echo(f"bullring: there are no bots yet; add one with: {harmless(remedy)}", err=True)
    for row in rows:
        said = harmless(row.reason or row.source)
        click.echo(
            f"{harmless(row.name):24} {row.state:8} {told_of(row.contents.hash, whole=row.contents.whole):12} {said}"
        )
