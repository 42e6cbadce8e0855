"""Rebuilding the store from the records: results are derived from them, and come out as the same numbers."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bullring.errors import LadderError, StoreError
from bullring.ladder.store import conduct
from bullring.ladder.store.cleanup import clear_up
from bullring.ladder.store.condense import condense
from bullring.ladder.store.conduct import Conduct
from bullring.ladder.store.frames import LONGEST_COLUMNS, pack, portions
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.progress import Tell, nobody, told
from bullring.ladder.store.store import Before, Store
from bullring.ladder.store.verifier import Found, Terms, old_records, verified

MOST_REFUSED = 1000
"""Records left out that are told with the reason; further ones are only counted."""

_AT_ONCE = 128
"""Matches that are stored, or packed, at once."""


@dataclass
class Rebuilt:
    """What a rebuild did."""

    records: int = 0
    matches: int = 0
    left_out: int = 0
    """Records left out."""
    aside: list[Path] = field(default_factory=list)
    """Where damaged segments are now, which were exchanged for their whole frames."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """The first of them, each with the reason."""

    def refuse(self, name: str, why: str) -> None:
        """Leave out a record."""
        self.left_out += 1
        if len(self.refused) < MOST_REFUSED:
            self.refused.append((name, why))


def rebuild(home: Home, *, drop_missing: bool = False, add_unknown: bool = False, tell: Tell = nobody) -> Rebuilt:
    """Replace all matches and results of a home with those in its records. Raises `LadderError`, `HostError`.

    A record that does not verify, or does not have the seal that the store keeps, is left out; if it belongs to a group, the
    other matches of the group do not count. If a match would be lost in this way, nothing is changed, unless `drop_missing`; then
    damaged segments are kept in a folder of their own.
    Records of matches that the store does not know are left out, too, unless `add_unknown`.

    Records that older versions have written to files of their own are packed into segments. How far it has come is told to `tell`.
    """
    report = Rebuilt()
    with closing(home.store()) as store:
        clear_up(home, store)
        terms = Terms({row.name: row.id for row in store.bots()}, None)
        all_ = store.count()
        with store.rebuilding() as before:
            found = told(verified(home, terms), "records verified", all_, tell)
            for some in _batched(_rows(store, found, before, report, add_unknown=add_unknown)):
                store.add_packed(some)
                report.matches += len(some)
            lost, first = before.lost()
            if lost and not drop_missing:
                raise LadderError(
                    f"{_matches(lost)} no record that verifies (the first is {first}) and would be lost;"
                    " to drop them: bullring ladder rebuild --drop-missing"
                )
            before.settle_groups()
            write_conduct(store, tell)
        if drop_missing:
            report.aside = home.kept.set_aside(home.damaged)
        try:
            _pack_old(home, store)
        finally:
            home.kept.close()
    loose = home.kept.loose(at_rest=True)
    condense(home.kept, told(loose, "files packed", len(loose), tell))
    return report


def write_conduct(store: Store, tell: Tell = nobody) -> None:
    """Add up the conduct of all bots anew. Call within a change of the store."""
    last, all_ = store.last_number(), store.count()
    for list_ in store.lists():
        sums: dict[int, Conduct] = {}
        for match in told(store.counted_whole(list_.id, 0, last), "results added up", all_, tell):
            conduct.add(sums, match)
        store.set_conduct(list_.id, [(bot, own.text()) for bot, own in sums.items()], last)


def _rows(
    store: Store, found: Iterable[Found], before: Before, report: Rebuilt, *, add_unknown: bool
) -> Iterator[PackedRow]:
    """The rows of the matches whose records are to be believed."""
    for one in found:
        report.records += 1
        name = f"match {one.match}"
        if one.row is None:
            report.refuse(name, one.why)
            continue
        match before.claim(one.match, one.row.seal, add_unknown=add_unknown):
            case "unknown":
                report.refuse(name, "the store knows no such match; to add such matches: --add-unknown")
            case "other":
                report.refuse(name, "not the record that was sealed: the store keeps another seal")
            case "again":
                report.records -= 1  # a rebuild was killed before it removed the old file
            case "its own":
                list_ = store.enter_list(*json.loads(one.table))
                if one.row.group is not None:
                    before.note_group(one.row.group, one.size)
                yield one.row._replace(list=list_, counted=one.row.group is None and one.row.void is None)


def _batched(rows: Iterator[PackedRow]) -> Iterator[list[PackedRow]]:
    while some := list(islice(rows, _AT_ONCE)):
        yield some


def _pack_old(home: Home, store: Store) -> None:
    """Pack the records of stored matches that are files of their own, and remove the files."""
    old = ((number, path) for number, path in old_records(home) if store.has(number) and path.is_file())
    while some := list(islice(old, _AT_ONCE)):
        try:
            texts = [(number, path.read_bytes()) for number, path in some]
            # One that was packed before its file could be removed is not packed again.
            texts = [one for one in texts if home.kept.read(one[0]) != one[1]]
            home.kept.append([pack(portion) for portion in portions(texts, lambda one: len(one[1]), LONGEST_COLUMNS)])
            home.kept.sync()
            for _, path in some:
                path.unlink()
            for folder in {path.parent for _, path in some}:
                with suppress(OSError):  # it is not empty yet
                    folder.rmdir()
        except OSError as error:
            raise StoreError(f"{error.filename} cannot be packed: {error.strerror or error}") from None


def _matches(count: int) -> str:
    return "1 match has" if count == 1 else f"{count} matches have"
