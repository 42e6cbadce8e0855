"""The live view, a program of its own: it follows a record while it is written and draws it, or tells it where no terminal is.

Drawing takes longer than a fast bot's turn, so it must not happen where clocks run: the referee starts this as a process, which
reads the record file and ends with the match or, if its stdin is closed before, with the referee.
"""

import os
import select
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.live import Live

from arena.replay import Entry, RecordError, Replay, parse_line
from arena.view.plain import Story
from arena.view.table import TableView

_POLL = 0.05
"""Seconds between two looks at the file."""
_REDRAW = 0.5
"""Seconds after which the table is drawn again though nothing happened: the clocks run."""


def entries(path: Path) -> Iterator[list[Entry]]:
    """The entries of the record at `path` as they come, none for each moment without; ends with the match or the referee."""
    with path.open("rb", buffering=0) as file:
        rest = b""
        number = 0
        orphaned = False
        while True:
            data = file.read(1 << 16) or b""
            *lines, rest = (rest + data).split(b"\n")
            found = [parse_line(line, number + i) for i, line in enumerate(lines, 1)]
            number += len(lines)
            yield found
            if any("end" in entry for entry in found) or (orphaned and not data):
                return
            if not data and not orphaned:
                orphaned = _stdin_closed(_POLL)


def draw(path: Path, console: Console) -> None:
    """Keep the table on the terminal until the match is over."""
    view = TableView()
    latest = drawn = time.monotonic()
    with Live(view, console=console, auto_refresh=False) as live:
        for found in entries(path):
            now = time.monotonic()
            for entry in found:
                view.feed(entry)
            if found:
                latest = now
            view.waited = now - latest
            if found or now - drawn > _REDRAW:
                live.refresh()
                drawn = now


def tell(path: Path) -> None:
    """Print the match as text, line by line."""
    replay, story = Replay(), Story(hands=False)
    for found in entries(path):
        for entry in found:
            for event in replay.feed(entry):
                for line in story.lines(event):
                    print(line, flush=True)  # noqa: T201  # it is what this program is for


def _stdin_closed(wait: float) -> bool:
    if sys.stdin is None or sys.stdin.closed:
        time.sleep(wait)
        return False
    ready, _, _ = select.select([sys.stdin], [], [], wait)
    return bool(ready) and not os.read(sys.stdin.fileno(), 4096)


def main() -> int:
    """`python -m arena.view.live RECORD`."""
    console = Console()
    try:
        if console.is_terminal:
            draw(Path(sys.argv[1]), console)
        else:
            tell(Path(sys.argv[1]))
    except BrokenPipeError:
        return 0
    except (RecordError, OSError) as error:
        Console(stderr=True).print(f"the view ends: {error}", markup=False)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
