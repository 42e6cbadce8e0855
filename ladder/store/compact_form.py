"""The form in which a record is kept: half as long as its text, and easier to compress.

Answers, times and checksums are put in columns, hashes kept as bytes, and dates as seconds. The commitment, the seal, and deals
that follow from the seed are left out. The form must give back the same bytes, because the seal is a hash over them; else the text
is kept.
"""

import json
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from itertools import chain, islice
from typing import Any

import msgpack

from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.records.reader import MAX_RECORD
from bullring.arena.match.records.writer import encode
from bullring.arena.match.seeds import Seed

LONGEST = 1 << 20
"""Longest text that is given a form, in bytes. A referee process has other matches to watch, and bots may write much to stderr."""

_DECK = range(1, 105)
"""The deck of most games, before the shuffle."""

_FOLLOWS = 0
"""Replaces a value that follows from others."""

_OTHER = 255
"""In the order of the lines, one without answers; other numbers are those of its keys."""

_HASHES = ("seed", "nonce", "signature")
"""The keys of the last line whose hexadecimal digits are kept as bytes."""

_ERRORS = (
    ValueError,
    TypeError,
    LookupError,
    struct.error,
    AttributeError,
    OverflowError,
    OSError,
    RecursionError,
    StopIteration,
)

Line = dict[str, Any]


def form_of(text: bytes, *, check: bool = True) -> bytes | None:
    """The form of a record; None if its text must be kept.

    `check` that the form gives back the text. This takes longer than all else, and is needless for a record that this program has
    just written or verified.
    """
    if len(text) > LONGEST:
        return None
    try:
        lines = json.loads(b"[%b]" % text[:-1].replace(b"\n", b","))
        _leave_out(lines)
        order, kinds, lengths = bytearray(), list[list[str]](), bytearray()
        others, columns = list[Line](), dict[str, list[Any]]()
        for line in lines:
            if "answers" not in line:
                others.append(line)
                order.append(_OTHER)
                continue
            if (kind := list(line)) not in kinds:
                kinds.append(kind)
            order.append(kinds.index(kind))
            lengths.append(len(line["answers"]))
            for key, value in line.items():
                columns.setdefault(key, []).extend([value] if key == "check" else value)
        packed = {key: _packed(key, column) for key, column in columns.items()}
        form: bytes = msgpack.packb((bytes(order), kinds, bytes(lengths), others, packed))
        return form if not check or text_of(form) == text else None
    except _ERRORS:
        return None


def text_of(form: bytes) -> bytes:
    """The record with this form, which may come from a stranger. Raises `ValueError`."""
    try:
        order, kinds, lengths, others, packed = msgpack.unpackb(form)
        if len(order) * sum(map(len, chain.from_iterable(kinds))) > MAX_RECORD:
            raise ValueError("its keys are too long")
        other, length = iter(others), iter(lengths)
        columns = {key: iter(_unpacked(key, column)) for key, column in packed.items()}
        lines = []
        for kind in order:
            if kind == _OTHER:
                lines.append(next(other))
            else:
                own = next(length)
                lines.append({key: _value(key, columns[key], own) for key in kinds[kind]})
        return _put_back(lines)
    except _ERRORS as error:
        raise ValueError(f"not the form of a record: {error!r:.80}") from None


def _leave_out(lines: list[Line]) -> None:
    head, end = lines[0], lines[-1]["end"]
    if type(began := _seconds(head["began"])) is int and type(ended := _seconds(end["ended"])) is int:
        head["began"], end["ended"] = began, ended - began
    if head["commitment"] == Seed(end["seed"], end["nonce"]).commitment:
        head["commitment"] = _FOLLOWS
    for number, line in enumerate((line for line in lines if "deal" in line), 1):
        if line["deal"] == shuffled(_DECK, len(line["deal"]), end["seed"], number):
            line["deal"] = len(line["deal"])
    end["seal"] = _FOLLOWS
    for key in _HASHES:
        with suppress(KeyError, ValueError):
            if (data := bytes.fromhex(end[key])).hex() == end[key]:
                end[key] = data


def _put_back(lines: list[Line]) -> bytes:
    """The text of lines from which something was left out."""
    head, end = lines[0], lines[-1]["end"]
    if type(head["began"]) is int:
        end["ended"] = _date(head["began"] + end["ended"])
        head["began"] = _date(head["began"])
    for key in _HASHES:
        if type(end.get(key)) is bytes:
            end[key] = end[key].hex()
    if head["commitment"] == _FOLLOWS:
        head["commitment"] = Seed(end["seed"], end["nonce"]).commitment
    for number, line in enumerate((line for line in lines if "deal" in line), 1):
        if type(line["deal"]) is int:
            line["deal"] = shuffled(_DECK, line["deal"], end["seed"], number)
    before = "".join([encode(line) + "\n" for line in lines[:-1]])
    covered = {key: value for key, value in end.items() if key not in ("seal", "signature")}
    end["seal"] = sha256((before + encode({"end": covered})[:-2]).encode("ascii")).hexdigest()
    return f"{before}{encode(lines[-1])}\n".encode("ascii")


def _seconds(date: str) -> int | str:
    """A date as the seconds since 1970, or as it is if it is not written as records have it."""
    seconds = int(datetime.fromisoformat(date).timestamp())
    return seconds if _date(seconds) == date else date


def _date(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _value(key: str, column: Iterator[Any], length: int) -> Any:
    return next(column) if key == "check" else list(islice(column, length))


def _packed(key: str, column: list[Any]) -> Any:
    """A column of whole numbers as bytes: checksums 4 each; else 7 bits in each, lowest first, a number's last one below 128."""
    if key == "check":
        return struct.pack(f"<{len(column)}I", *column)
    if set(map(type, column)) != {int} or min(column) < 0:
        return column
    data = bytearray()
    for number in column:
        while number > 127:
            data.append(number & 127 | 128)
            number >>= 7
        data.append(number)
    return bytes(data)


def _unpacked(key: str, column: Any) -> Sequence[Any]:
    if key == "check":
        return struct.unpack(f"<{len(column) // 4}I", column)
    if type(column) is not bytes:
        return column  # type: ignore[no-any-return]  # if it is not a column, unpacking fails elsewhere
    numbers = []
    number = shift = 0
    for byte in column:
        if byte < 128:
            numbers.append(number | byte << shift)
            number = shift = 0
        elif shift > 56:
            raise ValueError("a number is too large")
        else:
            number |= (byte & 127) << shift
            shift += 7
    return numbers
