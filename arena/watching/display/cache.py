"""The table of what is kept of the builds of bots."""

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.display.text import size_text

TITLES = ("bot", "kept", "size", "used", "folder")
_GAP = 2
_LEAST = 10
"""Characters of a folder in any case."""


def cache_table(facts: Iterable[Mapping[str, Any]], width: int) -> Table:
    """What is kept: for which bot, of what kind, its size, when it was used last, and the bot's folder; a line for each.

    Of a path for which the width does not suffice there is the end, which tells more.
    """
    rows = []
    for each in facts:
        used = time.strftime("%y-%m-%d %H:%M", time.localtime(each["used"]))
        rows.append(
            (harmless(each["bot"], 20), each["kind"], size_text(each["size"]), used, _from_home(each["folder"]))
        )
    *others, _ = (max(map(cell_len, column)) for column in zip(TITLES, *rows, strict=True))
    room = max(_LEAST, width - sum(others) - _GAP * len(others))
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False)
    for title in TITLES:
        table.add_column(title, no_wrap=True, justify="right" if title == "size" else "left")
    for *words, folder in rows:
        table.add_row(*map(Text, (*words, _end(folder, room))))
    return table


def _from_home(folder: str) -> str:
    home = f"{Path.home()}/"
    return harmless(f"~/{folder.removeprefix(home)}" if folder.startswith(home) else folder)


def _end(path: str, most: int) -> str:
    return path if len(path) <= most else f"\u2026{path[1 - most :]}"
