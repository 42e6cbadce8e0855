"""Rebuilding the store from the records: results are derived from them, and come out as the same numbers."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bullring.errors import LadderError, RecordError
from bullring.ladder.keeping.audit import check_seal
from bullring.ladder.keeping.files import give_up
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.results import read_result
from bullring.ladder.keeping.rows import MatchRow
from bullring.ladder.knowing import conduct
from bullring.ladder.knowing.conduct import Conduct


@dataclass
class Rebuilt:
    """What a rebuild did."""

    records: int = 0
    matches: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Records left out, each with the reason."""


def rebuild(home: Home, *, drop_missing: bool = False, add_unknown: bool = False) -> Rebuilt:
    """Replace all matches and results of a home with those in its records. Raises `LadderError`.

    A record that does not verify, or does not have the seal that the store keeps, is left out; if it belongs to a group, the
    other matches of the group do not count. If a match would be lost in this way, nothing is changed, unless `drop_missing`.
    Records of matches that the store does not know are left out, too, unless `add_unknown`.
    """
    store = home.store()
    report = Rebuilt()
    with store.change():
        give_up(home, store, store.playing())  # left by a ladder that was killed
    found: dict[int, list[MatchRow]] = {}
    sizes: dict[int, int] = {}
    bots = {row.name: row.id for row in store.bots()}
    lists: dict[str, int] = {}

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        """The store is asked once for each list, not for each match."""
        key = json.dumps([game, options, seats], sort_keys=True)
        if key not in lists:
            lists[key] = store.list_of(game, options, seats).id
        return lists[key]

    stored = store.seals()
    for number in sorted({*home.kept.matches(), *_old(home)}):
        report.records += 1
        try:
            match, size = read_result(home.lines(number), number, bots, list_of)
            check_seal(match, stored.get(number, match.seal))
        except RecordError as error:
            report.refused.append((f"match {number}", str(error)))
            continue
        if number not in stored and not add_unknown:
            why = "the store knows no such match; to add such matches: --add-unknown"
            report.refused.append((f"match {number}", why))
            continue
        first = match.group or match.id
        sizes[first] = size
        found.setdefault(first, []).append(match)
    lost = sorted(stored.keys() - {match.id for matches in found.values() for match in matches})
    if lost and not drop_missing:
        raise LadderError(
            f"{_matches(len(lost))} no record that verifies (the first is {lost[0]}) and would be lost;"
            " to drop them: bullring ladder rebuild --drop-missing"
        )
    with store.change():
        store.clear_results()
        sums: dict[int, dict[int, Conduct]] = {}
        for first, matches in found.items():
            counted = len(matches) == sizes[first] and not any(match.void for match in matches)
            store.add([replace(match, counted=counted) for match in matches])
            for match in matches:
                if counted and match.format != "duel":
                    conduct.add(sums.setdefault(match.list, {}), match)
            report.matches += len(matches)
        for list_, found_sums in sums.items():
            store.set_conduct(list_, [(bot, own.text()) for bot, own in found_sums.items()], store.last_number())
    return report


def _old(home: Home) -> Iterator[int]:
    """The matches with records in files of their own, as in homes of older versions."""
    return (int(path.stem) for path in home.records.glob("*/*.jsonl") if path.stem.isdecimal() and len(path.stem) < 19)


def _matches(count: int) -> str:
    return "1 match has" if count == 1 else f"{count} matches have"
