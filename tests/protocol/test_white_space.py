"""White space between messages is nothing, and a value that looks like white space is a value."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.protocol.decoding import Decoder, Dialect
from tests.protocol.talk import HELLO, choice, connected, cut, encode, read, receive

white = st.text(" \t\r\n", max_size=8).map(str.encode)
LOOKS_WHITE = [9, 10, 13, 32]
"""As msgpack these numbers are the bytes of tab, line feed, carriage return and space."""


@pytest.mark.parametrize("dialect", [Dialect.MSGPACK, Dialect.JSON])
@given(spaces=st.lists(white, min_size=4, max_size=4), places=st.lists(st.integers(0, 500), max_size=8))
def test_white_space_may_stand_before_between_and_after_messages(
    dialect: Dialect, spaces: list[bytes], places: list[int]
) -> None:
    messages = [HELLO, choice(1, 10), choice(2, 32)]
    data = (
        b"".join(space + encode(dialect, message) for space, message in zip(spaces, messages, strict=False)) + spaces[3]
    )
    assert read(Decoder(), cut(data, places)) == (messages, 0, False)


LINE = encode(Dialect.JSON, choice(7, 3))
TEXT = '{"type":"choice"}[[['


@pytest.mark.parametrize(
    ("dialect", "pieces", "answer"),
    [
        *(
            pytest.param(dialect, [data[:-1], data[-1:]], card, id=f"{dialect.value}: {card}, whose byte comes alone")
            for dialect in (Dialect.MSGPACK, Dialect.FRAMED)
            for card in LOOKS_WHITE
            for data in [encode(dialect, choice(7, card))]
        ),
        pytest.param(Dialect.JSON, [LINE[:-1], b" ", b"\n"], 3, id="json: the line feed is needed"),
        pytest.param(Dialect.JSON, [LINE[:-1] + b"\r\n"], 3, id="json: ends of lines as on Windows"),
        pytest.param(Dialect.JSON, [encode(Dialect.JSON, choice(7, TEXT))], TEXT, id="json: brackets in a text"),
    ],
)
def test_the_last_piece_makes_the_answer(dialect: Dialect, pieces: list[bytes], answer: object) -> None:
    connection = connected(dialect, 7)
    connection.ask()
    assert [connection.receive(piece) for piece in pieces] == [*[None] * (len(pieces) - 1), answer]


@pytest.mark.parametrize("card", LOOKS_WHITE)
def test_a_card_that_looks_like_white_space_is_not_taken_for_the_space_after_the_message(card: int) -> None:
    connection = connected(Dialect.MSGPACK, 7, 8)
    connection.ask()
    assert connection.receive(encode(Dialect.MSGPACK, choice(7, card)) + b"\r\n \t") == card
    connection.ask()
    assert connection.receive(b"\n" + encode(Dialect.MSGPACK, choice(8, card)) + b"\n") == card


def test_white_space_alone_is_no_message_and_does_not_fix_the_dialect() -> None:
    decoder = Decoder()
    assert read(decoder, [b" \t\r\n" * 2000]) == ([], 0, False)
    assert decoder.dialect is None


@pytest.mark.parametrize("dialect", [Dialect.MSGPACK, Dialect.JSON])
def test_white_space_while_nothing_is_asked_is_no_answer(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    assert connection.receive(b"\n\n") is None
    connection.ask()
    assert connection.receive(b"\n") is None
    assert connection.receive(encode(dialect, choice(7, 3))) == 3


def test_a_frame_follows_a_frame_without_anything_between() -> None:
    connection = connected(Dialect.FRAMED, 7)
    connection.ask()
    outcome = receive(connection, [b"\n" + encode(Dialect.FRAMED, choice(7, 3))])
    assert not outcome.answers
    assert outcome.lost


def test_the_first_byte_fixes_the_dialect_of_the_session() -> None:
    """Later messages in another dialect are not understood."""
    for dialect in Dialect:
        for other in Dialect:
            if dialect is other:
                continue
            connection = connected(dialect, 7)
            connection.ask()
            outcome = receive(connection, [encode(other, choice(7, 3)) + b"\n"])
            assert not outcome.answers
            assert outcome.errors


def test_a_hello_in_a_large_map_header_is_msgpack() -> None:
    for header in (b"\xde\x00\x03", b"\xdf\x00\x00\x00\x03"):
        decoder = Decoder()
        assert read(decoder, [header + msgpack.packb(HELLO)[1:]]) == ([HELLO], 0, False)
        assert decoder.dialect is Dialect.MSGPACK
