"""`bullring submit`: bring a bot onto a ladder, step by step."""

from pathlib import Path

import click

from bullring.cli.bots.submitting import submit_all
from bullring.cli.options import SandboxWish, home_option, json_option, sandbox_options
from bullring.cli.values import BOT
from bullring.ladder.store.home import Home
from bullring.ladder.submit.submission import Wanted


@click.command(name="submit")
@click.argument("bot", type=BOT)
@click.option("--name", help="The name on the ladder. Default: the one in the bot.toml.")
@click.option("--retire", is_flag=True, help="Retire the earlier versions of the bot; otherwise they play on.")
@click.option("--run", default="", metavar="COMMAND", help="The command of the bot in its image, for image:NAME.")
@json_option
@home_option
@sandbox_options
def command(
    bot: str, name: str | None, retire: bool, run: str, as_json: bool, home: Path | None, sandbox: SandboxWish
) -> int:
    """Submit a bot to a ladder: copy, build and check it, and try it in a match.

    A BOT is a folder with a bot.toml, an archive of one (.tar, .tar.gz, .zip), git:PATH#REVISION for a commit of a git repository
    on this machine, image:NAME for a container image, @NAME for a built-in bot, or a command line in quotes. Submitting a bot of
    the same name is a new version: "mine", "mine v2". A bot that is refused leaves nothing behind; the exit code is then 3 if it
    was built or started, else 2. A running ladder plays the new bot within seconds.
    """
    place = Home.find(home)
    wanted = Wanted(bot, name, run, retire)
    return submit_all(place, [wanted], sandbox.over(place.settings()), as_json=as_json)
