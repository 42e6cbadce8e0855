"""A table as small boards draw it: a fraction of its picture, which needs nothing else."""

from typing import Any

from bullring.arena.games.rules.board import Rows, Stacks
from bullring.arena.watching.picture.picture import Picture


def small(picture: Picture) -> dict[str, Any]:
    """The rows or stacks of a table, each card with its heads, what moves there, and the scores and places of the seats."""
    worth = picture.bears
    groups = [
        [[card, worth[card]] for card in cards]
        for part in picture.board
        if isinstance(part, Rows | Stacks)
        for cards in (part.rows if isinstance(part, Rows) else part.stacks)
    ]
    return {
        "deal": picture.deal,
        "planned": picture.planned,
        "turn": picture.turn,
        "groups": groups,
        "room": max((part.room for part in picture.board if isinstance(part, Rows)), default=0),
        "fresh": picture.fresh,
        "moving": picture.moving,
        "mover": picture.mover,
        "falling": picture.falling,
        "scores": [seat.score for seat in picture.seats],
        "ranks": [seat.rank for seat in picture.seats],
        "over": picture.over,
    }
