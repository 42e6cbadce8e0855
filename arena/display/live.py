"""The live table, a program of its own: it follows a record while it is written and draws it, or tells it where no terminal is.

Drawing takes longer than a fast bot's turn, so it must not happen where clocks run: the referee starts this as a process, which
reads the record and ends with the match or, if its stdin is closed before, with the referee.
"""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.live import Live

from bullring.arena.display.story import Story
from bullring.arena.display.table import LiveTable
from bullring.arena.records.reading import follow
from bullring.arena.records.replay import Replay
from bullring.errors import INTERRUPTED, RecordError

REDRAW = 0.5
"""Seconds after which the table is drawn again though nothing happened: the clocks run."""

GRACE = 5.0
"""Seconds that the program may take to draw the end of a match."""

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.display.live")
"""Never from the working folder (-P), which may hold anything."""


@contextmanager
def watching(record: Path, out: TextIO) -> "Iterator[subprocess.Popen[bytes]]":
    """The program, following a record that is there already. It ends with the match, or when this is left."""
    process = subprocess.Popen([*PROGRAM, str(record.resolve())], stdin=subprocess.PIPE, stdout=out)
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def draw(path: Path, console: Console) -> None:
    """Keep the table on the terminal until the match is over."""
    table = LiveTable()
    latest = drawn = time.monotonic()
    with Live(table, console=console, auto_refresh=False) as live:
        for found in follow(path, _stdin_open):
            now = time.monotonic()
            for entry in found:
                table.feed(entry)
            if found:
                latest = now
            table.waited = now - latest
            if found or now - drawn > REDRAW:
                live.refresh()
                drawn = now


def tell(path: Path) -> None:
    """Print the match as text, line by line."""
    replay = Replay(telling=True)
    story = Story(replay, hands=False)
    for found in follow(path, _stdin_open):
        for entry in found:
            for line in story.lines(replay.feed(entry)):
                print(line, flush=True)  # noqa: T201  # it is what this program is for


def _stdin_open() -> bool:
    if sys.stdin is None or sys.stdin.closed:
        return True
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return not ready or bool(os.read(sys.stdin.fileno(), 4096))


def main() -> int:
    """`python -m bullring.arena.display.live RECORD`."""
    console = Console()
    try:
        if console.is_terminal:
            draw(Path(sys.argv[1]), console)
        else:
            tell(Path(sys.argv[1]))
    except BrokenPipeError:
        return 0
    except (RecordError, OSError) as error:
        Console(stderr=True).print(f"the live table ends: {error}", markup=False)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
