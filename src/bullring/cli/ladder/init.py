"""`bullring ladder init`: make a home."""

from pathlib import Path

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.options import time_option
from bullring.ladder.store.home import Home


@click.command(name="init")
@click.argument("folder", type=click.Path(path_type=Path), default=".")
@time_option
def command(folder: Path, times: tuple[str, ...]) -> None:
    """Make a home for a ladder in an empty or new folder.

    The default FOLDER is the working folder. The time limits apply to all matches of the home.
    """
    home = Home.create(folder, times)
    click.echo(f"made the home {harmless(home.path)}; next: bullring submit BOT{harmless(home_flag(home))}")
