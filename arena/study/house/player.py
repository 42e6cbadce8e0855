"""A player of the house: sits at a table in this process and draws its moves."""

from collections.abc import Callable
from random import SystemRandom
from typing import Any

from bullring.arena.games.rules.game import Game, Option
from bullring.arena.study.house.moves import chances

SECRET = SystemRandom().random
"""Random numbers of the operating system."""


def house_player(game: Game[Any], random: Callable[[], float] = SECRET) -> Callable[[Any], Option]:
    """A function that answers `decide` messages with a draw from `moves.chances`.

    `random` gives numbers of [0, 1). By default they are the operating system's, so that neither the seed of the deal nor anything
    else that a bot may learn says what the house is going to play.
    """

    def house(message: Any) -> Option:
        options = message["options"]
        left = random()
        for option, chance in zip(options, chances(game, message["view"], message["kind"], options), strict=True):
            left -= chance
            if left < 0:
                return option  # type: ignore[no-any-return]
        return options[-1]  # type: ignore[no-any-return]

    return house
