"""The bot's opinion of each option, for advice (`advice`)."""

from collections.abc import Sequence
from math import sqrt
from random import Random
from time import monotonic
from typing import Any

from advice import Message, interrupted, serve
from bot import GAMES, Playouts
from rows import RowPlayouts

LEAST, MOST = 2, 20_000
"""Playouts of each option, whatever the time: the fewest that have an error, and the most, because their numbers are kept."""


def thoughts(match: Message, question: Message, seconds: float) -> Message:
    """The thoughts about one question."""
    options, kind, view = question["options"], question["kind"], question["view"]
    game = GAMES.get(match["game"])
    if game is None or kind not in game.KINDS or kind == "draft":
        return {"thoughts": [], "best": options.index(max(options)) if kind == "draft" else None, "playouts": 0}
    taken, at_once = played(game(match, kind, view), options, seconds)
    means = [sum(column) / len(column) for column in taken]
    best = means.index(min(means))
    errors = [error(column, taken[best]) for column in taken]
    shares = [None if count is None else count / len(taken[0]) for count in at_once]
    found = [[option, *values] for option, *values in zip(options, means, errors, shares, strict=True)]
    return {"thoughts": found, "best": best, "playouts": len(taken[0])}


def played(
    playouts: Playouts, options: Sequence[Any], seconds: float
) -> tuple[list[list[float]], Sequence[int | None]]:
    """The heads that I take, by option and playout; and by option, the playouts in which I take some in this turn, where I know.

    All options are tried against the same hidden cards.
    """
    end, random = monotonic() + seconds, Random(0)
    taken: list[list[float]] = [[] for _ in options]
    turn = playouts.turn if isinstance(playouts, RowPlayouts) else None
    at_once = [0] * len(options)
    while len(taken[0]) < LEAST or (len(taken[0]) < MOST and monotonic() < end and not interrupted()):
        playouts.guess(random)
        for at, option in enumerate(options):
            taken[at].append(playouts.heads(option))
            if turn is not None:
                at_once[at] += turn(option) > 0
    return taken, at_once if turn is not None else [None] * len(options)


def error(values: Sequence[float], others: Sequence[float]) -> float:
    """The standard error of the mean difference."""
    if values is others:
        return 0.0
    differences = [one - other for one, other in zip(values, others, strict=True)]
    count, mean = len(differences), sum(differences) / len(differences)
    return sqrt(sum((difference - mean) ** 2 for difference in differences) / (count - 1) / count)


if __name__ == "__main__":
    serve(thoughts)
