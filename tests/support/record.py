"""A finished record, made without bots."""

from collections.abc import Mapping
from io import FileIO
from pathlib import Path

import trio
from trio.testing import MockClock

from arena.clock import StallWatch
from arena.match import MatchSpec, close_record, play
from arena.record import Recorder
from arena.rules.registry import find
from arena.seats.player import StartFailure
from arena.seeds import Seed


def record_of(
    path: Path,
    game: str = "standard",
    seats: int = 3,
    options: Mapping[str, object] | None = None,
) -> Path:
    """Write the record of a match that the referee plays for all seats."""
    spec = MatchSpec(find(game)(seats, options or {"deals": 1}), [f"bot {i}" for i in range(seats)], Seed.given("7"))

    async def main() -> None:
        with FileIO(path, "w") as file:
            recorder = Recorder(file)
            players = [StartFailure("a hello", "nothing")] * seats
            result = await play(spec, players, recorder, StallWatch())
            close_record(recorder, spec, result, [""] * seats)

    trio.run(main, clock=MockClock(autojump_threshold=0))
    return path
