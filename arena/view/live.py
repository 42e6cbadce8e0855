"""The live view, a program of its own: it follows a record while it is written and draws it.

Drawing takes longer than a fast bot's turn, so it must not happen where clocks run: the referee starts this as a process, which
reads the record file and ends with the match or, if its stdin is closed before, with the referee.
"""

import os
import select
import sys
import time
from io import FileIO
from pathlib import Path

from rich.console import Console
from rich.live import Live

from arena.replay import RecordError, parse_line
from arena.view.table import TableView

_POLL = 0.05
"""Seconds between two looks at the file."""


def follow(path: Path, console: Console) -> None:
    """Draw the record at `path` until its match is over."""
    view = TableView()
    with path.open("rb", buffering=0) as file, Live(view, console=console, auto_refresh=False) as live:
        assert isinstance(file, FileIO)
        rest = b""
        number = 0
        orphaned = False
        latest = drawn = time.monotonic()
        while not view.over:
            data = file.read(1 << 16) or b""
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                number += 1
                view.feed(parse_line(line, number))
            now = time.monotonic()
            if lines:
                latest = now
            elif orphaned:
                return
            else:
                orphaned = _stdin_closed(_POLL)
            view.waited = now - latest
            if lines or now - drawn > 0.5:
                live.refresh()
                drawn = now


def _stdin_closed(wait: float) -> bool:
    if sys.stdin is None or sys.stdin.closed:
        time.sleep(wait)
        return False
    ready, _, _ = select.select([sys.stdin], [], [], wait)
    return bool(ready) and not os.read(sys.stdin.fileno(), 4096)


def main() -> int:
    """`python -m arena.view.live RECORD`."""
    try:
        follow(Path(sys.argv[1]), Console(stderr=True))
    except (RecordError, OSError) as error:
        Console(stderr=True).print(f"the view ends: {error}", markup=False)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
