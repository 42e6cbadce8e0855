"""`bullring bots`: list the bots; `versions` has the commands on one of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import home_option, json_option
from bullring.cli.program import Commands
from bullring.errors import LadderError

with late():
    from rich.console import Console

    from bullring.arena.cells.bots import builtin
    from bullring.arena.cells.text.harmless import harmless
    from bullring.cli.ladder.chosen import home_flag


def _list(ctx: click.Context, only_builtin: bool, home: Path | None, as_json: bool) -> None:
    """List the bots of a ladder, version by version, or the built-in ones.

    Without a home, list the built-in bots, the strongest first, with their ratings in the standard game at four seats (see
    `bullring docs opponents`). Wherever a command takes a BOT, @NAME is a built-in one: bullring match @greedy @random.
    """
    if ctx.invoked_subcommand is not None:
        return
    from bullring.ladder.store.home import Home

    try:
        place = None if only_builtin else Home.find(home)
    except LadderError:
        if home is not None:
            raise
        place = None
    if place is None:
        _list_builtin(as_json=as_json)
        return
    from bullring.ladder.standings.versions import versions
    from bullring.ladder.watching.display.bots import bots_table

    store = place.store(read_only=True)
    found = versions(place, store)
    if as_json:
        click.echo(json.dumps(found, indent=2))
    elif not found:
        remedy = f"bullring submit BOT{home_flag(place)}"
        complain(f"there are no bots yet; submit one with: {remedy}")
    else:
        Console().print(bots_table(found))


def _list_builtin(*, as_json: bool) -> None:
    found = sorted(map(_of_builtin, builtin.names()), key=lambda bot: -(bot["rating"] or 0))
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for bot in found:
        rating = "" if bot["rating"] is None else f"{bot['rating']} ± {bot['error']}"
        click.echo(f"{harmless(bot['bot']):16} {rating:10} {harmless(bot['about'])}".rstrip())


def _of_builtin(name: str) -> dict[str, Any]:
    manifest = builtin.manifest(name)
    about = f"{manifest.language}: {manifest.about}" if manifest.language else manifest.about
    rated = builtin.rating(name)
    elo = {"rating": rated and rated.elo, "error": rated and rated.error}
    return {"bot": f"@{name}", "state": "built-in", **elo, "about": about, "folder": str(builtin.folder(name))}


command: click.Command = Commands(
    "bots",
    {
        "Commands": {
            "bullring.cli.bots.versions": {
                "log": "Print the last matches of a bot: ranks, faults, records, and its stderr.",
                "reinstate": "Let a benched, retired or removed bot play again.",
                "remove": "Take a bot off the ladder.",
                "retire": "Retire a bot, because there is a better version.",
                "show": "Show all versions of a bot.",
            },
        },
    },
    invoke_without_command=True,
    help=_list.__doc__,
    callback=click.pass_context(_list),
)
for _option in (
    json_option,
    home_option,
    click.option("--builtin", "only_builtin", is_flag=True, help="List only the built-in bots."),
):
    _option(command)
