"""A column of a table is declared once: terminal, page, CSV and JSON read its `Column`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rich import box
from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken

Row = TypeVar("Row")

Form = Callable[[Any], str | Text]
"""Writes a value for people."""


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column of tables; each line is made from a `Row`."""

    key: str
    """Its name in JSON and CSV."""
    title: str
    """The key of its title among the texts, or a title that is no such key."""
    value: Callable[[Row], Any]
    """The value in a row; None if it is not known, which is an empty cell."""
    form: Form = str
    shown: frozenset[str] = field(default=frozenset())
    """The tables that have this column, by names that their room gives them; empty for all."""
    left: bool = False
    """Aligned to the left, as words are."""
    weight: int = 0
    """Dropped first on narrow terminals if highest; 0 always stays."""
    least: int = 0
    """Least width, in characters; the title always fits."""

    def cell(self, row: Row) -> Text:
        """The value in a row, for people."""
        value = self.value(row)
        written = "" if value is None else value if isinstance(value, Text) else self.form(value)
        return Text(written) if isinstance(written, str) else written

    @property
    def head(self) -> str:
        """Its title in words."""
        found = spoken().find(self.title)
        return found if isinstance(found, str) else self.title

    def width(self, rows: Iterable[Row]) -> int:
        """The width that all cells need."""
        return max(self.least, *map(len, self.head.split("\n")), *(self.cell(row).cell_len for row in rows), 0)


def chosen(columns: Iterable[Column[Row]], table: str) -> list[Column[Row]]:
    """The columns of the table of this name."""
    return [column for column in columns if not column.shown or table in column.shown]


def fitting(
    columns: Sequence[Column[Row]], width: int, needed: Callable[[Sequence[Column[Row]]], int]
) -> list[Column[Row]]:
    """Drop the columns of most weight until the width `needed` by the others fits, or only columns without weight are left."""
    kept = list(columns)
    while needed(kept) > width and any(column.weight for column in kept):
        kept.remove(max(kept, key=lambda column: column.weight))
    return kept


def table_of(columns: Sequence[Column[Row]], rows: Iterable[Row]) -> Table:
    """A table of these columns. Only a column of words that has a least width shrinks on a narrow terminal."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), collapse_padding=True, pad_edge=False)
    for column in columns:
        shrinks = column.left and column.least > 0
        table.add_column(
            column.head,
            justify="left" if column.left else "right",
            no_wrap=not shrinks,
            overflow="ellipsis",
            min_width=column.least if shrinks else column.width(()),
            max_width=40 if shrinks else None,
        )
    for row in rows:
        table.add_row(*(column.cell(row) for column in columns))
    return table


def name_text(name: str) -> Text:
    """A stranger's name on one line, truncated where there is no room."""
    return Text(harmless(name), no_wrap=True, overflow="ellipsis")


def digits(count: int) -> Form:
    """A number with `count` digits after the point; none for large ones."""
    return lambda value: spoken().number(value, f".{count if abs(value) < 1000 else 0}f")


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{spoken().number(100 * share, '.1f')} %"


def tally(count: int) -> str:
    """A number of things; 0 is an empty cell."""
    return str(count or "")
