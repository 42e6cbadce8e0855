"""An answer in one piece goes a fast way through `Connection.receive`: it must come to the same as the slow way and the model."""

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bullring.protocol.connection import Connection
from bullring.protocol.decoding import MAX_MESSAGE, Dialect
from bullring.protocol.messages import Choice
from bullring.protocol.said import Index
from tests.protocol import raw
from tests.protocol.talk import (
    ASKED,
    Outcome,
    asked,
    by_index,
    choice,
    connected,
    encode,
    envelope,
    every_dialect,
    receive,
)
from tests.support.thorough import examples

CHOICE: list[raw.Pair] = [(b"\xa4type", b"\xa6choice"), (b"\xa2id", bytes((ASKED,))), (b"\xa6option", b"\x05")]
MSGPACK = pytest.mark.parametrize("dialect", [Dialect.MSGPACK, Dialect.FRAMED])


def both_ways(dialect: Dialect, data: bytes, at: int = 1) -> Outcome:
    """The outcome of `data`, which is the same whole and cut in two."""
    whole, in_two = asked(dialect), asked(dialect)
    outcome = receive(whole, [data])
    assert receive(in_two, [data[:at], data[at:]]) == outcome
    assert (whole.phase, whole.unfinished) == (in_two.phase, in_two.unfinished)
    return outcome


@every_dialect
@examples(62)
@given(data=st.data())
def test_near_misses_are_judged_alike_whole_and_in_pieces(dialect: Dialect, data: st.DataObject) -> None:
    message = data.draw(raw.choices(dialect))
    both_ways(dialect, message, data.draw(st.integers(1, len(message) - 1)))


values = st.recursive(
    st.one_of(raw.numbers, st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False), raw.texts),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(raw.small_text, inner, max_size=2),
    max_leaves=4,
)


types: st.SearchStrategy[object] = st.sampled_from(["choice", "choice", "hello"]) | values
ids: st.SearchStrategy[object] = st.just(ASKED) | values
options: st.SearchStrategy[object] = raw.numbers | values
messages = st.builds(
    lambda extra, known: extra | known,
    st.dictionaries(raw.small_text, values, max_size=3),
    st.fixed_dictionaries({"type": types, "id": ids}, optional={"option": options, "index": options}),
)


@every_dialect
@examples(37)
@given(message=messages)
def test_the_answer_is_taken_exactly_if_the_model_takes_it(dialect: Dialect, message: dict[str, Any]) -> None:
    try:
        model = Choice.model_validate(message)
    except ValidationError:
        good = False
    else:
        good = model.id == ASKED
    outcome = receive(asked(dialect), [encode(dialect, message)])
    said = message["option"] if "option" in message else Index(message["index"]) if "index" in message else None
    assert outcome.answers == ([said] if good else [])
    assert [type(answer) for answer in outcome.answers] == ([type(said)] if good else [])
    assert outcome.errors == (not good)


@every_dialect
@pytest.mark.parametrize("position", [0, 5, 127, 128, 255, 2**16, 2**31 - 1])
def test_an_index_is_taken_by_each_way_and_an_option_after_it(dialect: Dialect, position: int) -> None:
    """A bot that answered by an index is expected to do so again; all answers are judged alike."""
    connection = connected(dialect, 7, 8, 9, 10)
    for number, message, answer in (
        (7, by_index(7, position), Index(position)),
        (8, by_index(8, position), Index(position)),
        (9, choice(9, 5), 5),
        (10, by_index(10, position), Index(position)),
    ):
        connection.ask()
        assert connection.question == number
        assert receive(connection, [encode(dialect, message)]) == Outcome([answer])
        assert connection.question is None


def used_to(dialect: Dialect, *, index: bool) -> Connection:
    """A connection whose bot was asked question `ASKED`, and has answered the one before by index or by option."""
    connection = connected(dialect, 6, ASKED)
    connection.ask()
    receive(connection, [encode(dialect, by_index(6, 0) if index else choice(6, 1))])
    connection.ask()
    return connection


@every_dialect
@pytest.mark.parametrize(
    "changes", [{}, {"option": None, "index": 0}, {"index": -1}, {"index": 2**31}, {"index": None}]
)
@pytest.mark.parametrize("accustomed", [False, True])
def test_an_answer_is_an_option_or_an_index(dialect: Dialect, changes: dict[str, Any], accustomed: bool) -> None:
    """Neither of them, an option that is none, and an index that is none."""
    connection = used_to(dialect, index=accustomed)
    message = {"type": "choice", "id": ASKED, **changes}
    assert receive(connection, [encode(dialect, message)]) == Outcome([], 1)
    assert receive(connection, [encode(dialect, choice(ASKED, 5))]) == Outcome([5])


@every_dialect
@pytest.mark.parametrize("index", [0, 7, -1, "best", None, [1], 2.5])
@pytest.mark.parametrize("accustomed", [False, True])
def test_an_index_beside_an_option_is_ignored_like_any_unknown_key(
    dialect: Dialect, index: object, accustomed: bool
) -> None:
    """As it was before there was an index: a bot may have a key of its own with this name."""
    connection = used_to(dialect, index=accustomed)
    message = {"type": "choice", "id": ASKED, "option": 5, "index": index}
    assert receive(connection, [encode(dialect, message)]) == Outcome([5])


@MSGPACK
@pytest.mark.parametrize("last", [0, 1, 127, 128, 255])
def test_an_index_as_most_bots_write_it_may_end_in_any_byte_that_is_one(dialect: Dialect, last: int) -> None:
    data = encode(dialect, by_index(ASKED, 0))[:-1] + bytes((last,))
    outcome = receive(used_to(dialect, index=True), [data])
    assert outcome.answers == ([Index(last)] if last < 128 else [])
    assert outcome.errors == (last >= 128)


@MSGPACK
@pytest.mark.parametrize("number", [0, ASKED, 127, 128, 255, 2**16, 2**31 - 1])
def test_an_answer_as_most_bots_write_it_may_end_in_any_byte_that_is_an_option(dialect: Dialect, number: int) -> None:
    begin = encode(dialect, choice(number, 0))[:-1]
    for last in range(256):
        outcomes = []
        for pieces in ([begin + bytes((last,))], [begin, bytes((last,))]):
            connection = connected(dialect, number)
            connection.ask()
            outcomes.append((receive(connection, pieces), connection.phase))
        assert outcomes[0] == outcomes[1]
        whole: dict[int, Any] = {0x90: [], 0xA0: ""} | {code: code - 256 for code in range(0xE0, 0x100)}
        assert outcomes[0][0].answers == ([last] if last < 0x80 else [whole[last]] if last in whole else [])


ORDERS = pytest.mark.parametrize("order", [CHOICE, CHOICE[::-1]], ids=["usual order", "other order"])


@MSGPACK
@ORDERS
def test_a_map_has_as_many_pairs_as_its_header_says(dialect: Dialect, order: list[raw.Pair]) -> None:
    body = raw.raw_map(order)[1:]
    for count in range(16):
        outcome = both_ways(dialect, envelope(dialect, bytes((0x80 | count,)) + body))
        assert outcome.answers == ([5] if count == 3 else [])


@ORDERS
def test_a_frame_is_as_long_as_its_length_says(order: list[raw.Pair]) -> None:
    payload = raw.raw_map(order)
    for length in (*range(256), 256 + len(payload), 2**16 + len(payload), 2**24 + len(payload)):
        outcome = both_ways(Dialect.FRAMED, length.to_bytes(4, "big") + payload)
        assert outcome.answers == ([5] if length == len(payload) else [])


@every_dialect
@pytest.mark.parametrize(
    "keys", [("type", "id", "option"), ("option", "id", "type")], ids=["usual order", "other order"]
)
def test_half_a_message_spoils_the_answer_that_follows_it(dialect: Dialect, keys: tuple[str, ...]) -> None:
    data = encode(dialect, {key: choice(ASKED, 5)[key] for key in keys})
    outcome = both_ways(dialect, data[:9] + data, at=9)
    assert not outcome.answers, "at best the whole is taken for a long message that is not finished"


@MSGPACK
@pytest.mark.parametrize("width", [0, 2, 4])
def test_no_key_may_stand_twice_in_a_map_of_any_size(dialect: Dialect, width: int) -> None:
    for extra in range(20):
        for twin in CHOICE:
            pairs = [*CHOICE, *((msgpack.packb(f"x{i}"), b"\x00") for i in range(extra)), twin]
            assert both_ways(dialect, envelope(dialect, raw.raw_map(pairs, width))) == Outcome([], 1)


@MSGPACK
@pytest.mark.parametrize("width", [0, 2, 4])
def test_a_map_may_have_any_header_that_fits(dialect: Dialect, width: int) -> None:
    for extra in range(20):
        pairs = [*CHOICE, *((msgpack.packb(f"x{i}"), b"\x00") for i in range(extra))]
        assert both_ways(dialect, envelope(dialect, raw.raw_map(pairs, width))) == Outcome([5], 0)


@every_dialect
@pytest.mark.parametrize("size", [MAX_MESSAGE - 1, MAX_MESSAGE, MAX_MESSAGE + 1, MAX_MESSAGE + 100, 2 * MAX_MESSAGE])
def test_the_largest_message_is_the_same_whole_and_in_pieces(dialect: Dialect, size: int) -> None:
    """The length before a frame and the line feed after a line do not count."""
    frame = len(encode(dialect, choice(ASKED, 5) | {"x": "y" * 300})) - 300
    size += {Dialect.FRAMED: 4, Dialect.JSON: 1}.get(dialect, 0)
    data = encode(dialect, choice(ASKED, 5) | {"x": "y" * (size - frame)})
    assert len(data) == size
    allowed = size <= MAX_MESSAGE + {Dialect.FRAMED: 4, Dialect.JSON: 1}.get(dialect, 0)
    for at in (1, 1000, MAX_MESSAGE - 1, MAX_MESSAGE, size - 1):
        assert both_ways(dialect, data, at) == Outcome([5] if allowed else [], not allowed, not allowed)
