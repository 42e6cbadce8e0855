"""Random and spoilt bytes: only `RemoteProtocolError` ever comes out, and the pieces they come in do not matter."""

from collections.abc import Callable

import pytest
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


@examples(75)
@given(data=st.binary(max_size=300), places=places)
def test_of_any_first_bytes_comes_a_hello_or_an_error_or_a_wait(data: bytes, places: list[int]) -> None:
    same_in_pieces(data, places)
    try:
        Connection(lambda: 1).receive_hello(data)
    except RemoteProtocolError as error:
        check(error)


@st.composite
def spoilt(draw: st.DrawFn, dialect: Dialect) -> bytes:
    """A good talk in which some bytes were changed, lost, doubled or put in."""
    data = bytearray(talks[dialect])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data) - 1))
        length = draw(st.integers(0, 3))
        data[at : at + length] = draw(st.binary(max_size=3) | st.just(bytes(data[at : at + 20])))
    return bytes(data)


def near_misses(dialect: Dialect) -> st.SearchStrategy[bytes]:
    """Several near misses of a choice, one after the other."""
    return st.lists(raw.choices(dialect), min_size=1, max_size=4).map(b"".join)


@every_dialect
@pytest.mark.parametrize(
    "kind", [lambda dialect: st.binary(max_size=300), spoilt, near_misses], ids=["any", "spoilt", "near"]
)
@examples(30)
@given(data=st.data(), places=places)
def test_any_bytes_in_a_session(
    dialect: Dialect, kind: Callable[[Dialect], st.SearchStrategy[bytes]], data: st.DataObject, places: list[int]
) -> None:
    said = data.draw(kind(dialect))
    same_in_pieces(said, places)
    same_in_pieces(encode(dialect, HELLO) + said, places)
    for pieces in ([said], cut(said, places)):
        assert len(receive(asked(dialect), pieces).answers) <= 1
