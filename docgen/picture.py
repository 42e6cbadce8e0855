"""The picture of the live table in the README, drawn by the live table itself from the record beside this file."""

import io
import re
from pathlib import Path

from rich.console import Console

from bullring.arena.display.table import LiveTable
from bullring.arena.records.reading import read_lines

RECORD = Path(__file__).resolve().parent / "live-table.jsonl"
"""A match of the sample bots, written by `bullring match --record`."""
ENTRIES = 28
"""Number of entries after which the table is drawn: the middle of the match."""
WIDTH = 80


def picture() -> str:
    """The table as SVG."""
    table = LiveTable()
    for entry in read_lines(RECORD).entries[:ENTRIES]:
        table.feed(entry)
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(table)
    svg = console.export_svg(title="bullring match --watch", unique_id="table")
    # Load no fonts from the web: every viewer has a monospaced one.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
