"""A match as the store keeps it: one row, with everything by seat packed into bytes.

Referee processes pack the rows of their matches, so that the process that writes the store only passes them on.
"""

import struct
from collections.abc import Sequence
from typing import NamedTuple

import msgpack

from bullring.arena.match.cost import Spent
from bullring.arena.match.records.confinement import Confinement
from bullring.arena.match.seeds import Seed
from bullring.ladder.store.rows import Format, MatchRow, SeatRow


class PackedRow(NamedTuple):
    """A row of the table of matches."""

    id: int
    list: int
    format: Format
    group: int | None
    seed: str
    nonce: str
    began: str
    ended: str
    void: str | None
    counted: bool
    deals: int
    faults: int
    """Faults of all seats."""
    seal: bytes
    bots: bytes
    """4 bytes each, little-endian, by seat like the rest."""
    ranks: bytes
    """1 byte each."""
    heads: bytes
    """4 bytes each, little-endian."""
    seats: bytes
    """The rest, in msgpack: faults, closed, times as a flat list of buckets and counts, metrics, and what `Spent` has."""
    spoiled: int
    confinement: str | None
    """As `Confinement.parse` reads it."""


def packed(match: MatchRow) -> PackedRow:
    """Pack a match."""
    seats = match.seats
    return PackedRow(
        match.id,
        match.list,
        match.format,
        match.group,
        match.seed.seed,
        match.seed.nonce,
        match.began,
        match.ended,
        match.void,
        match.counted,
        match.deals,
        sum([len(seat.faults) for seat in seats]),
        bytes.fromhex(match.seal),
        struct.pack(f"<{len(seats)}I", *[seat.bot for seat in seats]),
        bytes([seat.rank for seat in seats]),
        struct.pack(f"<{len(seats)}i", *[seat.heads for seat in seats]),
        msgpack.packb([_packed_seat(seat) for seat in seats]),
        match.spoiled,
        None if match.confinement is None else str(match.confinement),
    )


def unpacked(row: PackedRow) -> MatchRow:
    """The match that was packed. Raises `ValueError` and the like if it was not packed by `packed`."""
    seats = [
        SeatRow(bot, heads, rank, *_seat(*rest))
        for bot, heads, rank, rest in zip(
            numbers(row.bots), numbers(row.heads), row.ranks, msgpack.unpackb(row.seats), strict=True
        )
    ]
    seed = Seed(row.seed, row.nonce)
    ends = row.began, row.ended, row.void, bool(row.counted), row.deals
    told = row.seal.hex(), row.spoiled, Confinement.parse(row.confinement)
    return MatchRow(row.id, row.list, row.format, row.group, seed, *ends, seats, *told)


def numbers(packed: bytes) -> tuple[int, ...]:
    """Ids or heads that were packed."""
    return struct.unpack(f"<{len(packed) // 4}i", packed)


def _packed_seat(seat: SeatRow) -> Sequence[object]:
    times = [number for pair in seat.times.items() for number in pair]
    spent = seat.spent
    told = list(seat.faults), seat.closed, times, dict(seat.metrics), spent.wall_us, spent.cpu_us, spent.starts
    return (*told, spent.shrank, spent.grew) if spent.shrank or spent.grew else told


def _seat(
    faults: list[str],
    closed: bool,
    times: list[int],
    metrics: dict[str, float],
    wall_us: int,
    cpu_us: int,
    starts: int,
    shrank: int = 0,
    grew: int = 0,
) -> tuple[list[str], bool, dict[int, int], dict[str, float], Spent]:
    spent = Spent(wall_us, cpu_us, starts, shrank, grew)
    return faults, closed, dict(zip(times[::2], times[1::2], strict=True)), metrics, spent
