"""`bullring ladder remove`: take a bot off the ladder."""

import shlex
from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import home_option
from bullring.cli.values import LADDER_BOT
from bullring.ladder.keeping.home import Home


@click.command(name="remove")
@click.argument("bot", type=LADDER_BOT)
@home_option
def command(bot: str, home: Path | None) -> None:
    """Take a bot off the ladder.

    Its matches stay and keep their weight in the ratings of the others.
    """
    place = Home.find(home)
    store = place.store()
    store.set_state(store.bot(bot).id, "removed")
    undo = f"bullring ladder reinstate {shlex.quote(bot)}{home_flag(place)}"
    click.echo(f'"{harmless(bot)}" was removed; undo: {harmless(undo)}')
