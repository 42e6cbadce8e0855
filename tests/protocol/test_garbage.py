"""Random and spoilt bytes: only `RemoteProtocolError` ever comes out, and the pieces they come in do not matter."""

from hypothesis import given
from hypothesis import strategies as st

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import Decoder, Dialect
from tests.protocol import raw
from tests.protocol.talk import HELLO, asked, check, choice, cut, encode, every_dialect, read, receive
from tests.support.thorough import examples

places = st.lists(st.integers(0, 2**16), max_size=8)

talks = {
    dialect: b"".join(
        encode(dialect, message)
        for message in (HELLO, choice(1, 10), choice(2, [1, 2]), choice(3, "word"), HELLO | {"x": {"y": [None, 1.5]}})
    )
    for dialect in Dialect
}


def same_in_pieces(data: bytes, places: list[int]) -> None:
    # By their texts, for a NaN is not equal to itself.
    assert repr(read(Decoder(), cut(data, places))) == repr(read(Decoder(), [data]))


def at_most_one_answer(dialect: Dialect, data: bytes, places: list[int]) -> None:
    for pieces in ([data], cut(data, places)):
        assert len(receive(asked(dialect), pieces).answers) <= 1


@examples(75)
@given(data=st.binary(max_size=300), places=places)
def test_any_bytes_as_the_first_of_a_session(data: bytes, places: list[int]) -> None:
    same_in_pieces(data, places)


@every_dialect
@examples(30)
@given(data=st.binary(max_size=300), places=places)
def test_any_bytes_after_the_hello(dialect: Dialect, data: bytes, places: list[int]) -> None:
    same_in_pieces(encode(dialect, HELLO) + data, places)
    at_most_one_answer(dialect, data, places)


@st.composite
def spoilt(draw: st.DrawFn, dialect: Dialect) -> bytes:
    """A good talk in which some bytes were changed, lost, doubled or put in."""
    data = bytearray(talks[dialect])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        length = draw(st.integers(0, 3))
        data[at : at + length] = draw(st.binary(max_size=3) | st.just(bytes(data[at : at + 20])))
    return bytes(data)


@every_dialect
@examples(30)
@given(data=st.data(), places=places)
def test_any_spoilt_talk(dialect: Dialect, data: st.DataObject, places: list[int]) -> None:
    said = data.draw(spoilt(dialect))
    same_in_pieces(said, places)
    at_most_one_answer(dialect, said, places)


@every_dialect
@examples(30)
@given(data=st.data(), places=places)
def test_any_near_misses_one_after_the_other(dialect: Dialect, data: st.DataObject, places: list[int]) -> None:
    said = b"".join(data.draw(st.lists(raw.choices(dialect), min_size=1, max_size=4)))
    same_in_pieces(encode(dialect, HELLO) + said, places)
    at_most_one_answer(dialect, said, places)


@examples(30)
@given(data=st.binary(max_size=300))
def test_whatever_comes_first_a_hello_or_an_error_or_a_wait_comes_of_it(data: bytes) -> None:
    try:
        Connection(lambda: 1).receive_hello(data)
    except RemoteProtocolError as error:
        check(error)
