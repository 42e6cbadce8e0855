"""`bullring bots reinstate`: let a bot play again."""

from pathlib import Path

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.cli.options import home_option
from bullring.cli.values import LADDER_BOT
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home


@click.command(name="reinstate")
@click.argument("bot", type=LADDER_BOT)
@home_option
def command(bot: str, home: Path | None) -> None:
    """Let a benched, retired or removed bot play again.

    Its earlier faults no longer count against it.
    """
    with changing(Home.find(home)) as store:
        row = store.bot(bot)
        store.set_state(row.id, "active")
    click.echo(f'"{harmless(row.name)}" plays again')
