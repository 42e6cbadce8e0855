"""`bullring bots`: list the bots."""

import json
from pathlib import Path
from typing import Any

import click

from bullring.arena.bots import builtin
from bullring.arena.display.text import harmless
from bullring.cli.options import home_option, json_option
from bullring.errors import LadderError


@click.command(name="bots")
@click.option("--builtin", "only_builtin", is_flag=True, help="List only the built-in bots.")
@home_option
@json_option
def command(only_builtin: bool, home: Path | None, as_json: bool) -> None:
    """List the built-in bots and the bots of a ladder.

    Wherever a command takes a BOT, name a built-in one as @NAME: bullring match @greedy @random.
    """
    found = [_of_builtin(name) for name in builtin.names()]
    if not only_builtin:
        found += _of_ladder(home)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for bot in found:
        name = harmless(bot["bot"])
        click.echo(f"{name:16} {bot['state']:9} {harmless(bot['about'])}".rstrip())


def _of_builtin(name: str) -> dict[str, Any]:
    manifest = builtin.manifest(name)
    about = f"{manifest.language}: {manifest.about}" if manifest.language else manifest.about
    return {"bot": f"@{name}", "state": "built-in", "about": about, "folder": str(builtin.folder(name))}


def _of_ladder(home: Path | None) -> list[dict[str, Any]]:
    """The bots of the home; empty if no home is named and none is found."""
    from bullring.ladder.keeping.home import Home

    try:
        rows = Home.find(home).store(read_only=True).bots()
    except LadderError:
        if home is not None:
            raise
        return []
    return [{"bot": row.name, "state": row.state, "about": row.reason or row.source} for row in rows]
