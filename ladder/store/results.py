"""Reading the result of a match from its record, as a row of the store."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from bullring.arena.match.cost import NOTHING, Spent
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.records.reader import Entry, Lines, kind_of
from bullring.arena.match.records.replay import Answered, Happening
from bullring.arena.match.records.verification import verify
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed
from bullring.errors import RecordError
from bullring.ladder.store.measures import buckets, metrics
from bullring.ladder.store.rows import Format, MatchRow, SeatRow

_DATE = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII).fullmatch
"""As `arena.match.records.ends.now` makes them."""

ListOf = Callable[[str, Mapping[str, Any], int], int]
"""The id of a list, from its game, options and number of seats. Raises `RecordError` if there is none."""


def read_result(
    lines: Lines, number: int, bots: Mapping[str, int], list_of: ListOf, key: str | None = None
) -> tuple[MatchRow, int]:
    """The match of a record that verifies, and the number of matches in its group: 1 if its deals were played once.

    It must be that of the match `number`. With a public `key`, it must be signed with it. Whether the match counts is left open.
    Raises `RecordError`.
    """
    entries: list[Entry] = []
    answered: list[Answered] = []

    def follow(entry: Entry, happening: Happening) -> None:
        entries.append(entry)
        if isinstance(happening, Answered):
            answered.append(happening)

    verdict = verify(lines, key, follow)
    if verdict.difference is not None or not verdict.finished or verdict.torn:
        raise RecordError(verdict.difference or "the record is not finished, or something follows its end")
    assert verdict.seal is not None
    try:
        match, size = _result(entries, answered, verdict.seal, bots, list_of)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(f"not the record of a match on a ladder: {error!r:.80}") from None
    if match.id != number:
        raise RecordError(f"this is the record of match {match.id!r:.20}")
    return match, size


def _result(
    entries: Sequence[Entry], answered: Iterable[Answered], seal: str, bots: Mapping[str, int], list_of: ListOf
) -> tuple[MatchRow, int]:
    head, end = entries[0], entries[-1]["end"]
    notes, names = head["ladder"], head["seats"]
    unknown = [name for name in names if name not in bots]
    if unknown:
        raise RecordError(f"there is no bot {unknown[0]!r} on this ladder")
    group, size = notes.get("group"), notes.get("matches", 1)
    if notes["format"] not in get_args(Format) or not all(
        type(one) is int and 0 < one < 1 << 63 for one in (group or 1, size)
    ):
        raise RecordError(f"not the notes of a ladder on a match: {encode(notes):.80}")
    for date in (head["began"], end["ended"]):
        if type(date) is not str or not _DATE(date):
            raise RecordError(f"expected dates such as 2026-01-31T12:00:00Z, got {date!r:.80}")
        datetime.fromisoformat(date)
    faults: list[list[Entry]] = [[] for _ in names]
    times: list[list[int]] = [[] for _ in names]
    logs = [""] * len(names)
    spent = [NOTHING] * len(names)
    for happening in answered:
        for seat, us, by in zip(happening.seats, happening.us, happening.by, strict=True):
            if us or by != "fallback":  # a closed seat is not asked and takes no time
                times[seat].append(us)
    for entry in entries:
        kind = kind_of(entry)
        if kind == "fault":
            faults[entry["fault"]["seat"]].append(entry["fault"])
        elif kind == "stderr":
            logs[entry["stderr"]["seat"]] = entry["stderr"]["text"]
        elif kind == "spent":
            spent = list(map(Spent.of, entry["spent"]))
    ranks = end["ranks"] or [0] * len(names)
    match = MatchRow(
        id=notes["match"],
        list=list_of(head["game"], head["options"], len(names)),
        format=notes["format"],
        group=group,
        seed=Seed(end["seed"], end["nonce"]),
        began=head["began"],
        ended=end["ended"],
        void=end["void"],
        counted=False,
        deals=sum(kind_of(entry) == "deal" for entry in entries),
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
        seal=seal,
        spoiled=sum(void is True for void, _ in notes.get("spoiled", ())),
        confinement=Confinement.of(head),
    )
    return match, size
