"""All games by name. A new game is its file in `variants` and its line here; tests, docs and the command line walk this list."""

from typing import Any

from arena.rules.game import Game, RulesError
from arena.rules.variants.double import Double
from arena.rules.variants.eleven import Eleven
from arena.rules.variants.hand import Hand
from arena.rules.variants.logic import Logic
from arena.rules.variants.nifty import Nifty
from arena.rules.variants.online import Online
from arena.rules.variants.open import Open
from arena.rules.variants.professional import Professional
from arena.rules.variants.standard import Standard
from arena.rules.variants.tactics import Tactics
from arena.rules.variants.tournament import Tournament

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


class UnknownGame(RulesError):
    """No game has this name."""


def find(name: str) -> type[Game[Any]]:
    """The game with this id or alias, in any case. Raises `UnknownGame`."""
    wanted = name.lower()
    for game in GAMES.values():
        if wanted == game.id or wanted in game.aliases:
            return game
    raise UnknownGame(f"there is no game {name[:40]!r}; there are: {', '.join(GAMES)}")
