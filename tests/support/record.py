"""Records: made without bots, read, and changed as by a forger."""

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from io import FileIO
from pathlib import Path
from typing import Any

import trio
from trio.testing import MockClock

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.registry import find
from bullring.arena.match.clock.watch import Watch
from bullring.arena.match.play import close_record
from bullring.arena.match.records.ends import sealed
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.match.records.wire import Exchange, Passed, Wire
from bullring.arena.match.records.writer import Recorder, encode
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seeds import Seed
from bullring.errors import StartFailure
from bullring.protocol.encoding import Encoder

NONCE = "nonce-of-the-tests"
"""The nonce of matches that are the same each time."""


def happenings(lines: Lines) -> Iterator[tuple[int, Event]]:
    """Everything that happened in a recorded match, as `bullring replay --json` prints it, with the numbers of the lines."""
    for number, happening in Replay().play(lines):
        for event in happening.lines():
            yield number, event


def record_of(
    path: Path,
    game: str = "standard",
    seats: int = 3,
    options: Mapping[str, object] | None = None,
    seed: str = "7",
) -> Path:
    """Write the record of a match that the referee plays for all seats."""
    given = (
        {"deals": 1} if options is None and any(spec.name == "deals" for spec in find(game).option_specs) else options
    )
    spec = MatchSpec(find(game)(seats, given), [f"bot {i}" for i in range(seats)], Seed.given(seed, NONCE))

    async def main() -> None:
        with FileIO(path, "w") as file:
            recorder = Recorder(file)
            players = [StartFailure("a hello", "nothing")] * seats
            result = await play(spec, players, recorder, Watch())
            close_record(recorder, spec, result, [""] * seats)

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return path


def sent_in(lines: Lines, seat: int, encoder: Encoder) -> Iterator[bytes]:
    """The messages of the referee to a seat, recomputed from a record."""
    for wired in Wire(lines, seat):
        match wired:
            case Passed(by_bot=False, body=body) | Exchange(question=body):
                yield encoder.message(body)
            case _:
                pass


def entries_of(record: Path) -> list[dict[str, Any]]:
    """The lines of a record."""
    return [json.loads(line) for line in record.read_bytes().splitlines()]


def resealed(entries: Sequence[dict[str, Any]]) -> bytes:
    """The lines as a whole record, with the seal that fits them and without a signature."""
    *lines, last = entries
    end = {key: value for key, value in last["end"].items() if key not in ("seal", "signature", "key")}
    before = "".join(encode(line) + "\n" for line in lines).encode("ascii")
    line, _ = sealed(end, sha256(before))
    return before + line.encode("ascii") + b"\n"
