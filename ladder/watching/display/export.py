"""Matches as a table for people's own analysis: one row for each match and seat, as CSV or Parquet."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any

from bullring.errors import LadderError
from bullring.ladder.store.rows import MatchRow

COLUMNS: Mapping[str, str] = {
    "match": "int64",
    "group": "int64",
    "format": "string",
    "began": "timestamp",
    "ended": "timestamp",
    "void": "string",
    "counted": "bool",
    "deals": "int32",
    "seats": "int32",
    "seat": "int32",
    "bot": "string",
    "heads": "int32",
    "rank": "int32",
    "faults": "string",
    "closed": "bool",
    "decisions": "int32",
    "wall_us": "int64",
    "cpu_us": "int64",
    "starts": "int32",
    "metrics": "string",
}
"""The columns, in order, with their types in Parquet."""

ROWS = 1 << 16
"""Rows of a row group."""


def seat_rows(matches: Iterable[MatchRow], names: Mapping[int, str]) -> Iterator[tuple[Any, ...]]:
    """The rows of some matches, with values in the order of `COLUMNS`; `names` has the bots' names by id."""
    for match in matches:
        own = match.id, match.group, match.format, match.began, match.ended, match.void, match.counted, match.deals
        for number, seat in enumerate(match.seats):
            yield (
                *own,
                len(match.seats),
                number,
                names[seat.bot],
                seat.heads,
                seat.rank or None,
                " ".join(seat.faults),
                seat.closed,
                sum(seat.times.values()),
                seat.spent.wall_us,
                seat.spent.cpu_us,
                seat.spent.starts,
                json.dumps(seat.metrics) if seat.metrics else None,
            )


def write_csv(rows: Iterable[tuple[Any, ...]], file: IO[str]) -> None:
    """Write rows with a header. Absent values are empty; true and false are written as words."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([str(value).lower() if isinstance(value, bool) else value for value in row] for row in rows)


def write_parquet(rows: Iterable[tuple[Any, ...]], path: Path) -> None:
    """Write rows, a group after another. Raises `LadderError` without pyarrow, and `OSError`."""
    try:
        import pyarrow as pa
        from pyarrow import compute, parquet
    except ImportError:
        raise LadderError(
            "Parquet needs pyarrow, which is not installed; install it with: pip install 'bullring[parquet]'"
        ) from None
    moment = pa.timestamp("s", tz="UTC")
    types = {name: moment if kind == "timestamp" else pa.type_for_alias(kind) for name, kind in COLUMNS.items()}
    schema = pa.schema(types.items())
    rows = iter(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while some := list(islice(rows, ROWS)):
            arrays = []
            for (name, kind), values in zip(types.items(), zip(*some, strict=True), strict=True):
                if kind == moment:
                    parsed = compute.strptime(pa.array(values), format="%Y-%m-%dT%H:%M:%SZ", unit="s")
                    arrays.append(compute.assume_timezone(parsed, "UTC"))
                else:
                    arrays.append(pa.array(values, types[name]))
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
