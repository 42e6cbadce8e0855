"""Rebuilding the store from the records: results are derived from them, and come out as the same numbers."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bullring.arena.cost import NOTHING, Spent
from bullring.arena.records.reading import Entry, Lines, read_lines
from bullring.arena.records.replay import Answered, Replay
from bullring.arena.records.verification import verify
from bullring.arena.seeds import Seed
from bullring.errors import LadderError, RecordError
from bullring.ladder.keeping.files import give_up
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import MatchRow, SeatRow
from bullring.ladder.knowing import conduct
from bullring.ladder.knowing.conduct import Conduct
from bullring.ladder.knowing.metrics import metrics
from bullring.ladder.knowing.timing import buckets

ListOf = Callable[[str, Mapping[str, Any], int], int]
"""The id of a list, from its game, options and number of seats."""


@dataclass
class Rebuilt:
    """What a rebuild did."""

    records: int = 0
    matches: int = 0
    refused: list[tuple[Path, str]] = field(default_factory=list)
    """Records left out, each with the reason."""


def rebuild(home: Home, *, drop_missing: bool = False) -> Rebuilt:
    """Replace all matches and results of a home with those in its records. Raises `LadderError`.

    A record that does not verify is left out; if it belongs to a group, the other matches of the group do not count.
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

    for path in sorted(home.records.glob("*/*.jsonl"), key=_order):
        if not path.stem.isdigit():
            report.refused.append((path, "not a record: its name must be MATCH.jsonl"))
            continue
        report.records += 1
        try:
            lines = read_lines(path)
            _check(lines)
            match, size = _read(lines, bots, list_of)
        except (RecordError, KeyError, TypeError, ValueError) as error:
            report.refused.append((path, str(error)))
            continue
        first = match.group or match.id
        sizes[first] = size
        found.setdefault(first, []).append(match)
    lost = sorted(store.match_ids() - {match.id for matches in found.values() for match in matches})
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
            store.set_conduct(list_, [(bot, own.text()) for bot, own in found_sums.items()])
    return report


def _matches(count: int) -> str:
    return "1 match has" if count == 1 else f"{count} matches have"


def _order(path: Path) -> int:
    return int(path.stem) if path.stem.isdigit() else 0


def _check(lines: Lines) -> None:
    verdict = verify(lines)
    if verdict.difference is not None or not verdict.finished:
        raise RecordError(verdict.difference or "the record is not finished")


def _read(lines: Lines, bots: Mapping[str, int], list_of: ListOf) -> tuple[MatchRow, int]:
    """A match, and the number of matches in its group: 1 if its deals were played once."""
    head, end = lines.entries[0], lines.entries[-1]["end"]
    notes, names = head["ladder"], head["seats"]
    unknown = [name for name in names if name not in bots]
    if unknown:
        raise RecordError(f"there is no bot {unknown[0]!r} on this ladder")
    faults: list[list[Entry]] = [[] for _ in names]
    times: list[list[int]] = [[] for _ in names]
    logs = [""] * len(names)
    spent = [NOTHING] * len(names)
    for seat, us in _times(lines):
        times[seat].append(us)
    for entry in lines.entries:
        if "fault" in entry:
            faults[entry["fault"]["seat"]].append(entry["fault"])
        elif "stderr" in entry:
            logs[entry["stderr"]["seat"]] = entry["stderr"]["text"]
        elif "spent" in entry:
            spent = list(map(Spent.of, entry["spent"]))
    ranks = end["ranks"] or [0] * len(names)
    match = MatchRow(
        id=notes["match"],
        list=list_of(head["game"], head["options"], len(names)),
        format=notes["format"],
        group=notes.get("group"),
        seed=Seed(end["seed"], end["nonce"]),
        began=head["began"],
        void=end["void"],
        counted=False,
        deals=sum("deal" in entry for entry in lines.entries),
        seats=[
            SeatRow(
                bots[name],
                end["scores"][seat],
                ranks[seat],
                [fault["kind"] for fault in faults[seat]],
                any(fault["closed"] for fault in faults[seat]),
                buckets(times[seat]),
                metrics(logs[seat]),
                spent[seat],
            )
            for seat, name in enumerate(names)
        ],
    )
    return match, notes.get("matches", 1)


def _times(lines: Lines) -> Iterator[tuple[int, int]]:
    """The seat and the time, in microseconds, of each decision that a bot was asked for."""
    for _, happening in Replay().play(lines):
        if isinstance(happening, Answered):
            for seat, us, by in zip(happening.seats, happening.us, happening.by, strict=True):
                if us or by == "bot":  # a closed seat is not asked and takes no time
                    yield seat, us
