"""What is a table, too: typed rows that a program reads, and data frames for people who analyse them.

pandas and polars are imported when a frame is asked for, and nothing else of Bullring knows them.
"""

from collections.abc import Iterable, Mapping
from html import escape
from importlib import import_module
from typing import Any, Generic, TypeVar

from bullring.errors import UsageError

T = TypeVar("T")

SHOWN = 20
"""Most rows that a notebook shows."""


class Tabular:
    """Something with a tidy table: one observation a row, one variable a column."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows of the table as mappings of column to value; all have the same columns."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a pandas data frame. Raises `UsageError` if pandas is not installed."""
        return _package("pandas").DataFrame(self.to_dicts())

    def to_polars(self) -> Any:
        """The table as a polars data frame. Raises `UsageError` if polars is not installed."""
        return _package("polars").DataFrame(self.to_dicts(), infer_schema_length=None)

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        rows = self.to_dicts()
        lines = [["th", *(rows[0] if rows else ())], *(["td", *row.values()] for row in rows[:SHOWN])]
        cells = "".join(
            "<tr>" + "".join(f"<{kind}>{escape(_shown(value))}</{kind}>" for value in values) + "</tr>"
            for kind, *values in lines
        )
        more = f"<p>and {len(rows) - SHOWN} more</p>" if len(rows) > SHOWN else ""
        return f"<table>{cells}</table>{more}"


class Table(list[T], Tabular, Generic[T]):
    """A list of typed rows that is a table, too."""

    def __init__(self, rows: Iterable[T] = (), facts: Iterable[Mapping[str, Any]] = ()) -> None:
        """`facts` are the rows of the table, which may be more than one for a row of the list."""
        super().__init__(rows)
        self._facts = tidy(facts)

    def to_dicts(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self._facts]


def tidy(facts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Facts as the rows of a table: what is a mapping gets a column for each of its values, and all rows get all columns."""
    flat = [_flat(row) for row in facts]
    columns = dict.fromkeys(column for row in flat for column in row)
    return [{column: row.get(column) for column in columns} for row in flat]


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            found |= {f"{key}_{name}": inner for name, inner in _flat(value).items()}
        else:
            found[key] = value
    return found


def _shown(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"to_{name}() needs {name}, which is not installed; install it with: pip install {name}"
        ) from None


__all__ = ["Table", "Tabular", "tidy"]
