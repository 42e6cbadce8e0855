"""`bullring ladder remove`: take a bot off the ladder."""

from pathlib import Path

import click

from bullring.arena.display.text import harmless
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
    store = Home.find(home).store()
    store.set_state(store.bot(bot).id, "removed")
    name = harmless(bot)
    click.echo(f"{name} was removed; undo: bullring ladder reinstate {name}")
