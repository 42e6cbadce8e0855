"""All games by name. To add one, write its file in `variants` and list it here; tests, docs and the command line use this list."""

from typing import Any

from bullring.arena.rules.game import Game
from bullring.arena.rules.variants.double import Double
from bullring.arena.rules.variants.eleven import Eleven
from bullring.arena.rules.variants.hand import Hand
from bullring.arena.rules.variants.logic import Logic
from bullring.arena.rules.variants.nifty import Nifty
from bullring.arena.rules.variants.online import Online
from bullring.arena.rules.variants.open import Open
from bullring.arena.rules.variants.professional import Professional
from bullring.arena.rules.variants.standard import Standard
from bullring.arena.rules.variants.tactics import Tactics
from bullring.arena.rules.variants.tournament import Tournament
from bullring.errors import UnknownGame

GAMES: dict[str, type[Game[Any]]] = {
    game.id: game
    for game in (
        Standard,
        Tactics,
        Logic,
        Tournament,
        Professional,
        Open,
        Nifty,
        Hand,
        Double,
        Eleven,
        Online,
    )
}


def find(name: str) -> type[Game[Any]]:
    """The game with this id or alias, ignoring case. Raises `UnknownGame`."""
    if not isinstance(name, str):
        raise UnknownGame(
            f"a game is a name or an object made by new_game, not {name!r}; the games are: {', '.join(GAMES)}"
        )
    wanted = name.lower()
    for game in GAMES.values():
        if wanted == game.id or wanted in game.aliases:
            return game
    raise UnknownGame(f"there is no game {name[:40]!r}; the games are: {', '.join(GAMES)}")
