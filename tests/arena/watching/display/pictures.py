"""Golden pictures of tables, for people to read: a file for each moment and size. Written anew by `make goldens`."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.games.rules.stages import Falls, Took
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.display.tabletop import sorry, tabletop
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.reducer import Reducer
from bullring.arena.watching.picture.steps import Asked, Ended
from tests.arena.games.rules import golden

FOLDER = Path(__file__).parent / "golden"
RECORD = Path(__file__).parents[4] / "docgen" / "live-table.jsonl"
SIZES = ((160, 50), (80, 24), (60, 15), (40, 12))


@cache
def match() -> list[Frame]:
    """A match of four bots."""
    reducer = Reducer()
    return [frame for entry in read_lines(RECORD).entries for frame in reducer.feed(entry)]


@cache
def game(name: str, seats: int) -> list[Frame]:
    """A short match of any game."""
    reducer = Reducer()
    short = {"deals": 1} if any(spec.name == "deals" for spec in GAMES[name].option_specs) else {}
    return [frame for entry in golden.entries(name, seats, short) for frame in reducer.feed(entry)]


def pictures() -> Iterator[tuple[str, str]]:
    """Each picture with its name."""
    falls = next(frame for frame in match() if frame.line > 28 and isinstance(frame.step, Falls))
    for width, height in SIZES:
        yield f"falls-{width}x{height}", tabletop(falls, width, height).plain
    yield "too-small-39x11", sorry(39, 11).plain
    took = match()[match().index(falls) + 1]
    assert isinstance(took.step, Took)
    yield "heads-fly-80x24", tabletop(took, 80, 24, phase=0.5).plain
    yield "end-80x24", tabletop(match()[-1], 80, 24).plain
    asked = next(frame for frame in match() if frame.line > 28 and isinstance(frame.step, Asked))
    thinks = asked.picture.with_seat(0, asked=False, down=True)
    yield "thinks-100x30", tabletop(Frame(asked.step, thinks), 100, 30, waited=3.2).plain
    for name, seats, at in (("eleven", 4, 0.6), ("logic", 4, 0.2), ("double", 10, 0.5), ("tournament", 4, 1.0)):
        frames = game(name, seats)
        frame = frames[int(at * (len(frames) - 1))]
        yield f"{name}-{seats}-80x24", tabletop(frame, 80, 24).plain
    assert isinstance(match()[-1].step, Ended)


def files() -> dict[str, str]:
    """All golden files and what must stand in them."""
    return {f"{name}.txt": text + "\n" for name, text in pictures()}
