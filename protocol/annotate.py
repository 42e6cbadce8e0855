"""Annotated hex dumps of messages for people: bytes on the left, their meaning on the right."""

import json
from collections.abc import Iterator
from typing import Any

import msgpack

from bullring.protocol.decoding import measure

_COLUMNS = 16
"""Bytes per line."""

_SHORT = 40
"""Size in bytes up to which an array of arrays is shown in one piece."""


def annotated(data: bytes) -> list[str]:
    """The annotated lines of one msgpack value."""
    return [line for chunk, depth, text in _parts(data, 0, "") for line in _lines(chunk, depth, text)]


def flat(data: bytes) -> list[str]:
    """The lines of bytes without annotations."""
    return _lines(data, 0, "")


def _lines(data: bytes, depth: int, text: str) -> list[str]:
    rows = [data[at : at + _COLUMNS].hex(" ") for at in range(0, len(data), _COLUMNS)]
    notes = [f"{'  ' * depth}{text}", *[""] * len(rows)]
    return [f"{row:<{3 * _COLUMNS}} {note}".rstrip() for row, note in zip(rows, notes, strict=False)]


def _parts(data: bytes, depth: int, name: str) -> Iterator[tuple[bytes, int, str]]:
    """Yield the pieces of one value as (bytes, depth, text). With a `name`, `data` begins with the bytes of its key."""
    key = measure(data) or 0 if name else 0
    label = f"{name}: " if name else ""
    value = msgpack.unpackb(data[key:])
    if _is_flat(value, len(data) - key):
        yield data, depth, label + json.dumps(value)
        return
    what = "map" if isinstance(value, dict) else "array"
    at = key + (1 if len(value) < 16 else 3)
    yield data[:at], depth, f"{label}{what} of {len(value)}"
    for item in value:
        end = at + (measure(data[at:]) or 0)
        if isinstance(value, dict):
            end += measure(data[end:]) or 0
        yield from _parts(data[at:end], depth + 1, json.dumps(item) if isinstance(value, dict) else "")
        at = end


def _is_flat(value: Any, size: int) -> bool:
    if isinstance(value, dict):
        return not value
    if not isinstance(value, list):
        return True
    if any(isinstance(item, dict) for item in value):
        return False
    return size <= _SHORT or not any(isinstance(item, list) for item in value)
