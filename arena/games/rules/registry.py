"""All games by name. To add one, write its rules in `variants` and its texts in `arena/games/texts`, and list it here.

Tests, documents and the command line walk this list; `make docs goldens` writes what is generated.
"""

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

from bullring.arena.games.rules.errors import UnknownGame
from bullring.arena.games.rules.game import Game

_LISTED = (
    "standard",
    "tactics",
    "logic",
    "tournament",
    "professional",
    "open",
    "nifty",
    "hand",
    "double",
    "eleven",
    "online",
)
"""The ids of the games. The class `Standard` in `variants.standard` has the id "standard"."""


class Games(MutableMapping[str, type[Game[Any]]]):
    """Games by id. The ids are known; a game is imported when it is asked for, because most processes play one of them."""

    def __init__(self) -> None:
        self._games: dict[str, type[Game[Any]] | None] = dict.fromkeys(_LISTED)

    def __repr__(self) -> str:
        return f"<Games {', '.join(self)}>"

    def __getitem__(self, id: str) -> type[Game[Any]]:
        game = self._games[id]
        if game is None:
            game = getattr(import_module(f"bullring.arena.games.rules.variants.{id}"), id.capitalize())
            self._games[id] = game
        return game

    def __setitem__(self, id: str, game: type[Game[Any]]) -> None:
        self._games[id] = game

    def __delitem__(self, id: str) -> None:
        del self._games[id]

    def __contains__(self, id: object) -> bool:
        return id in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


GAMES = Games()


def find(name: str) -> type[Game[Any]]:
    """The game with this id or alias, ignoring case. Raises `UnknownGame`."""
    if not isinstance(name, str):
        raise UnknownGame(
            f"a game is a name or an object made by new_game, not {name!r}; the games are: {', '.join(GAMES)}"
        )
    wanted = name.lower()
    if wanted in GAMES:
        return GAMES[wanted]
    for game in GAMES.values():
        if wanted in game.aliases:
            return game
    raise UnknownGame(f"there is no game {name[:40]!r}; the games are: {', '.join(GAMES)}")
