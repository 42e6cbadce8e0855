"""The picture of the live table in the README: drawn by the view itself from a record that lies beside it."""

import io
import re
from pathlib import Path

from rich.console import Console

from bullring.arena.display.table import LiveTable
from bullring.arena.records.reading import read_lines

RECORD = Path(__file__).resolve().parent / "live-table.jsonl"
"""A match of the sample bots, as `bullring match --record` wrote it."""
ENTRIES = 28
"""The picture shows the table after so many entries, in the middle of the match."""
WIDTH = 80


def picture() -> str:
    """The table as SVG."""
    view = LiveTable()
    for entry in read_lines(RECORD).entries[:ENTRIES]:
        view.feed(entry)
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(view)
    svg = console.export_svg(title="bullring match --watch", unique_id="table")
    # No fonts from elsewhere: whoever looks at the picture has one of fixed width.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
