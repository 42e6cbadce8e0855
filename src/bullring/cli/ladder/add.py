"""`bullring ladder add`: add bots."""

from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.cli.options import home_option
from bullring.cli.values import BOT
from bullring.errors import LadderError
from bullring.ladder.keeping.home import Home


@click.command(name="add")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@click.option("--name", help="The name on the ladder. Default: the one in the bot.toml.")
@home_option
def command(bots: tuple[str, ...], name: str | None, home: Path | None) -> None:
    """Add bots to the ladder.

    A BOT is @NAME for a built-in one, a folder with a bot.toml, or a command line in quotes. A folder is copied into the home,
    so that what is rated does not change. A new version is a new bot: give it another name with --name.
    """
    if name is not None and len(bots) > 1:
        raise LadderError(f"--name is for one bot, and {len(bots)} were given; add them one at a time")
    place = Home.find(home)
    store = place.store()
    for text in bots:
        bot = place.adopt(text, name, {row.name for row in store.bots()})
        store.add_bot(bot.name, str(Path(text).resolve()) if Path(text).is_dir() else text)
        click.echo(f'added "{harmless(bot.name)}"')
