"""The audit of a home: every record is verified, and held against the seal and the result that the store keeps."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bullring.errors import RecordError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.records import SUFFIX
from bullring.ladder.keeping.results import read_result
from bullring.ladder.keeping.rows import MatchRow
from bullring.ladder.keeping.store import Store


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
    """What is wrong: a match, or the path of a file in the folder of records, and the reason."""


def audit(home: Home, store: Store, key: str | None = None) -> Audit:
    """Verify all records of a home. With a public `key`, each must be signed with it. Changes nothing. Raises `StoreError`."""
    found = Audit()
    bots = {row.name: row.id for row in store.bots()}
    lists = {_key(row.game, row.options, row.seats): row.id for row in store.lists()}

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        if (id := lists.get(_key(game, options, seats))) is None:
            raise RecordError("this ladder has no list of such matches")
        return id

    known = set()
    for row in (row for list_ in lists.values() for row in store.matches_in(list_)):
        known.add(row.id)
        try:
            match = read_result(home.lines(row.id), row.id, bots, list_of, key)[0]
            _hold(match, row)
            _hold_rated(row)
        except RecordError as error:
            found.wrong.append((f"match {row.id}", str(error)))
        else:
            found.records += 1
            found.void += row.void is not None
    found.playing = len(store.playing())
    strays = [f"match {match}" for match in home.kept.matches() if match not in known]
    for name in strays + list(map(str, old_strays(home, known))):
        found.wrong.append((name, "the store knows no such match"))
    return found


def old_strays(home: Home, known: Collection[int]) -> list[Path]:
    """Whatever lies in the folder of the records and is neither a segment nor, in a home of an older version, a known match's."""
    files = [path for path in home.records.rglob("*") if not path.is_dir() and path.suffix not in (SUFFIX, ".new")]
    numbers = {path: int(path.stem) for path in files if path.stem.isdecimal() and len(path.stem) < 19}
    strays = [path for path in files if numbers.get(path) not in known or path != home.old_record(numbers[path])]
    return [path.relative_to(home.records) for path in sorted(strays)]


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


def _hold_rated(row: MatchRow) -> None:
    """Raise `RecordError` if a match counts that must not, or does not although it should."""
    if row.group is None and row.counted != (row.void is None):
        raise RecordError("the store rates another result than that of this record")


def _key(game: str, options: Mapping[str, Any], seats: int) -> str:
    return json.dumps([game, options, seats], sort_keys=True)
