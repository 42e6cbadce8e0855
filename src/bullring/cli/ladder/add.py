"""`bullring ladder add`: add bots."""

from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.cli.options import home_option
from bullring.cli.values import BOT
from bullring.errors import LadderError
from bullring.ladder.keeping.adding import add
from bullring.ladder.keeping.home import Home


@click.command(name="add")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@click.option("--name", help="The name on the ladder. Default: the one in the bot.toml.")
@home_option
def command(bots: tuple[str, ...], name: str | None, home: Path | None) -> None:
    """Add bots to the ladder.

    A BOT is @NAME for a built-in one, a folder with a bot.toml, or a command line in quotes. A folder is copied into the home,
    so that what is rated does not change; a command line is not, and the table says so. A new version is a new bot: give it
    another name with --name.
    """
    place = Home.find(home)
    if name is not None and len(bots) > 1:
        raise LadderError(f"a name is for one bot, and {len(bots)} were given; add them one at a time")
    for text in bots:
        bot = add(place, place.store(), text, name)
        click.echo(f'added "{harmless(bot.name)}"')
        if not bot.contents.whole:
            click.echo(
                "bullring: the files of a command line are not copied, so the table says of it that it is not fixed;"
                " to have it copied, put it into a folder with a bot.toml",
                err=True,
            )
