"""Records: one that is made without bots, and what happens in one."""

from collections.abc import Iterator, Mapping
from io import FileIO
from pathlib import Path

import trio
from trio.testing import MockClock

from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.registry import find
from bullring.arena.match.clock.watch import Watch
from bullring.arena.match.play import close_record
from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.match.records.writer import Recorder
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seeds import Seed
from bullring.errors import StartFailure

NONCE = "nonce-of-the-tests"
"""What a match needs to be the same each time, beside its seed."""


def happenings(lines: Lines) -> Iterator[tuple[int, Event]]:
    """All that happened in a recorded match, as `bullring replay --json` prints it, with the numbers of the lines."""
    for number, happening in Replay().play(lines):
        for event in happening.lines():
            yield number, event


def record_of(
    path: Path,
    game: str = "standard",
    seats: int = 3,
    options: Mapping[str, object] | None = None,
) -> Path:
    """Write the record of a match that the referee plays for all seats."""
    given = (
        {"deals": 1} if options is None and any(spec.name == "deals" for spec in find(game).option_specs) else options
    )
    spec = MatchSpec(find(game)(seats, given), [f"bot {i}" for i in range(seats)], Seed.given("7", NONCE))

    async def main() -> None:
        with FileIO(path, "w") as file:
            recorder = Recorder(file)
            players = [StartFailure("a hello", "nothing")] * seats
            result = await play(spec, players, recorder, Watch())
            close_record(recorder, spec, result, [""] * seats)

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return path
