"""Matches of random moves, and pages of them."""

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import bullring
from bullring.arena.games.playouts import simulated
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.study.analysis import analyser
from bullring.arena.study.analysis.analyser import analyse
from bullring.arena.study.analysis.result import Analysis, Method
from bullring.arena.watching.page.page import page
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from tests.support.games import DIFFERENT

QUICK = (*DIFFERENT, "toy")
"""Games with all parts of boards; the others are looked at in `make slow`."""


def played(
    folder: Path,
    game: str = "standard",
    seats: int = 4,
    *,
    options: Mapping[str, object] | None = None,
) -> Lines:
    """The record of a match of random legal moves, always the same ones."""
    low, high = GAMES[game].seat_range
    chance = random.Random(7)

    def lively(message: dict[str, Any]) -> Any:
        return chance.choice(message["options"])

    count = max(low, min(high, seats))
    short = {"deals": 1} if any(spec.name == "deals" for spec in GAMES[game].option_specs) else {}
    path = folder / "match.jsonl"
    bullring.play(*[lively] * count, game=game, options=short if options is None else options, seed="7", record=path)
    return read_lines(path)


def renamed(lines: Lines, names: Sequence[str]) -> Lines:
    """The same record with other names, which nothing has checked."""
    head, rest = lines.data.split(b"\n", 1)
    return Lines(json.dumps({**json.loads(head), "seats": names}).encode() + b"\n" + rest, 0)


def written(folder: Path, lines: Lines) -> Path:
    """The page of a record, in a file."""
    path = folder / "match.html"
    path.write_text(page(lines), "utf-8")
    return path


def frames_of(lines: Lines) -> list[Frame]:
    """The frames that the page of a record should show."""
    reducer = Reducer(opened=lines.finished)
    return [frame for entry in lines.entries for frame in reducer.feed(entry)]


@cache
def analysis_of(lines: Lines) -> Analysis:
    """An analysis whose costs are made up: the first option is always best, and each one after it costs a head more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulated, "COMPILED", False)
        patch.setattr(analyser, "DEALS", 16)
        found = analyse(lines, Method(policy="cheapest", error=100.0, playouts=2))
    choices = [
        choice.model_copy(
            update={
                "best": 0,
                "heads": tuple(float(option + 1) for option in range(len(choice.options))),
                "errors": (0.1,) * len(choice.options),
                "cost": float(choice.chosen),
                "cost_error": 0.1,
            }
        )
        for choice in found.choices
    ]
    return found.model_copy(update={"choices": tuple(choices)})
