"""Frames: records of some matches, packed together. They travel from referee processes to a home, and lie in its segments.

======= ===== ===========================================================================
bytes   type  what
======= ===== ===========================================================================
4             ``6NF1``
4       u32   CRC-32 of everything after it
1       u8    how the records are packed: `PLAIN`, `COLUMNS` or `DENSE`
2       u16   matches: m, from 1 to `MOST`
4       u32   bytes of the body
12 m    u64,  the number of each match, and the length of its record
        u32
...           the body
======= ===== ===========================================================================

All numbers are little-endian. The body is the records one after another, compressed by Zstandard: quickly by referee processes, and
more densely where they stay, in columns (`ladder.store.columns`) if these give back the same bytes.
"""

import struct
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar
from zlib import crc32

import zstandard

from bullring.arena.match.records.reader import MAX_RECORD
from bullring.errors import RecordError
from bullring.ladder.store.columns import condensed, decompressed, restored

MAGIC = b"6NF1"
MOST = 4096
"""Most matches of a frame."""
LONGEST = MAX_RECORD
"""Most bytes of all records of a frame together: whoever sends more is not believed."""
LONGEST_COLUMNS = 8 << 20
"""The same for columns, which take several times as much while they are unpacked."""

PLAIN, COLUMNS, DENSE = range(3)

LEVEL = 1
"""Of Zstandard, where a referee process packs, while bots think: 6 us a record."""
DENSE_LEVEL = 9

_HEAD = struct.Struct("<4sIBHI")
_ENTRY = struct.Struct("<QI")
_AFTER_CRC = 8
"""Where that which the checksum covers begins."""

HEAD = _HEAD.size

Item = TypeVar("Item")

Texts = Sequence[tuple[int, bytes]]
"""Numbers of matches and their records."""


class Head(NamedTuple):
    """What can be known of a frame without unpacking it."""

    size: int
    """Bytes of the whole frame."""
    table: int
    """Bytes of its table."""
    matches: int
    way: int
    """`PLAIN`, `COLUMNS` or `DENSE`."""


def pack(records: Texts) -> bytes:
    """Pack records quickly. Raises `ValueError` if there are more than `MOST`, or they are longer than `LONGEST` together."""
    return _packed(records, PLAIN)


def repack(records: Texts) -> bytes:
    """Pack records for good: takes ten times as long, and two thirds of the room."""
    if sum(len(text) for _, text in records) <= LONGEST_COLUMNS:
        frame = _packed(records, COLUMNS)
        with suppress(RecordError):
            if unpack(frame) == list(records):
                return frame
    return _packed(records, DENSE)


def _packed(records: Texts, way: int) -> bytes:
    text = b"".join([text for _, text in records])
    if not 0 < len(records) <= MOST or len(text) > LONGEST:
        raise ValueError(
            f"a frame holds 1 to {MOST} records of at most {LONGEST} bytes together, not {len(records)} of {len(text)}"
        )
    compress = condensed if way == COLUMNS else zstandard.ZstdCompressor(level=DENSE_LEVEL if way else LEVEL).compress
    body = compress(text)
    table = b"".join([_ENTRY.pack(match, len(text)) for match, text in records])
    head = _HEAD.pack(MAGIC, 0, way, len(records), len(body))
    rest = head[_AFTER_CRC:] + table + body
    return MAGIC + struct.pack("<I", crc32(rest)) + rest


def portions(items: Iterable[Item], size: Callable[[Item], int], most: int) -> Iterator[list[Item]]:
    """Items of at most `most` bytes together, or one that has more: bots may write much to stderr, and a frame has a limit."""
    portion: list[Item] = []
    held = 0
    for item in items:
        own = size(item)
        if portion and held + own > most:
            yield portion
            portion, held = [], 0
        portion.append(item)
        held += own
    if portion:
        yield portion


def head_of(data: bytes) -> Head | None:
    """The head of the frame that begins with these bytes, `HEAD` at least; None if none does."""
    if len(data) < HEAD:
        return None
    magic, _, way, matches, size = _HEAD.unpack_from(data)
    if magic != MAGIC or not 0 < matches <= MOST or way > DENSE:
        return None
    table = matches * _ENTRY.size
    return Head(HEAD + table + size, table, matches, way)


def matches_in(table: bytes) -> "array[int]":
    """The numbers of the matches, from the table of a frame."""
    return array("Q", [match for match, _ in _ENTRY.iter_unpack(table)])


def is_whole(frame: bytes) -> bool:
    """Whether this is exactly one frame, and none of its bytes has changed."""
    head = head_of(frame)
    return head is not None and head.size == len(frame) and _sum_of(frame) == crc32(frame[_AFTER_CRC:])


def _sum_of(frame: bytes) -> int:
    return int.from_bytes(frame[4:_AFTER_CRC], "little")


def unpack(frame: bytes) -> list[tuple[int, bytes]]:
    """The records of a frame, whoever made it. Raises `RecordError`."""
    head = head_of(frame)
    if head is None or not is_whole(frame):
        raise RecordError("this is not a whole frame of records, or it has been altered")
    entries = list(_ENTRY.iter_unpack(frame[HEAD : HEAD + head.table]))
    size = sum(length for _, length in entries)
    most = LONGEST_COLUMNS if head.way == COLUMNS else LONGEST
    if size > most:
        raise RecordError(f"the records of a frame must not be longer than {most} bytes together, and these are {size}")
    body = frame[HEAD + head.table :]
    try:
        text = restored(body, size) if head.way == COLUMNS else decompressed(body, size)
    except (zstandard.ZstdError, ValueError, TypeError, OverflowError, MemoryError) as error:
        raise RecordError(f"the records of a frame cannot be unpacked: {error!s:.80}") from None
    if len(text) != size:
        raise RecordError(f"the records of a frame must have {size} bytes together, not {len(text)}")
    records, at = [], 0
    for match, length in entries:
        records.append((match, text[at : at + length]))
        at += length
    return records
