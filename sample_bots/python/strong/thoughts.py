"""The bot's opinion of each option, for advice (`advice`)."""

from time import monotonic

import kernels  # noqa: F401  # before whatever is compiled
from advice import Message, interrupted, serve
from games import GAMES, warm_up
from search import weigh
from simulator.chance import streams

TURNS = 1000
"""Playouts of this turn alone, of each option."""


def thoughts(match: Message, question: Message, seconds: float) -> Message:
    """The thoughts about one question."""
    options, kind, view = question["options"], question["kind"], question["view"]
    kinds, asked = GAMES.get(match["game"], ((), None))
    if asked is None or kind not in kinds:
        best = options.index(max(options)) if kind == "draft" else None
        return {"thoughts": [], "best": best, "playouts": 0}
    begin = monotonic()

    def spent(_: int) -> float:
        return 1.0 if interrupted() else (monotonic() - begin) / seconds

    of_game, chance = asked(match, kind, view, options), streams(0, 0, 1)
    takes = of_game.takes(TURNS, chance)
    heads, errors, best, playouts = weigh(of_game, len(options), chance, spent)
    found = [[option, *values] for option, *values in zip(options, heads, errors, takes, strict=True)]
    return {"thoughts": found, "best": best, "playouts": playouts}


if __name__ == "__main__":
    warm_up()
    serve(thoughts)
