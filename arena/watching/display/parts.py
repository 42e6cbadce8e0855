"""Pieces of tables in `rich`: names, columns, the score sheet."""

from collections.abc import Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.board import Sheet

_WIDTHS = {"bot": 13, "state": 9}
"""Minimum widths of columns that need more room than their title."""


def name_text(name: str) -> Text:
    """A name on one line, truncated where there is no room."""
    return Text(name, no_wrap=True, overflow="ellipsis")


def columns(*titles: str) -> Table:
    """An empty table with these columns; only "bot" shrinks on a narrow terminal."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for title in titles:
        words = title in ("bot", "state")
        table.add_column(
            title,
            justify="left" if words else "right",
            no_wrap=title != "bot",
            min_width=_WIDTHS.get(title, max(map(len, title.split("\n")))),
            max_width=40 if title == "bot" else None,
        )
    return table


def sheet_table(names: Sequence[str], sheet: Sheet) -> Table:
    """The score sheet of a tournament: the heads each seat took with each hand, and the totals."""
    table = Table(
        title="score sheet: heads taken with each drafted hand, by seat",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
        pad_edge=False,
    )
    table.add_column("hand of", no_wrap=True, max_width=20)
    table.add_column("ten cards", no_wrap=True, min_width=29)
    seats = [f"{seat} {harmless(name)}" for seat, name in enumerate(names)]
    for seat in range(len(seats)):
        table.add_column(f"{seat}", justify="right", min_width=4)
    lines = list(zip(seats, sheet.hands, sheet.heads, strict=True))
    for number, (drafter, hand, heads) in enumerate(lines, 1):
        table.add_row(name_text(drafter), " ".join(map(str, hand)), *map(str, heads), end_section=number == len(lines))
    table.add_row("in total", "", *(str(sum(heads[seat] for heads in sheet.heads)) for seat in range(len(names))))
    return table
