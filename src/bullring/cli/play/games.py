"""`bullring games`: list the games."""

import json
from typing import Any

import click
from rich.console import Console

from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display.results import games_table


@click.command(name="games")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def command(as_json: bool) -> None:
    """List the games and their options."""
    if as_json:
        click.echo(json.dumps([_facts(game) for game in GAMES.values()], indent=2))
    else:
        Console().print(games_table(GAMES.values()))


def _facts(game: type[Game[Any]]) -> dict[str, Any]:
    words = wording(game)
    return {
        "id": game.id,
        "title": words.title,
        "aliases": list(game.aliases),
        "seats": list(game.seat_range),
        "options": {spec.name: {**spec.facts(), "help": words.option(spec.name)} for spec in game.option_specs},
        "decisions": [decision.kind for decision in game.decisions],
        "summary": words.say("summary"),
        "source": words.say("source"),
    }
