"""`bullring ladder`: the home and its bots."""

import json
from pathlib import Path
from typing import Literal

import click

from arena.view.plain import harmless
from ladder.choosing import complaints, home_option
from ladder.errors import LadderError
from ladder.group import ladder
from ladder.home import Home


@ladder.command()
@click.argument("folder", type=click.Path(path_type=Path), default=".")
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="[KIND=]DURATION",
    help="Limits of time of this home; as in `bullring match`.",
)
def init(folder: Path, times: tuple[str, ...]) -> None:
    """Make a new arena home in an empty folder (default: here)."""
    with complaints():
        home = Home.create(folder, times)
    click.echo(f"made the home {harmless(home.path)}; next: bullring ladder add FOLDER")


@ladder.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--name", help="The name on the ladder, if it is not to be that of the bot.toml.")
@home_option
def add(bots: tuple[str, ...], name: str | None, home: Path | None) -> None:
    """Add bots: folders with a bot.toml, or command lines in quotes.

    A folder is copied into the home, so that what is rated does not change. A new version is a new bot: give it a --name.
    """
    with complaints():
        if name is not None and len(bots) > 1:
            raise LadderError("--name is for one bot")
        place = Home.find(home)
        store = place.store()
        for text in bots:
            bot = place.adopt(text, name, {row.name for row in store.bots()})
            store.add_bot(bot.name, str(Path(text).resolve()) if Path(text).is_dir() else text)
            click.echo(f"added {harmless(bot.name)}")


def _set_state(name: str, home: Path | None, state: Literal["active", "removed"], reason: str, done: str) -> None:
    with complaints():
        place = Home.find(home)
        store = place.store()
        store.set_state(store.bot(name).id, state, reason)
        click.echo(f"{harmless(name)} {done}")


@ladder.command()
@click.argument("bot")
@home_option
def remove(bot: str, home: Path | None) -> None:
    """Take a bot off the ladder. Its matches stay and keep their weight in the ratings of the others."""
    _set_state(bot, home, "removed", "", "plays no more")


@ladder.command()
@click.argument("bot")
@home_option
def reinstate(bot: str, home: Path | None) -> None:
    """Let a benched or removed bot play again; its faults count anew."""
    _set_state(bot, home, "active", "", "plays again")


@ladder.command()
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def bots(home: Path | None, as_json: bool) -> None:
    """List the bots, and why one of them is benched."""
    with complaints():
        rows = Home.find(home).store(read_only=True).bots()
    if as_json:
        click.echo(
            json.dumps(
                [{"bot": r.name, "source": r.source, "state": r.state, "reason": r.reason} for r in rows], indent=2
            )
        )
        return
    for row in rows:
        click.echo(f"{harmless(row.name):24} {row.state:8} {harmless(row.reason or row.source)}")
