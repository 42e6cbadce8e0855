"""Made-up answers of referee processes about matches."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bullring.ladder.run.workers.messages import Block, Match, Outcome, Play, Played, Seat, Setup
from bullring.ladder.store.dictionary import NO_DICTIONARY
from bullring.ladder.store.packed_row import packed
from bullring.ladder.store.packet import pack
from bullring.ladder.store.rows import MatchRow, SeatRow

TIMES = "2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z"


def outcome_of(
    match: Match,
    seats: Sequence[SeatRow],
    void: str | None = None,
    faults: Mapping[int, Mapping[str, Any]] | None = None,
) -> Outcome:
    """A match with these results; `faults` are the last ones, by seat."""
    row = packed(MatchRow(match.id, 1, "ladder", None, match.seed, *TIMES, void, void is None, 1, seats, "5ea1" * 16))
    known = [
        Seat(
            bot=seat.bot,
            heads=seat.heads,
            rank=seat.rank,
            decisions=sum(seat.times.values()),
            wall_us=seat.spent.wall_us,
            cpu_us=seat.spent.cpu_us,
            starts=seat.spent.starts,
            start_us=0,
            fault=(faults or {}).get(number),
        )
        for number, seat in enumerate(seats)
    ]
    return Outcome(match.id, void, row, known)


def block_of(order: Play, played: Played, setup: Setup) -> Block:
    """As a referee process with this setup tells it, with records that say next to nothing."""
    group = order.id if len(order.matches) > 1 else None
    spoiled = sum(each.void for each in played.spoiled)
    counted = len(played.matches) == len(order.matches) and all(match.void is None for match in played.matches)
    matches = [
        match._replace(
            row=match.row._replace(
                list=setup.list.id, format=setup.format, group=group, counted=counted, spoiled=spoiled
            )
        )
        for match in played.matches
    ]
    records = [pack(match.id, b"the record of match %d\n" % match.id, NO_DICTIONARY) for match in matches]
    return Block([replace(played, matches=matches)], records)
