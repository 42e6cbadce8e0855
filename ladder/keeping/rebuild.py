"""Rebuilding the store from the records: results are derived from them, and come out as the same numbers."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bullring.arena.records.reading import Entry, Lines, read_lines
from bullring.arena.records.replay import Answered, Replay
from bullring.arena.records.verification import verify
from bullring.arena.seeds import Seed
from bullring.errors import LadderError, RecordError
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rows import GroupRow, MatchRow, SeatRow, match_id
from bullring.ladder.keeping.sealing import seal_records
from bullring.ladder.knowing import conduct
from bullring.ladder.knowing.conduct import Conduct
from bullring.ladder.knowing.metrics import metrics
from bullring.ladder.knowing.timing import buckets
from bullring.ladder.pairing.seating import seated

ListOf = Callable[[str, Mapping[str, Any], int], int]
"""The id of a list, from its game, options and number of seats."""


@dataclass
class Rebuilt:
    """What a rebuild did."""

    records: int = 0
    matches: int = 0
    groups: int = 0
    refused: list[tuple[Path, str]] = field(default_factory=list)
    """Records left out, each with the reason."""


@dataclass
class _Found:
    row: GroupRow
    matches: dict[int, MatchRow] = field(default_factory=dict)


def rebuild(home: Home, *, drop_missing: bool = False) -> Rebuilt:
    """Replace all groups, matches and results of a home with those in its finished records. Raises `LadderError`.

    Open groups, whose records are not finished, stay as they are. A record that does not verify is left out, and its group
    becomes void.
    """
    store = home.store()
    report = Rebuilt()
    seal_records(home, store, store.unsealed())  # left by a ladder that was killed before it sealed them
    open_ids = {group.id for group in store.open_groups()}
    found: dict[int, _Found] = {}
    bots = {row.name: row.id for row in store.bots()}
    lists: dict[str, int] = {}

    def list_of(game: str, options: Mapping[str, Any], seats: int) -> int:
        """The store is asked once for each list, not for each match."""
        key = json.dumps([game, options, seats], sort_keys=True)
        if key not in lists:
            lists[key] = store.list_of(game, options, seats).id
        return lists[key]

    for path in sorted(home.records.glob("*/*.jsonl"), key=_order):
        name = path.name.partition(".")[0]
        if not name.isdigit():
            report.refused.append((path, "not a record: its name must be GROUP.MATCH.jsonl"))
            continue
        group_id = int(name)
        if group_id in open_ids:
            continue
        report.records += 1
        try:
            lines = read_lines(path)
            _check(lines)
            row, match = _read(lines, bots, list_of)
        except (RecordError, KeyError, TypeError, ValueError) as error:
            report.refused.append((path, str(error)))
            continue
        group = found.setdefault(group_id, _Found(row))
        group.matches[match.number] = match
    found_ids = {(id, number) for id, group in found.items() for number in group.matches}
    lost = sorted(store.ended_matches() - found_ids)
    if lost and not drop_missing:
        raise LadderError(
            f"{_matches(len(lost))} no record that verifies (the first is {match_id(*lost[0])}) and would be lost;"
            " to drop them: bullring ladder rebuild --drop-missing"
        )
    with store.change():
        store.clear_results(except_for=open_ids)
        sums: dict[int, dict[int, Conduct]] = {}
        for group in found.values():
            matches = [group.matches[number] for number in sorted(group.matches)]
            whole = len(matches) == group.row.size and not any(match.void for match in matches)
            store.add_group(group.row)
            for match in matches:
                store.add_match(match)
            store.end_group(group.row, matches, void=not whole)
            if whole and group.row.format != "duel":
                for match in matches:
                    conduct.add(sums.setdefault(group.row.list, {}), match)
            store.set_sealed((match.group, match.number) for match in matches)
            report.matches += len(matches)
            report.groups += 1
        for list_, found_sums in sums.items():
            store.set_conduct(list_, [(bot, own.text()) for bot, own in found_sums.items()])
    return report


def _matches(count: int) -> str:
    return "1 match has" if count == 1 else f"{count} matches have"


def _order(path: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in path.name.split(".")[:2] if part.isdigit())


def _check(lines: Lines) -> None:
    verdict = verify(lines)
    if verdict.difference is not None or not verdict.finished:
        raise RecordError(verdict.difference or "the record is not finished")


def _read(lines: Lines, bots: Mapping[str, int], list_of: ListOf) -> tuple[GroupRow, MatchRow]:
    head, end = lines.entries[0], lines.entries[-1]["end"]
    notes = head["ladder"]
    unknown = [name for name in notes["lineup"] if name not in bots]
    if unknown:
        raise RecordError(f"there is no bot {unknown[0]!r} on this ladder")
    lineup = tuple(bots[name] for name in notes["lineup"])
    row = GroupRow(
        notes["group"],
        list_of(head["game"], head["options"], len(lineup)),
        notes["format"],
        notes["plan"],
        lineup,
        end["seed"],
        "open",
    )
    faults: list[list[Entry]] = [[] for _ in lineup]
    times: list[list[int]] = [[] for _ in lineup]
    logs = [""] * len(lineup)
    for seat, us in _times(lines):
        times[seat].append(us)
    for entry in lines.entries:
        if "fault" in entry:
            faults[entry["fault"]["seat"]].append(entry["fault"])
        elif "stderr" in entry:
            logs[entry["stderr"]["seat"]] = entry["stderr"]["text"]
    placed = seated(row.plan, lineup, notes["match"])
    ranks = end["ranks"] or [0] * len(lineup)
    seats = [
        SeatRow(
            bot,
            end["scores"][seat],
            ranks[seat],
            [fault["kind"] for fault in faults[seat]],
            any(fault["closed"] for fault in faults[seat]),
            buckets(times[seat]),
            metrics(logs[seat]),
        )
        for seat, bot in enumerate(placed)
    ]
    deals = sum("deal" in entry for entry in lines.entries)
    return row, MatchRow(row.id, notes["match"], Seed(end["seed"], end["nonce"]), end["void"], deals, seats)


def _times(lines: Lines) -> Iterator[tuple[int, int]]:
    """The seat and the time, in microseconds, of each decision that a bot was asked for."""
    for _, happening in Replay().play(lines):
        if isinstance(happening, Answered):
            for seat, us, by in zip(happening.seats, happening.us, happening.by, strict=True):
                if us or by == "bot":  # a closed seat is not asked and takes no time
                    yield seat, us
