"""The table of what is kept of the builds of bots."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.display.text import size_text


def cache_table(facts: Iterable[Mapping[str, Any]]) -> Table:
    """What is kept: for which bot, of what kind, its size, when it was used last, and the bot's folder."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("bot", "kept", "size", "used", "folder"):
        table.add_column(
            title, overflow="fold", no_wrap=title != "folder", justify="right" if title == "size" else "left"
        )
    for each in facts:
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(each["used"]))
        words = (harmless(each["bot"], 64), each["kind"], size_text(each["size"]), used, harmless(each["folder"]))
        table.add_row(*map(Text, words))
    return table
