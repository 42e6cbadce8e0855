"""The picture of a table in the README, drawn as `match --watch` draws it, from the record beside this file."""

import io
import re
from pathlib import Path

from rich.console import Console

from bullring.arena.games.rules.stages import Falls
from bullring.arena.match.records.reader import read_lines
from bullring.arena.watching.display.tabletop import tabletop
from bullring.arena.watching.picture.reducer import Reducer

RECORD = Path(__file__).resolve().parent / "live-table.jsonl"
"""A match of the sample bots, written by `bullring match --record`."""
ENTRIES = 28
"""Number of entries after which the next row that falls is drawn: the middle of the match."""
WIDTH, HEIGHT = 100, 30


def picture() -> str:
    """The table as SVG."""
    reducer = Reducer()
    frames = [frame for entry in read_lines(RECORD).entries for frame in reducer.feed(entry)]
    frame = next(frame for frame in frames if frame.line > ENTRIES and isinstance(frame.step, Falls))
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(tabletop(frame, WIDTH, HEIGHT))
    svg = console.export_svg(title="bullring match --watch", unique_id="table")
    # Load no fonts from the web: every viewer has a monospaced one.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
