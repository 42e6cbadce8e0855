"""The audit of a home: every record is verified, and held against the seal and the result that the store keeps."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bullring.errors import RecordError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.results import read_result
from bullring.ladder.keeping.rows import MatchRow
from bullring.ladder.keeping.store import Store, packed


@dataclass
class Audit:
    """What an audit found."""

    records: int = 0
    """Records that are as they were sealed, and the results of which are in the store."""
    void: int = 0
    """How many of them are of void matches."""
    playing: int = 0
    """Matches that are not over yet, or were cut off."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """What is wrong: the path of a record in the folder of records, and the reason."""


def audit(home: Home, store: Store, key: str | None = None) -> Audit:
    """Verify all records of a home. With a public `key`, each must be signed with it. Changes nothing. Raises `StoreError`."""
    found = Audit()
    bots = {row.name: row.id for row in store.bots()}
    lists = {_key(row.game, row.options, row.seats): row.id for row in store.lists()}

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        if (id := lists.get(_key(game, options, seats))) is None:
            raise RecordError("this ladder has no list of such matches")
        return id

    playing = {home.record(id) for id in store.playing()}
    known = set(playing)
    for row in (row for list_ in lists.values() for row in store.matches_in(list_)):
        path = home.record(row.id)
        known.add(path)
        try:
            match = read_result(path, bots, list_of, key)[0]
            _hold(match, row)
            _hold_rated(match, row, store.packed_of(row.id))
        except RecordError as error:
            found.wrong.append((_name(home, path), str(error)))
        else:
            found.records += 1
            found.void += row.void is not None
    for path in records_of(home):
        if path in playing:
            found.playing += 1
        elif path not in known:
            found.wrong.append((_name(home, path), "the store knows no such match"))
    return found


def records_of(home: Home) -> list[Path]:
    """All files where records are kept, in the order of the matches."""
    return sorted((path for path in home.records.rglob("*") if not path.is_dir()), key=_order)


def check_seal(match: MatchRow, seal: str) -> None:
    """Raise `RecordError` if the record of a match is not the one that the store keeps the seal of."""
    if match.seal != seal:
        raise RecordError(f"not the record that was sealed: expected the seal {seal}, got {match.seal}")


def _hold(match: MatchRow, row: MatchRow) -> None:
    """Raise `RecordError` if the store tells of a match something else than its record."""
    check_seal(match, row.seal)
    ours, theirs = vars(replace(match, counted=row.counted)), vars(row)
    differing = [key for key in ours if ours[key] != theirs[key]]
    if differing:
        key = differing[0]
        raise RecordError(
            f"the store has another result: {key} is {theirs[key]!r:.200}, and here it is {ours[key]!r:.200}"
        )


def _hold_rated(match: MatchRow, row: MatchRow, rated: tuple[bytes, bytes, bytes]) -> None:
    """Raise `RecordError` if what ratings are computed from is something else than the record tells."""
    if rated != packed(match) or (row.group is None and row.counted != (row.void is None)):
        raise RecordError("the store rates another result than that of this record")


def _name(home: Home, path: Path) -> str:
    return str(path.relative_to(home.records))


def _key(game: str, options: Mapping[str, Any], seats: int) -> str:
    return json.dumps([game, options, seats], sort_keys=True)


def _order(path: Path) -> tuple[int, str]:
    return (int(path.stem) if path.stem.isdecimal() and len(path.stem) < 19 else 0, path.name)
