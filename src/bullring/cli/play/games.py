"""`bullring games` and `bullring rules`: list the games, and print the rules of one."""

from __future__ import annotations

import json
from typing import Any

import click

from bullring.cli.late import late
from bullring.cli.options import json_option, language_option
from bullring.cli.values import GAME

with late():
    from rich.console import Console

    from bullring.arena.games.rulebook.wording import wording
    from bullring.arena.games.rules.game import Game
    from bullring.arena.games.rules.registry import GAMES, find


@click.command(name="games")
@language_option
@json_option
def games(as_json: bool) -> None:
    """List the games and their options."""
    if as_json:
        click.echo(json.dumps([_facts(game) for game in GAMES.values()], indent=2))
        return
    from bullring.arena.watching.display.results import games_table

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


@click.command(name="rules")
@click.argument("game", type=GAME)
@language_option
def rules(game: str) -> None:
    """Print the rules of a game.

    `bullring games` lists the games; GAME is the name or an alias of one.
    """
    from bullring.arena.games.rulebook.book import book
    from bullring.arena.watching.display.rules import RulesPage

    Console().print(RulesPage(book(find(game))))
