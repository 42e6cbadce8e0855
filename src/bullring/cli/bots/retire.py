"""`bullring bots retire`: let a bot play no more, because there is a better version."""

import shlex
from pathlib import Path

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import home_option
from bullring.cli.values import LADDER_BOT
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home


@click.command(name="retire")
@click.argument("bot", type=LADDER_BOT)
@home_option
def command(bot: str, home: Path | None) -> None:
    """Let a bot play no more, because there is a better version.

    Its matches and its rating stay. A version is named by its label: "mine v2".
    """
    place = Home.find(home)
    with changing(place) as store:
        row = store.bot(bot)
        store.set_state(row.id, "retired")
    undo = f"bullring bots reinstate {shlex.quote(row.name)}{home_flag(place)}"
    click.echo(f'"{harmless(row.name)}" was retired; undo: {harmless(undo)}')
