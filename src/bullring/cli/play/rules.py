"""`bullring rules`: print the rules of a game."""

import os

import click
from rich.console import Console

from bullring.arena.games.rulebook.book import book
from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.games.rules.registry import find
from bullring.arena.watching.display.rules import RulesPage
from bullring.cli.values import GAME


@click.command(name="rules")
@click.argument("game", type=GAME)
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    help="The language. Default: that of LC_ALL, LC_MESSAGES or LANG if it is one of these, else en.",
)
def command(game: str, lang: str | None) -> None:
    """Print the rules of a game.

    `bullring games` lists the games; GAME is the name or an alias of one.
    """
    Console().print(RulesPage(book(find(game), lang or user_language())))


def user_language() -> str:
    """The language of the user's locale, from the first of the variables that is set."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    code = locale[:2].lower()
    return code if code in LANGUAGES and not locale[2:3].isalpha() else "en"
