"""`bullring ladder add`: add bots that one knows."""

from pathlib import Path

import click

from bullring.cli.bots.submitting import submit_all
from bullring.cli.options import SandboxWish, home_option, json_option, sandbox_options
from bullring.cli.values import BOT
from bullring.errors import LadderError
from bullring.ladder.store.home import Home
from bullring.ladder.submit.submission import Wanted


@click.command(name="add")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@click.option("--name", help="The name on the ladder. Default: the one in the bot.toml.")
@json_option
@home_option
@sandbox_options
def command(bots: tuple[str, ...], name: str | None, as_json: bool, home: Path | None, sandbox: SandboxWish) -> int:
    """Add bots to the ladder, without the check that `submit` makes.

    Each BOT is submitted as with `bullring submit`: copied, built and tried in a match against copies of itself. The first one
    that cannot play is refused, and ends it.
    """
    place = Home.find(home)
    if name is not None and len(bots) > 1:
        raise LadderError(f"a name is for one bot, and {len(bots)} were given; add them one at a time")
    wanted = [Wanted(bot, name, checked=False) for bot in bots]
    return submit_all(place, wanted, sandbox.over(place.settings()), as_json=as_json, brief=True)
