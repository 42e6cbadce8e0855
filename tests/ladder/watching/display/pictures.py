"""Golden pictures of a run on a terminal, for people to read: standings, and from 24 lines on a featured table. `make goldens`."""

import io
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.progress import Progress, RunningMatch
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.featured import Featured
from bullring.ladder.watching.display.run import RunPicture
from tests.ladder.stored import match_of, played, recorded

FOLDER = Path(__file__).parent / "golden"
RECORD = Path(__file__).parents[4] / "docgen" / "live-table.jsonl"
SIZES = ((160, 50), (100, 30), (80, 24), (80, 23))

SECONDS = 20
"""Seconds after which the picture is taken."""


@contextmanager
def shown(record: bytes, others: int = 0) -> Iterator[tuple[RunPicture, Featured]]:
    """The picture of a ladder on which this match was played last, by the first of its bots and so many `others`."""
    names: list[str] = json.loads(record.splitlines()[0])["seats"]
    with TemporaryDirectory() as folder:
        home = Home.create(Path(folder) / "home", ["1s"])
        with closing(home.store()) as store:
            for name in (*names, *(f"other-{number}" for number in range(others))):
                store.add_bot(name, "a program")
            seats = tuple(range(1, len(names) + 1))
            matches = []
            for id in range(1, 61):
                lineup = seats[id % len(seats) :] + seats[: id % len(seats)]
                match = match_of(store, lineup, id=id, ranks=_ranks(lineup, id))
                matches.append(replace(match, seats=[replace(seat, heads=6 * seat.rank - 4) for seat in match.seats]))
            played(store, *matches)
            recorded(home, *((id, record) for id in range(1, 61)))
            list_ = store.lists()[0]
            rated = Rated(home, store, list_)
            featured = Featured(home, store, list_.id, rated.rating)
            running = [RunningMatch(id, names) for id in (61, 62)]
            progress = Progress(matches=60, seconds=61.0, all_seconds=300.0, playing=running)
            yield RunPicture(list_.title, rated, feature=lambda: featured, progress=progress), featured


def _ranks(lineup: tuple[int, ...], id: int) -> list[int]:
    """Places by which the bots with low numbers are better, most of the time."""
    order = sorted(lineup, key=lambda bot: bot * 7 + id * 13 * bot % 17)
    return [order.index(bot) + 1 for bot in lineup]


def drawn(picture: RunPicture, width: int, height: int, encoding: str = "utf-8") -> str:
    """What is on a terminal of this size."""
    out = io.TextIOWrapper(io.BytesIO(), encoding)
    console = Console(file=out, width=width, height=height, force_terminal=True)
    lines = console.render_lines(picture)
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines)


def pictures() -> Iterator[tuple[str, str]]:
    """Each picture with its name."""
    with shown(RECORD.read_bytes(), others=4) as (picture, _):
        picture.events.append(Text("12:34:56 greedy: timeout in match 31 (card): nothing in 1 s"))
        for tenth in range(10 * SECONDS):
            picture.advance(tenth / 10)
        for width, height in SIZES:
            yield f"run-{width}x{height}", drawn(picture, width, height)


def files() -> dict[str, str]:
    """All golden files and what must stand in them."""
    return {f"{name}.txt": text + "\n" for name, text in pictures()}
