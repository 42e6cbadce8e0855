"""Changing a record as a forger would, whose seals fit."""

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bullring.arena.match.records.ends import sealed
from bullring.arena.match.records.writer import encode


def entries_of(record: Path) -> list[dict[str, Any]]:
    """The lines of a record."""
    return [json.loads(line) for line in record.read_bytes().splitlines()]


def resealed(entries: Sequence[dict[str, Any]]) -> bytes:
    """The lines as a whole record, with the seal that fits them and without a signature."""
    *lines, last = entries
    end = {key: value for key, value in last["end"].items() if key not in ("seal", "signature", "key")}
    before = "".join(encode(line) + "\n" for line in lines).encode("ascii")
    line, _ = sealed(end, sha256(before))
    return before + line.encode("ascii") + b"\n"
