"""Packets: records as referee processes send them and as they lie in files, each with all that is needed to find and check it.

====== ===== ==========================================================================================
bytes  type
====== ===== ==========================================================================================
3            ``6NR``
1      u8    1 if the body is the form of the record (`ladder.store.compact_form`), 0 if its text
4      u32   CRC-32 of everything after it
4      u32   the dictionary (`ladder.store.dictionary`); 0 if there is none
4      u32   the number of the match
4      u32   bytes of the body
...          the body, compressed by Zstandard with the dictionary, without the first four bytes of its format
====== ===== ==========================================================================================

All numbers are little-endian.
"""

import struct
from collections.abc import Callable
from typing import NamedTuple
from zlib import crc32

from bullring.arena.match.records.reader import MAX_RECORD
from bullring.errors import RecordError
from bullring.ladder.store.compact_form import LONGEST, form_of, text_of
from bullring.ladder.store.dictionary import Dictionary

MAGIC = b"6NR"
LARGEST = (1 << 32) - 1
"""The largest number of a match."""

_HEAD = struct.Struct("<3sBIIII")
HEAD = _HEAD.size
_COVERED = 8
"""The place at which the bytes that the checksum covers begin."""


class Head(NamedTuple):
    """The head of a packet."""

    match: int
    dictionary: int
    is_form: bool
    size: int
    """Bytes of the whole packet."""


def pack(match: int, text: bytes, dictionary: Dictionary, *, check: bool = True) -> bytes:
    """Pack the record of a match; `check` as in `form_of`. Raises `ValueError` if its number is too large."""
    form = form_of(text, check=check)
    body = dictionary.compress(text if form is None else form)
    if not 0 < match <= LARGEST:
        raise ValueError(f"a match has a number from 1 to {LARGEST}, not {match}")
    covered = struct.pack("<III", dictionary.id, match, len(body)) + body
    return MAGIC + struct.pack("<BI", form is not None, crc32(covered)) + covered


def head_of(data: bytes, at: int = 0) -> Head | None:
    """The head of the packet that begins at `at`; None if none does."""
    if len(data) < at + HEAD:
        return None
    magic, is_form, _, dictionary, match, size = _HEAD.unpack_from(data, at)
    if magic != MAGIC or is_form > 1 or not match:
        return None
    return Head(match, dictionary, bool(is_form), HEAD + size)


def is_whole(packet: bytes) -> bool:
    """Whether this is exactly one packet, none of whose bytes has changed."""
    head = head_of(packet)
    return (
        head is not None
        and head.size == len(packet)
        and crc32(memoryview(packet)[_COVERED:]) == int.from_bytes(packet[4:_COVERED], "little")
    )


def unpack(packet: bytes, dictionary: Callable[[int], Dictionary], most: int = MAX_RECORD) -> bytes:
    """The record in a packet, maybe from a stranger. Raises `RecordError`, also if the record is longer than `most` bytes."""
    head = head_of(packet)
    if head is None or not is_whole(packet):
        raise RecordError("this is not a record as it was packed")
    own = dictionary(head.dictionary)
    try:
        if not head.is_form:
            return own.decompress(packet[HEAD:], most)
        text = text_of(own.decompress(packet[HEAD:], LONGEST))
    except ValueError as error:
        raise RecordError(f"the record cannot be unpacked: {error!s:.120}") from None
    if len(text) > most:
        raise RecordError(f"the record is longer than {most} bytes")
    return text
