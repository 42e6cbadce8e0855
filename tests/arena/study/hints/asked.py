"""Questions of every kind in every game, with the positions that they are asked in."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bullring.arena.games.rules.game import Batch, Game
from tests.arena.games.rules.playing import GameType, steps


@dataclass(frozen=True)
class Asked:
    """A question to a seat."""

    game: Game[Any]
    state: Any
    seat: int
    welcome: dict[str, Any]
    question: dict[str, Any]


def asked(game: Game[Any], state: Any) -> Asked:
    """The question to the last seat that is asked, as a bot gets it."""
    batch = state.pending
    seat = batch.seats[-1]
    welcome = {"type": "welcome", "game": game.id, "options": game.options, "seats": game.seats, "seed": 7, "start": 0}
    question = {
        "type": "decide",
        "id": 3,
        "kind": batch.kind,
        "options": batch.options[-1],
        "view": game.view(state, seat),
    }
    return Asked(game, state, seat, welcome, json.loads(json.dumps(question)))


def questions(kind: GameType, seed: int = 1, of_a_kind: int = 1) -> Iterator[Asked]:
    """Some questions of each kind with more than one option, from one match."""
    game = kind(min(4, kind.seat_range[1]))
    found: dict[str, int] = {}
    for step in steps(game, seed):
        batch = step.after.pending
        if isinstance(batch, Batch) and len(batch.options[-1]) > 1 and found.get(batch.kind, 0) < of_a_kind:
            found[batch.kind] = found.get(batch.kind, 0) + 1
            yield asked(game, step.after)
