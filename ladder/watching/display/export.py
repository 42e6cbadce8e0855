"""Matches for people's own analysis: as JSON, and as CSV or Parquet with one row for each match and seat."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

from bullring.errors import LadderError
from bullring.ladder.store.rows import MatchRow, SeatRow

T = TypeVar("T")


class Seat(NamedTuple):
    """A seat of a match, as it is exported."""

    number: int
    bot: str
    row: SeatRow


@dataclass(frozen=True)
class Field(Generic[T]):
    """A field of a match: JSON has its values as they are, a table as text where they are lists or mappings."""

    kind: str
    """Its type in Parquet."""
    value: Callable[[T], Any]


MATCH: Mapping[str, Field[MatchRow]] = {
    "match": Field("int64", lambda match: match.id),
    "group": Field("int64", lambda match: match.group),
    "format": Field("string", lambda match: match.format),
    "began": Field("timestamp", lambda match: match.began),
    "ended": Field("timestamp", lambda match: match.ended),
    "void": Field("string", lambda match: match.void),
    "counted": Field("bool", lambda match: match.counted),
    "deals": Field("int32", lambda match: match.deals),
    "sandbox": Field("string", lambda match: match.confinement and match.confinement.sandbox),
    "lacks": Field("string", lambda match: match.confinement and list(match.confinement.lacks)),
}
"""The columns of a match."""

SEATS = "seats"
"""The column with the number of seats; in JSON the seats themselves."""

SEAT: Mapping[str, Field[Seat]] = {
    "seat": Field("int32", lambda seat: seat.number),
    "bot": Field("string", lambda seat: seat.bot),
    "heads": Field("int32", lambda seat: seat.row.heads),
    "rank": Field("int32", lambda seat: seat.row.rank or None),
    "faults": Field("string", lambda seat: list(seat.row.faults)),
    "closed": Field("bool", lambda seat: seat.row.closed),
    "decisions": Field("int32", lambda seat: seat.row.decisions),
    "wall_us": Field("int64", lambda seat: seat.row.spent.wall_us),
    "cpu_us": Field("int64", lambda seat: seat.row.spent.cpu_us),
    "starts": Field("int32", lambda seat: seat.row.spent.starts),
    "metrics": Field("string", lambda seat: dict(seat.row.metrics)),
}
"""The columns of a seat."""

COLUMNS: Mapping[str, str] = {
    **{name: field.kind for name, field in MATCH.items()},
    SEATS: "int32",
    **{name: field.kind for name, field in SEAT.items()},
}
"""The columns of a table, in order, with their types in Parquet."""

ROWS = 1 << 16
"""Rows of a row group."""


def match_facts(match: MatchRow, names: Mapping[int, str]) -> dict[str, Any]:
    """A match for JSON; `names` has the bots' names by id."""
    seats = [{name: field.value(seat) for name, field in SEAT.items()} for seat in _seats(match, names)]
    return {**{name: field.value(match) for name, field in MATCH.items()}, SEATS: seats}


def seat_rows(matches: Iterable[MatchRow], names: Mapping[int, str]) -> Iterator[tuple[Any, ...]]:
    """The rows of some matches, with values in the order of `COLUMNS`."""
    for match in matches:
        own = [_flat(field.value(match)) for field in MATCH.values()]
        for seat in _seats(match, names):
            yield (*own, len(match.seats), *(_flat(field.value(seat)) for field in SEAT.values()))


def _seats(match: MatchRow, names: Mapping[int, str]) -> Iterator[Seat]:
    return (Seat(number, names[row.bot], row) for number, row in enumerate(match.seats))


def _flat(value: Any) -> Any:
    """A value in a cell."""
    if isinstance(value, list):
        return " ".join(value)
    if isinstance(value, dict):
        return json.dumps(value) if value else None
    return value


def write_csv(rows: Iterable[tuple[Any, ...]], file: IO[str]) -> None:
    """Write rows with a header. Absent values are empty; true and false are written as words."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([str(value).lower() if isinstance(value, bool) else value for value in row] for row in rows)


def write_lines(matches: Iterable[MatchRow], names: Mapping[int, str], file: IO[str]) -> None:
    """Write matches as JSON lines."""
    file.writelines(json.dumps(match_facts(match, names)) + "\n" for match in matches)


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
