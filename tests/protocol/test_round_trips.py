"""Every message that is allowed arrives, in any dialect and in any pieces."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bullring.protocol.decoding import Decoder, Dialect
from tests.protocol.talk import HELLO, cut, encode, envelope, every_dialect, read

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=64)
numbers = st.integers(-(2**31), 2**31 - 1)
ids = st.integers(0, 2**31 - 1)
options = numbers | text | st.lists(numbers, max_size=16)
extras = st.dictionaries(
    text.map(lambda key: "x" + key[:20]),
    st.none() | st.booleans() | numbers | text | st.lists(text, max_size=2),
    max_size=3,
)
hellos = st.builds(
    lambda extra, name, version: {**extra, **HELLO, "name": name, **version},
    extras,
    text.filter(bool),
    st.fixed_dictionaries({}, optional={"version": text}),
)
choices = st.builds(lambda extra, i, o: {"type": "choice", **extra, "option": o, "id": i}, extras, ids, options)
places = st.lists(st.integers(0, 2**16), max_size=12)


@every_dialect
@given(hello=hellos, said=st.lists(choices, max_size=6), places=places)
def test_all_messages_arrive_as_they_were_sent_in_whatever_pieces(
    dialect: Dialect, hello: dict[str, Any], said: list[dict[str, Any]], places: list[int]
) -> None:
    data = b"".join(encode(dialect, message) for message in (hello, *said))
    for pieces in (cut(data, places), cut(data, range(len(data)))):
        decoder = Decoder()
        assert read(decoder, pieces) == ([hello, *said], 0, False)
        assert decoder.dialect is dialect


@given(hello=hellos, said=st.lists(choices, max_size=3), ascii=st.booleans(), roomy=st.booleans(), places=places)
def test_json_may_be_written_in_utf_8_and_with_spaces(
    hello: dict[str, Any], said: list[dict[str, Any]], ascii: bool, roomy: bool, places: list[int]
) -> None:
    separators = (" , ", "\t: ") if roomy else (",", ":")
    lines = [json.dumps(message, ensure_ascii=ascii, separators=separators) for message in (hello, *said)]
    data = b"".join(envelope(Dialect.JSON, line.encode()) for line in lines)
    assert read(Decoder(), cut(data, places)) == ([hello, *said], 0, False)
