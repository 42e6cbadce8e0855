"""Bytes meant to do harm: each is a fault of the bot, told briefly, and costs the referee nothing."""

import tracemalloc
from time import process_time
from typing import Any

import msgpack
import pytest

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import MAX_DEPTH, MAX_ITEMS, MAX_MESSAGE, Dialect
from tests.protocol.talk import ASKED, HELLO, Outcome, asked, check, choice, encode, envelope, every_dialect, receive

GOOD = msgpack.packb(choice(ASKED, 5))
START = b"\x84" + GOOD[1:] + b"\xa1x"
"""A good choice with one more key, whose value is still to come."""

MSGPACK = {
    "never used code": b"\xc1",
    "never used code in a map": START + b"\xc1",
    "bin": START + b"\xc4\x01x",
    "bin of 4 GB": START + b"\xc6\xff\xff\xff\xff",
    "empty bin": START + b"\xc4\x00",
    "bin as key": b"\x84" + GOOD[1:] + b"\xc4\x00\x01",
    "ext": START + b"\xd4\x05\x00",
    "empty ext": START + b"\xc7\x00\x05",
    "ext as key": b"\x84" + GOOD[1:] + b"\xc7\x00\x05\x01",
    "ext of 4 GB": START + b"\xc9\xff\xff\xff\xff\x05",
    "timestamp": START + b"\xd6\xff\x00\x00\x00\x05",
    "overflowing timestamp": START + b"\xc7\x0c\xff" + b"\xff" * 12,
    "bad UTF-8": START + b"\xa2\xff\xfe",
    "bad UTF-8 in a key": b"\x84" + GOOD[1:] + b"\xa1\xff\x01",
    "surrogate in UTF-8": START + b"\xa3\xed\xa0\x80",
    "array of 1e8": START + b"\xdd\x05\xf5\xe1\x00",
    "array of 4e9": START + b"\xdd\xff\xff\xff\xff",
    "map of 1e8": b"\xdf\x05\xf5\xe1\x00" + GOOD[1:],
    "map of 4e9": b"\xdf\xff\xff\xff\xff" + GOOD[1:],
    "map of 65535": b"\xde\xff\xff" + GOOD[1:],
    "inner map of 4e9": START + b"\xdf\xff\xff\xff\xff",
    "text of 4 GB": START + b"\xdb\xff\xff\xff\xff",
    "text of 64 KB": START + b"\xda\xff\xff" + b"y" * 65535,
    "one element too many": START + b"\xdc" + (MAX_ITEMS + 1).to_bytes(2, "big") + b"\x00" * (MAX_ITEMS + 1),
    "one level too deep": START + b"\x91" * MAX_DEPTH + b"\x00",
    "arrays 100000 deep": START + b"\x91" * 100_000,
    "maps 100000 deep": START + b"\x81\xa1a" * 100_000,
    "maps as keys 100000 deep": START + b"\x81" * 100_000,
    "array as key": b"\x84" + GOOD[1:] + b"\x90\x01",
    "map as key": b"\x84" + GOOD[1:] + b"\x80\x01",
    "number as key": b"\x84" + GOOD[1:] + b"\x05\x01",
    "nil as key": b"\x84" + GOOD[1:] + b"\xc0\x01",
    "float as key": b"\x84" + GOOD[1:] + b"\xcb" + bytes(8) + b"\x01",
    "inner number as key": START + b"\x81\x01\x01",
    "inner twin key": START + b"\x82\xa1a\x01\xa1a\x02",
    "twin key": b"\x84" + GOOD[1:] + b"\xa2id" + bytes((ASKED,)),
    "option true": msgpack.packb(choice(ASKED, True)),
    "option 5.0": msgpack.packb(choice(ASKED, 5.0)),
    "option NaN": msgpack.packb(choice(ASKED, float("nan"))),
    "option 2^64-1": msgpack.packb(choice(ASKED, 2**64 - 1)),
    "option nil": msgpack.packb(choice(ASKED, None)),
    "long type with escapes": msgpack.packb({"type": "\x1b[31mé" * 200}),
    "empty map": b"\x80",
    "array instead of a map": b"\x93\x01\x02\x03",
    "too many bytes": START + b"\xda\x0f\xff" + b"y" * 4095,
}
"""Messages that are forbidden in the msgpack dialects."""

MSGPACK_DIALECTS = (Dialect.MSGPACK, Dialect.FRAMED)

FRAMES = {
    "empty": b"\x00\x00\x00\x00",
    "4 GB": b"\xff\xff\xff\xff",
    "one byte too many": (MAX_MESSAGE + 1).to_bytes(4, "big"),
    "two messages in one": len(GOOD * 2).to_bytes(4, "big") + GOOD * 2,
    "half a message": (10).to_bytes(4, "big") + GOOD[:10],
    "text": b"Thinking about my first card...\n",
}
"""Further bytes that are forbidden in the framed dialect."""

LINES = {
    "no JSON": b"{nonsense}",
    "a number": b"5",
    "an array": b"[1,2]",
    "text": b'"choice"',
    "null": b"null",
    "single quotes": b"{'type':'choice'}",
    "NaN": b'{"type":"choice","id":7,"option":NaN}',
    "Infinity": b'{"type":"choice","id":7,"option":5,"x":-Infinity}',
    "true": b'{"type":"choice","id":7,"option":true}',
    "5.0": b'{"type":"choice","id":7,"option":5.0}',
    "1e999": b'{"type":"choice","id":7,"option":1e999}',
    "2^64": b'{"type":"choice","id":7,"option":18446744073709551616}',
    "4000 digits": b'{"type":"choice","id":7,"option":' + b"9" * 4000 + b"}",
    "5000 digits": b'{"type":"choice","id":7,"option":' + b"9" * 5000 + b"}",
    "type of 4000 digits": b'{"type":' + b"9" * 4000 + b"}",
    "twin key": b'{"type":"choice","id":7,"option":5,"option":6}',
    "inner twin key": b'{"type":"choice","id":7,"option":5,"x":{"a":1,"a":2}}',
    "escaped twin key": b'{"type":"choice","id":7,"option":5,"\\u0069d":7}',
    "lone surrogate": b'{"type":"choice","id":7,"option":"\\ud800"}',
    "lone surrogate as type": b'{"type":"\\udfff"}',
    "escapes as type": b'{"type":"\\u001b[31m\\u0007\\u0000\\n"}',
    "long type": b'{"type":"' + b"x" * 4000 + b'"}',
    "bad UTF-8": b'{"type":"choice","id":7,"option":"\xff"}',
    "control character": b'{"type":"choice","id":7,"option":"\x01"}',
    "UTF-16": '{"type":"choice","id":7,"option":5}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"type":"choice","id":7,"option":5}',
    "one level too deep": b'{"x":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}",
    "2000 deep": b'{"x":' + b"[" * 2000 + b"]" * 2000 + b"}",
    "100000 deep": b'{"x":' + b"[" * 100_000,
    "trailing comma": b'{"type":"choice","id":7,"option":5,}',
    "two on a line": b'{"type":"choice","id":7,"option":5}{"type":"choice","id":7,"option":5}',
    "empty object": b"{}",
}
"""Lines that are forbidden in the JSON dialect."""

HOSTILE: list[tuple[Dialect, str, bytes]] = [
    *[(dialect, name, envelope(dialect, data)) for dialect in MSGPACK_DIALECTS for name, data in MSGPACK.items()],
    *[(Dialect.FRAMED, f"frame {name}", data) for name, data in FRAMES.items()],
    *[(Dialect.JSON, name, data + b"\n") for name, data in LINES.items()],
]
ALL = [pytest.param(dialect, data, id=f"{dialect.value}: {name}") for dialect, name, data in HOSTILE]


@pytest.mark.parametrize(("dialect", "data"), ALL)
def test_it_is_a_fault_in_pieces_of_any_size_and_if_the_next_message_can_be_found_it_is_read(
    dialect: Dialect, data: bytes
) -> None:
    connection = asked(dialect)
    whole = receive(connection, [data])
    assert whole.errors >= 1
    assert not whole.answers
    size = 1 if len(data) < 1000 else 999
    pieces = receive(asked(dialect), [data[at : at + size] for at in range(0, len(data), size)])
    assert (pieces.answers, pieces.lost) == ([], whole.lost)
    assert pieces.errors >= 1
    good = encode(dialect, choice(ASKED, 5))
    after = receive(connection, [good, good[:3], good[3:]])
    assert after == Outcome() if whole.lost else after.answers == [5]


@pytest.mark.parametrize(("dialect", "data"), ALL)
def test_it_makes_the_referee_hold_no_more_than_was_sent(dialect: Dialect, data: bytes) -> None:
    for size in (len(data), 999):
        connection = asked(dialect)
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        tracemalloc.start()
        try:
            receive(connection, pieces)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert peak < 8 * len(data) + 250_000


@pytest.mark.parametrize(
    ("dialect", "name", "lost"),
    [
        (Dialect.MSGPACK, "array of 1e8", True),
        (Dialect.FRAMED, "array of 1e8", False),
        (Dialect.MSGPACK, "arrays 100000 deep", True),
        (Dialect.MSGPACK, "never used code", True),
        (Dialect.FRAMED, "never used code", False),
        (Dialect.MSGPACK, "bad UTF-8", False),
        (Dialect.MSGPACK, "twin key", False),
        (Dialect.MSGPACK, "inner twin key", False),
        (Dialect.MSGPACK, "inner number as key", False),
        (Dialect.MSGPACK, "one level too deep", True),
        (Dialect.MSGPACK, "empty bin", True),
        (Dialect.MSGPACK, "empty ext", True),
        (Dialect.MSGPACK, "timestamp", True),
        (Dialect.MSGPACK, "option 5.0", False),
    ],
)
def test_a_message_whose_end_is_known_does_not_lose_the_bot(dialect: Dialect, name: str, lost: bool) -> None:
    """In frames the end is always known."""
    assert receive(asked(dialect), [envelope(dialect, MSGPACK[name])]).lost is lost


@every_dialect
def test_containers_may_be_nested_to_the_limit_and_no_deeper(dialect: Dialect) -> None:
    for depth in range(1, MAX_DEPTH + 3):
        message: dict[str, Any] = choice(ASKED, 5)
        inner: list[Any] = []
        for _ in range(depth - 2):
            inner = [inner]
        outcome = receive(asked(dialect), [encode(dialect, message | ({"x": inner} if depth > 1 else {}))])
        assert outcome.answers == ([5] if depth <= MAX_DEPTH else [])
        assert outcome.errors == (depth > MAX_DEPTH)


@pytest.mark.parametrize(("size", "lost"), [(MAX_MESSAGE - 1, False), (MAX_MESSAGE, True)])
def test_an_unfinished_msgpack_message_is_waited_for_until_it_is_too_long(size: int, lost: bool) -> None:
    data = b"\x81\xa1x\xdc\x01\x00" + (b"\xdc\x00\xff" + bytes(255)) * 20
    assert receive(asked(Dialect.MSGPACK), [data[:size]]) == Outcome([], int(lost), lost)


@pytest.mark.parametrize("size", [0, MAX_MESSAGE + 1, 2**16, 2**24, 2**32 - 1])
def test_a_length_that_no_frame_has_is_named(size: int) -> None:
    with pytest.raises(RemoteProtocolError, match=f"a length of 1 to {MAX_MESSAGE} bytes; got a length of {size},"):
        asked(Dialect.FRAMED).receive(size.to_bytes(4, "big"))


TEXTS = [
    b"Hello, I am a bot!\n",
    b"thinking...\n",
    b"Traceback (most recent call last):\n",
    b"   5 is my card\n",
    b"DEBUG:root:x\n" * 5,
]


@pytest.mark.parametrize("dialect", [None, *Dialect])
@pytest.mark.parametrize("data", TEXTS)
def test_text_on_stdout_is_quoted_and_the_author_told_of_stderr(dialect: Dialect | None, data: bytes) -> None:
    """As the first bytes of a session, and in a match of each dialect."""
    with pytest.raises(RemoteProtocolError) as caught:
        Connection(lambda: 1).receive_hello(data) if dialect is None else asked(dialect).receive(data)
    check(caught.value)
    told = f"{caught.value.got} {caught.value.hint}"
    assert "stderr" in told
    assert data.strip()[:8].decode() in told
    assert caught.value.resync == (dialect is Dialect.JSON)


def test_no_other_byte_begins_a_session() -> None:
    for first in {*range(256)} - {*b"\x00{ \t\r\n", *range(0x80, 0x90), 0xDE, 0xDF}:
        connection = Connection(lambda: 1)
        with pytest.raises(RemoteProtocolError, match=f"the byte {first:02x}") as caught:
            connection.receive_hello(bytes((first,)))
        check(caught.value)
        assert not caught.value.resync
        assert connection.receive_hello(encode(Dialect.JSON, HELLO)) is None, "all that comes is lost"


@pytest.mark.parametrize(
    "line",
    [
        b'{"x":"' + b"\\" * 4000,
        b"{" + b'\\"' * 2040,
        b'{"' * 1300,
        b'"' * 4095,
        b"{" + b"[]" * 2000,
        b'{"x":' + b"9" * 4000,
    ],
    ids=["backslashes", "escaped quotes", "quotes and braces", "quotes", "brackets", "digits"],
)
def test_no_line_takes_long_to_judge(line: bytes) -> None:
    """A stall of the referee would look like one of the machine and void the match."""
    best = 1.0
    for _ in range(3):
        connection = asked(Dialect.JSON)
        start = process_time()
        receive(connection, [line + b"\n"])
        best = min(best, process_time() - start)
    assert best < 0.02
