"""`bullring cache` and `bullring cache clear`: what is kept of the builds of bots."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import json_option
from bullring.cli.program import Commands
from bullring.cli.values import BOT
from bullring.errors import BotError

with late():
    from rich.console import Console

    from bullring.arena.cells.bots.load import folder_of
    from bullring.arena.cells.building.cache import MOST, Cache
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.watching.display.cache import cache_table
    from bullring.arena.watching.display.text import size_text


def _list(ctx: click.Context, as_json: bool) -> None:
    """List what is kept of the builds of bots.

    Builds are kept by the bot's files and the compilers of this machine, for every command and every ladder of yours. Stocks are
    what builds of a bot leave for its next build, such as compiled libraries. What was used least recently comes first, and makes
    room. Of a build that failed, its log is kept.
    """
    if ctx.invoked_subcommand is not None:
        return
    cache = Cache.of_user()
    found = [one.facts() for one in sorted(cache.kept(), key=lambda one: -one.age())]
    if as_json:
        click.echo(json.dumps({"folder": str(cache.folder), "most": MOST, "kept": found}, indent=2))
        return
    if found:
        console = Console()
        console.print(cache_table(found, console.width))
    size = sum(int(one["size"]) for one in found)
    click.echo(f"{size_text(size)} of at most {size_text(MOST)} in {harmless(cache.folder)}")


@click.command(name="clear")
@click.argument("bots", nargs=-1, metavar="[BOT]...", type=BOT)
def clear(bots: tuple[str, ...]) -> None:
    """Remove builds and stocks: those of these bots, or all.

    A BOT is a folder, @NAME, or a name from the list. Its next build begins with nothing. Builds in homes of ladders stay. Do not
    clear what is playing.
    """
    cache = Cache.of_user()
    wanted = {bot: _folder(bot) for bot in bots}
    met, size, busy = set[str](), 0, 0
    for one in cache.kept():
        facts = one.facts()
        naming = {bot for bot, folder in wanted.items() if facts["folder"] == folder or facts["bot"] == bot}
        if wanted and not naming:
            continue
        met |= naming
        if one.remove():
            size += int(facts["size"])
        else:
            busy += 1
    missing = next((bot for bot in bots if bot not in met), None)
    if missing is not None:
        raise BotError(f"nothing is kept of {missing}; list what is kept with: bullring cache")
    still = f"; {counted(busy, 'build')} in progress stayed" if busy else ""
    click.echo(f"removed {size_text(size)}{still}")


def _folder(bot: str) -> str:
    """The folder that a bot is kept by; empty if this is only a name."""
    folder = folder_of(bot)
    return str((Path(bot) if folder is None else folder).resolve())


command: click.Command = Commands(
    "cache",
    {"Commands": {"bullring.cli.bots.cache": {"clear": "Remove builds and stocks: those of these bots, or all."}}},
    invoke_without_command=True,
    help=_list.__doc__,
    callback=click.pass_context(_list),
)
json_option(command)
