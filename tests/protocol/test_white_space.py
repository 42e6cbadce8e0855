"""White space between messages is nothing, and a value that looks like white space is a value."""

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.protocol.connection import Phase
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


@pytest.mark.parametrize("card", LOOKS_WHITE)
@pytest.mark.parametrize("dialect", [Dialect.MSGPACK, Dialect.FRAMED])
def test_a_card_that_looks_like_white_space_is_a_card_even_if_it_comes_alone(dialect: Dialect, card: int) -> None:
    connection = connected(dialect, 7)
    connection.ask()
    data = encode(dialect, choice(7, card))
    assert data[-1] == card
    assert connection.receive(data[:-1]) is None
    assert connection.phase is Phase.ASKED
    assert connection.receive(data[-1:]) == card


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


def test_json_needs_its_line_feed() -> None:
    connection = connected(Dialect.JSON, 7)
    connection.ask()
    data = encode(Dialect.JSON, choice(7, 3))
    assert connection.receive(data[:-1]) is None
    assert connection.receive(b" ") is None
    assert connection.receive(b"\n") == 3


def test_windows_line_ends_are_fine_in_json() -> None:
    connection = connected(Dialect.JSON, 7)
    connection.ask()
    assert connection.receive(encode(Dialect.JSON, choice(7, 3))[:-1] + b"\r\n") == 3


def test_json_strings_may_hold_what_looks_like_another_message() -> None:
    connection = connected(Dialect.JSON, 7)
    connection.ask()
    text = '{"type":"choice"}[[['
    assert connection.receive(encode(Dialect.JSON, choice(7, text))) == text


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
