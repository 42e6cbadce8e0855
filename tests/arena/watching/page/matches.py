"""Matches of random moves, and pages of them."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bullring
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.match.records.reader import Lines, read_lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.study.analysis.questions import deals
from bullring.arena.study.analysis.result import Account, Analysis, Choice, Method, Parts
from bullring.arena.watching.page.page import page
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer


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


def analysis_of(lines: Lines) -> Analysis:
    """An analysis that was made up: the first option is always best, and each one after it costs a head more."""
    choices = [
        Choice(
            line=question.line,
            deal=question.deal,
            turn=question.turn,
            kind=question.decision.kind,
            seat=question.seat,
            by=question.by,
            options=question.options,
            chosen=question.chosen,
            best=0,
            heads=tuple(float(option + 1) for option in range(len(question.options))),
            errors=(0.1,) * len(question.options),
            error=0.1,
            cost=float(question.chosen),
            cost_error=0.1,
            playouts=10,
        )
        for deal in deals(lines, Replay())
        for question in deal.questions
    ]
    heads = frames_of(lines)[-1].picture.seats
    accounts = [
        Account(
            seat=seat,
            name=picture.name,
            moves=1,
            cost=1.0,
            cost_error=0.1,
            parts=Parts(
                heads=picture.score,
                par=10,
                deal=-1,
                others=-2,
                edge=-3,
                mistakes=picture.score - 4,
                par_error=0.1,
                deal_error=0.1,
                choice_error=0.1,
            ),
        )
        for seat, picture in enumerate(heads)
    ]
    return Analysis(
        record=lines.seal or "",
        version="test",
        game="standard",
        method=Method(),
        simulated=True,
        accounts=tuple(accounts),
        choices=tuple(choices),
    )
