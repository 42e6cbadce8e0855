"""The live table, a separate program: it follows a record being written and draws it, or prints it as text if not on a terminal.

Drawing takes longer than a fast bot's turn, so it must not happen in the process that keeps the clocks. The referee starts this
program as a child process, which reads the record and ends with the match, or with the referee if its stdin is closed first.
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
from rich.text import Text

from bullring.arena.display.story import Story
from bullring.arena.display.table import LiveTable
from bullring.arena.display.text import harmless
from bullring.arena.linebuffer import LineBuffer
from bullring.arena.records.reading import follow
from bullring.arena.records.replay import Replay
from bullring.errors import INTERRUPTED, RecordError

REDRAW = 0.5
"""Seconds after which the table is redrawn even if nothing happened, since the clocks run on."""

GRACE = 5.0
"""Seconds the program may take to draw the end of a match."""

PROGRAM = (sys.executable, "-P", "-m", "bullring.arena.display.live")
"""The command. With -P, Python imports nothing from the working folder, which may hold anything."""


@contextmanager
def watching(record: Path, out: TextIO) -> "Iterator[subprocess.Popen[bytes]]":
    """Run the program on an existing record. It ends with the match, or when the context is left."""
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


def stdin_of(live: "subprocess.Popen[bytes]") -> int:
    """The descriptor to which lines can be written that the program shows above the table."""
    assert live.stdin is not None
    return live.stdin.fileno()


def draw(path: Path, console: Console) -> None:
    """Keep the table on the terminal up to date until the match is over."""
    said = LineBuffer()

    def goes_on() -> bool:
        """Show the lines that came on stdin above the table. Returns whether more may come."""
        data = _stdin()
        for line in said.feed(data or b""):
            live.console.print(Text(harmless(line.decode("utf-8", "replace"))))
        return data is not None

    table = LiveTable()
    latest = drawn = time.monotonic()
    with Live(table, console=console, auto_refresh=False) as live:
        for found in follow(path, goes_on):
            now = time.monotonic()
            for entry in found:
                table.feed(entry)
            if found:
                latest = now
            table.waited = now - latest
            if found or now - drawn > REDRAW:
                live.refresh()
                drawn = now
        goes_on()


def tell(path: Path) -> None:
    """Print the match as text, line by line."""
    replay = Replay(telling=True)
    story = Story(replay, hands=False)
    for found in follow(path, lambda: _stdin() is not None):
        for entry in found:
            for line in story.lines(replay.feed(entry)):
                print(line, flush=True)  # noqa: T201  # printing is this program's job


def _stdin() -> bytes | None:
    """What came on stdin; None if it was closed."""
    if sys.stdin is None or sys.stdin.closed:
        return b""
    ready, _, _ = select.select([sys.stdin], [], [], 0)
    return (os.read(sys.stdin.fileno(), 65536) or None) if ready else b""


def main() -> int:
    """Run `python -m bullring.arena.display.live RECORD`. Returns the exit code."""
    console = Console()
    try:
        if console.is_terminal:
            draw(Path(sys.argv[1]), console)
        else:
            tell(Path(sys.argv[1]))
    except BrokenPipeError:
        return 0
    except (RecordError, OSError) as error:
        Console(stderr=True).print(f"the live table stops: {error}", markup=False)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
