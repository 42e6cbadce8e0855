"""Rebuilding the store from the records: results are derived from them, and come out as the same numbers."""

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bullring.errors import LadderError
from bullring.ladder.store.cleanup import clear_up
from bullring.ladder.store.home import Home
from bullring.ladder.store.packed_row import PackedRow
from bullring.ladder.store.progress import Tell, nobody, told
from bullring.ladder.store.store import Before, Store
from bullring.ladder.store.verifier import Findings, Found, verified

_AT_ONCE = 128
"""Matches that are stored at once."""


@dataclass
class Rebuilt(Findings):
    """The outcome of a rebuild. Findings are records left out."""

    matches: int = 0
    aside: list[Path] = field(default_factory=list)
    """New places of damaged files, which were replaced by their whole packets."""


def rebuild(home: Home, *, drop_missing: bool = False, add_unknown: bool = False, tell: Tell = nobody) -> Rebuilt:
    """Replace all matches and results of a home with those in its records. Raises `LadderError`, `HostError`.

    A record that does not verify, or does not have the seal that the store keeps, is left out; if it belongs to a group, the
    other matches of the group do not count. If a match would be lost in this way, nothing is changed, unless `drop_missing`; then
    damaged files of records are kept in a folder of their own.
    Records of matches that the store does not know are left out, too, unless `add_unknown`.
    `tell` is told the progress.
    """
    report = Rebuilt()
    with closing(home.store()) as store:
        clear_up(home, store)
        home.kept.mend_dictionaries()
        bots = {row.name: row.id for row in store.bots()}
        all_ = store.count()
        with store.rebuilding() as before:
            found = told(verified(home, bots), "records verified", all_, tell)
            for some in _batched(_rows(store, found, before, report, add_unknown=add_unknown)):
                store.add(some)
                report.matches += len(some)
            lost, first = before.lost()
            if lost and not drop_missing:
                raise LadderError(
                    f"{_matches(lost)} no record that verifies (the first is {first}) and would be lost;"
                    " to drop them: bullring ladder rebuild --drop-missing"
                )
            before.settle_groups()
        if drop_missing:
            report.aside = home.kept.set_aside(home.damaged)
    return report


def _rows(
    store: Store, found: Iterable[Found], before: Before, report: Rebuilt, *, add_unknown: bool
) -> Iterator[PackedRow]:
    """The rows of the matches whose records are to be believed."""
    for one in found:
        if one.match is None:
            report.add(one.where, "damaged")
            continue
        report.records += 1
        name = f"match {one.match}"
        if one.row is None:
            report.add(name, one.why)
            continue
        match before.claim(one.match, one.row.seal, add_unknown=add_unknown):
            case "unknown":
                report.add(name, "the store knows no such match; to add such matches: --add-unknown")
            case "other":
                report.add(name, "not the record that was sealed: the store keeps another seal")
            case "its own":
                list_ = store.enter_list(*json.loads(one.table))
                if one.row.group is not None:
                    before.note_group(one.row.group, one.size)
                yield one.row._replace(list=list_, counted=one.row.group is None and one.row.void is None)


def _batched(rows: Iterator[PackedRow]) -> Iterator[list[PackedRow]]:
    while some := list(islice(rows, _AT_ONCE)):
        yield some


def _matches(count: int) -> str:
    return "1 match has" if count == 1 else f"{count} matches have"
