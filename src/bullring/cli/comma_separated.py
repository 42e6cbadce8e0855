"""Tables for programs as comma-separated values."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bullring.arena.cells.text.harmless import harmless


def comma_separated(rows: Iterable[Mapping[str, Any]], titles: Sequence[str]) -> str:
    """The rows under a line of titles; absent values are empty."""
    text = io.StringIO()
    writer = csv.DictWriter(text, titles, lineterminator="\n")
    writer.writeheader()
    # The output may go to a terminal, so strangers' names are made harmless here, too.
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A figure with as many digits as mean something; JSON has all."""
    return harmless(value) if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else value
