"""The beginning of a record from which a match that was left can go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.game import Game
from bullring.arena.match.records.reader import Entry, Lines, kind_of, read_lines
from bullring.arena.match.records.replay import Answered, Dealt, Replay
from bullring.arena.match.records.wire import Wire
from bullring.errors import RecordError

_SETTLED = ("bullring", "deal", "answers", "resumed")
"""The kinds of lines after which a match can go on: no batch is half answered."""


@dataclass
class Prefix:
    """A match as it was left. The state is the owner's, who may step in place."""

    data: bytes
    """The lines that stay. What follows them is cut off: half a line, or faults in a batch that was never completed."""
    head: Entry
    game: Game[Any]
    state: Any
    steps: Sequence[list[Event]]
    """The events, by line that they follow from."""
    seats: Sequence[Wire]
    """The sessions of the seats up to there."""


def read_prefix(path: Path) -> Prefix | None:
    """The prefix of a record; None if the match in it is over. Raises `RecordError`."""
    whole = read_lines(path)
    if whole.finished:
        return None
    raw = list(whole.raw())
    kinds = [kind_of(entry) for entry in whole.each()]
    while kinds and kinds[-1] not in _SETTLED:
        kinds.pop()
    if not kinds:
        raise RecordError(f"{path} has nothing from which the match could go on")
    return prefix_of(Lines(b"".join(line + b"\n" for line in raw[: len(kinds)])))


def prefix_of(lines: Lines) -> Prefix:
    """The prefix that consists of these lines. Raises `RecordError`."""
    replay = Replay()
    steps = [[*event.events] for _, event in replay.play(lines) if isinstance(event, Dealt | Answered)]
    seats = [Wire(lines, seat) for seat in range(len(replay.names))]
    for seat in seats:
        for _ in seat:
            pass
    data = b"".join(line + b"\n" for line in lines.raw())
    return Prefix(data, replay.head, replay.game, replay.state, steps, seats)
