"""A bot's talk to the referee's end of the wire: bytes of each dialect, cut into pieces, and their outcome."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgpack
import pytest

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import Decoder, Dialect
from bullring.protocol.said import Index, Option

HELLO: dict[str, Any] = {"type": "hello", "protocol": 1, "name": "wire test"}

every_dialect = pytest.mark.parametrize("dialect", Dialect, ids=[dialect.value for dialect in Dialect])


def choice(number: int, option: Any) -> dict[str, Any]:
    """The bot's answer to question `number`."""
    return {"type": "choice", "id": number, "option": option}


def by_index(number: int, position: Any) -> dict[str, Any]:
    """The answer to question `number` by the position of an option."""
    return {"type": "choice", "id": number, "index": position}


def envelope(dialect: Dialect, payload: bytes) -> bytes:
    """One encoded message in the frame of its dialect."""
    if dialect is Dialect.FRAMED:
        return len(payload).to_bytes(4, "big") + payload
    return payload + b"\n" if dialect is Dialect.JSON else payload


def encode(dialect: Dialect, message: Mapping[str, Any]) -> bytes:
    """One message, by an encoder that is not ours."""
    if dialect is Dialect.JSON:
        return envelope(dialect, json.dumps(message, separators=(",", ":")).encode())
    return envelope(dialect, msgpack.packb(message))


def decode(dialect: Dialect, data: bytes) -> Any:
    """One message, by a decoder that is not ours, in which no key may stand twice. Nothing may follow it."""
    if dialect is Dialect.JSON:
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        return json.loads(data.decode("ascii"), object_pairs_hook=_no_twins)
    if dialect is Dialect.FRAMED:
        assert int.from_bytes(data[:4], "big") == len(data) - 4
        data = data[4:]
    return msgpack.unpackb(data, object_pairs_hook=_no_twins)


def _no_twins(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """`data` in pieces, cut at `places` (taken modulo its length)."""
    at = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[low:high] for low, high in pairwise(at)]


ASKED = 7
"""The id of the question of `asked`."""


def connected(dialect: Dialect, *ids: int) -> Connection:
    """A connection after the hello, whose questions will have these ids."""
    numbers = iter(ids)
    connection = Connection(lambda: next(numbers))
    assert connection.receive_hello(encode(dialect, HELLO)) is not None
    return connection


def asked(dialect: Dialect) -> Connection:
    """A connection whose bot was asked question `ASKED`."""
    connection = connected(dialect, ASKED)
    connection.ask()
    return connection


@dataclass
class Outcome:
    """The outcome of some bytes given to a connection."""

    answers: list[Option | Index] = field(default_factory=list)
    errors: int = 0
    lost: bool = False
    """Whether the last error was one after which nothing can be read."""


def receive(connection: Connection, pieces: Sequence[bytes]) -> Outcome:
    """Give a connection some bytes as the referee does: read on after answers, and after errors that allow it."""
    outcome = Outcome()
    for piece in pieces:
        data: bytes | None = piece
        while data is not None:
            try:
                answer = connection.receive(data)
            except RemoteProtocolError as error:
                check(error)
                outcome.errors += 1
                outcome.lost |= not error.resync
                data = b""
                assert outcome.errors <= sum(map(len, pieces)), "one error for ever"
            else:
                data = None if answer is None else b""
                if answer is not None:
                    outcome.answers.append(answer)
    return outcome


def read(decoder: Decoder, pieces: Sequence[bytes]) -> tuple[list[dict[str, Any]], int, bool]:
    """Give a decoder some bytes: its messages, the number of errors, and whether the last one lost it."""
    messages: list[dict[str, Any]] = []
    errors, lost = 0, False
    for piece in pieces:
        decoder.feed(piece)
        while True:
            try:
                message = decoder.next_message()
            except RemoteProtocolError as error:
                check(error)
                errors, lost = errors + 1, lost or not error.resync
                assert errors <= sum(map(len, pieces)), "one error for ever"
                continue
            if message is None:
                break
            messages.append(message)
    return messages, errors, lost


def check(error: RemoteProtocolError) -> None:
    """Assert that an error is fit to be shown: it says something, briefly, and in characters that do nothing to a terminal."""
    for text in (error.expected, error.got):
        assert text
        assert len(text) < 400
    for text in (error.expected, error.got, error.hint, str(error)):
        assert text.isascii()
        assert text.isprintable()
