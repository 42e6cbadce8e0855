"""The audit of a home: every record is verified, and held against the seal and the result that the store keeps.

The store keeps the seal of each record, so no other record is taken for it, however well forged.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bullring.arena.cells.bots.contents import check_contents
from bullring.errors import BotError, RecordError, SettingsError
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow, unpacked
from bullring.ladder.store.progress import Tell, nobody, told
from bullring.ladder.store.store import Store
from bullring.ladder.store.verifier import Findings, Found, key_of, verified


@dataclass
class Audit(Findings):
    """The findings of an audit. A record is as it should be if it is as it was sealed, and its result is in the store."""

    void: int = 0
    """Verified records of void matches."""
    playing: int = 0
    """Matches that are not over yet, or were cut off."""
    other: int = 0
    """Matches whose record is as it was sealed, and whose result in the store is another one."""
    lost: int = 0
    """Stored matches without a record that is as it was sealed."""


class _Differs(RecordError):
    """The record of a match is as it was sealed, but the store has another result."""


def audit(home: Home, store: Store, key: str | None = None, tell: Tell = nobody) -> Audit:
    """Verify all records of a home. With a public `key`, each must be signed with it. Changes nothing.

    `tell` is told the progress. Raises `StoreError`, `HostError`.
    """
    report = Audit()
    playing = set(store.playing())
    report.playing = len(playing)
    lists = {key_of(row.game, row.options, row.seats): row.id for row in store.lists()}
    _look_around(home, store, report)
    last, stored = store.last_number(), store.count()
    seen, unknown = bytearray(store.next_match()), list[int]()
    bots = {row.name: row.id for row in store.bots()}
    ends: dict[str, str] = {}
    """By file, the bytes behind its last record."""
    for found in told(verified(home, bots, key), "records verified", stored, tell):
        if found.match is None:
            if found.is_last:
                ends[found.file] = found.where
            else:
                report.add(found.where, "damaged")
            continue
        row = store.packed_of(found.match)
        if row is None:
            if found.match not in playing:
                unknown.append(found.match)
            continue
        try:
            _hold(found, row, store, lists.get(found.table))
        except _Differs as error:
            report.add(f"match {found.match}", str(error))
            report.other += 1
        except RecordError as error:
            report.add(f"match {found.match}", str(error))
            report.lost += 1
        else:
            report.records += 1
            report.void += row.void is not None
        if found.match < len(seen):
            seen[found.match] = True
    # What a ladder has stored meanwhile may be among the records or not.
    for match in (match for match in store.ids(last) if not seen[match]):
        report.lost += 1
        if (where := ends.pop(home.kept.file_of(match).name, None)) is not None:
            report.add(where, "damaged")
        report.add(f"match {match}", "there is no record of it")
    playing = set(store.playing()) if unknown else playing
    for match in unknown:
        if match not in playing and not store.has(match):
            report.add(f"match {match}", "the store knows no such match")
    return report


def scrub(home: Home, store: Store, tell: Tell = nobody) -> Audit:
    """Look for damage without recomputing a match: by the checksums of records and database, and the hashes of bots.

    Changes nothing, and takes about as long as reading the home does. Raises `StoreError`.
    """
    report = Audit()
    last, stored = store.last_number(), store.count()
    seen = bytearray(store.next_match())
    _look_around(home, store, report)
    for piece in told(home.kept.pieces(), "records read", stored, tell):
        if piece.match is None:
            report.add(piece.place, "damaged")
        elif piece.match < len(seen):
            report.records += 1
            seen[piece.match] = True
    for match in (match for match in store.ids(last) if not seen[match]):
        report.lost += 1
        report.add(f"match {match}", "there is no record of it")
    return report


def _look_around(home: Home, store: Store, report: Audit) -> None:
    """Look at all but the records of matches."""
    for text in store.damage():
        report.add(home.database.name, text)
    for path, state in home.kept.damaged_dictionaries():
        report.add(str(path.relative_to(home.records)), f"{state}; the other copy is used if it is whole")
    for path in _strays(home):
        report.add(str(path), "not a file of records")
    for row in store.bots():
        if row.state == "removed" and not (home.path / row.entry.place).exists():
            continue
        try:
            bot = home.bot(row)
            if bot.program.folder.is_relative_to(home.bots):
                check_contents(bot, replace(row.contents, built=""))
        except (BotError, SettingsError) as error:
            report.add(f"bot {row.name}", str(error))


def _strays(home: Home) -> Iterator[Path]:
    """Anything in the folder of the records that does not belong there."""
    known = {*home.kept.files(), *home.kept.dictionaries()}
    return (
        path.relative_to(home.records)
        for path in sorted(home.records.rglob("*"))
        if path not in known and not path.is_dir()
    )


def _hold(found: Found, row: PackedRow, store: Store, list_: int | None) -> None:
    """Raise `RecordError` if the store and the record of a match differ."""
    if found.row is None:
        raise RecordError(found.why)
    own = found.row._replace(list=list_ or 0, counted=row.counted)
    if own != row:
        ours, theirs = unpacked(own), store.match(row.id)
        if ours.seal != theirs.seal:
            raise RecordError(f"not the record that was sealed: expected the seal {theirs.seal}, got {ours.seal}")
        if list_ is None:
            raise RecordError("this ladder has no list of such matches")
        keys = [key for key, value in vars(ours).items() if value != vars(theirs)[key]] or ["number of faults"]
        raise _Differs(f"the store has another result: its {' and '.join(keys)} differ from the record")
    if row.group is None and row.counted != (row.void is None):
        raise _Differs("the store rates another result than that of this record")
