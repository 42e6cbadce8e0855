"""`bullring bots show`: show all versions of a bot."""

import json
from pathlib import Path

import click

from bullring.cli.options import home_option, json_option
from bullring.cli.values import LADDER_BOT
from bullring.ladder.standings.versions import versions
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.bots import version_lines


@click.command(name="show")
@click.argument("bot", type=LADDER_BOT)
@home_option
@json_option
def command(bot: str, home: Path | None, as_json: bool) -> None:
    """Show all versions of a bot.

    For each one: its state and the reason for it, where it came from and when, the hash of its files and where they are, the log of
    its build, what it may use, and its rating. Give a label such as "mine v2" for one version, and a name for all.
    """
    place = Home.find(home)
    store = place.store(read_only=True)
    found = versions(place, store, {row.id for row in store.versions(bot)})
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for number, facts in enumerate(found):
        for line in ([""] if number else []) + list(version_lines(facts)):
            click.echo(line)
