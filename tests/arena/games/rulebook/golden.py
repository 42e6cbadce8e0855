"""The rules of all games as they are printed in 80 columns, to be read. Written anew by `make goldens`."""

import io
from pathlib import Path

from rich.console import Console

from bullring.arena.games.rulebook.book import book
from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.display.rules import RulesPage

FOLDER = Path(__file__).parent / "golden"
WIDTH = 80


def printed(game: str, code: str, width: int = WIDTH) -> str:
    """The output of `bullring rules` without a terminal."""
    out = io.StringIO()
    with speaking(code):
        Console(file=out, width=width).print(RulesPage(book(GAMES[game])))
    return out.getvalue()


def files() -> dict[str, str]:
    """All golden files and what must stand in them."""
    return {f"{game}.{code}.txt": printed(game, code) for game in GAMES for code in LANGUAGES}
