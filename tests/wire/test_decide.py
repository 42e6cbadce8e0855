"""A decide is put together from parts (`Encoder.shared`, `items`, `array`, `decide`): it must say what the model says."""

from collections.abc import Sequence
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rules.game import Batch
from arena.rules.registry import GAMES
from protocol.decoding import Dialect
from protocol.encoding import ENCODERS
from protocol.messages import FROM_REFEREE, Bye, Decide, Limits, MatchOver, Message, Time, Welcome
from tests.rules.playing import steps
from tests.wire.talk import decode, every_dialect

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**64 - 1),
    text,
    st.sampled_from(["", '"', "\\", "\n", "\x00", "é", "\U0001f402", "x" * 300]),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=20)
        | st.tuples(inner, inner)
        | st.dictionaries(text, inner, max_size=18)
        | st.integers(14, 18).map(lambda size: list(range(size)))
    ),
    max_leaves=10,
)


def maps(prefix: str, least: int) -> st.SearchStrategy[dict[str, Any]]:
    """Maps of up to 20 keys, which begin alike so that two parts share none."""
    names = text.map(lambda key: prefix + key)
    return st.dictionaries(names, values, min_size=least, max_size=4) | st.integers(least, 20).map(
        lambda size: {f"{prefix}{i}": i for i in range(size)}
    )


numbers = st.integers(-(2**31), 2**31 - 1)
options = st.lists(
    numbers | st.text(st.characters(exclude_categories=["Cs"]), max_size=64) | st.lists(numbers, max_size=16),
    min_size=1,
    max_size=20,
)
steps_of_events = st.lists(st.lists(maps("", 0), max_size=4), max_size=6) | st.integers(14, 18).map(
    lambda size: [[{"type": "play"}] * size]
)
times = st.tuples(*[st.integers(0, 2**53)] * 3)


def assembled(
    dialect: Dialect,
    kind: str,
    public: dict[str, Any],
    private: dict[str, Any],
    journal: Sequence[Sequence[Any]],
    rest: Any,
) -> bytes:
    """A decide as the referee makes it: events step by step, the public part once for all seats."""
    encoder = ENCODERS[dialect]
    pieces = [encoder.items(events) for events in journal]
    events = encoder.array(sum(map(len, journal)), pieces)
    chosen, request, clock, fault = rest
    return encoder.decide(encoder.shared(kind, public, len(private)), private, chosen, events, request, clock, fault)


def model(
    kind: str, public: dict[str, Any], private: dict[str, Any], journal: Sequence[Sequence[Any]], rest: Any
) -> Decide:
    chosen, request, (limit, bank, last), fault = rest
    return Decide(
        kind=kind,
        events=[event for events in journal for event in events],
        view=public | private,
        options=[list(option) if isinstance(option, tuple) else option for option in chosen],
        id=request,
        time=Time(limit_us=limit, bank_us=bank, last_us=last),
        fault=fault,
    )


def canonical(dialect: Dialect, data: bytes) -> bytes:
    """`data` decoded and encoded again by others, its keys in their order: the same if it is written as shortly as can be."""
    decoded = decode(dialect, data)
    if dialect is Dialect.JSON:
        return data
    packed = bytes(msgpack.packb(decoded))
    return len(packed).to_bytes(4, "big") + packed if dialect is Dialect.FRAMED else packed


@every_dialect
@given(
    kind=text,
    public=maps("a", 1),
    private=maps("b", 1),
    journal=steps_of_events,
    rest=st.tuples(options, st.integers(0, 2**31 - 1), times, st.none() | text),
)
def test_a_decide_made_from_parts_is_the_model(
    dialect: Dialect, kind: str, public: dict[str, Any], private: dict[str, Any], journal: list[list[Any]], rest: Any
) -> None:
    data = assembled(dialect, kind, public, private, journal, rest)
    message = model(kind, public, private, journal, rest)
    assert decode(dialect, data) == decode(dialect, ENCODERS[dialect].message(message))
    assert canonical(dialect, data) == data
    read = FROM_REFEREE.validate_python(decode(dialect, data))
    assert isinstance(read, Decide)
    assert ("fault" in decode(dialect, data)) == (rest[3] is not None)


@every_dialect
@pytest.mark.parametrize("public", [1, 14, 15, 16, 40])
@pytest.mark.parametrize("private", [1, 2, 15, 16, 40])
def test_both_parts_of_a_view_may_have_many_keys(dialect: Dialect, public: int, private: int) -> None:
    parts = {f"a{i}": i for i in range(public)}, {f"b{i}": i for i in range(private)}
    rest = [1], 7, (1, 2, 3), None
    data = assembled(dialect, "card", *parts, [], rest)
    assert decode(dialect, data)["view"] == parts[0] | parts[1]
    assert canonical(dialect, data) == data


@every_dialect
@pytest.mark.parametrize("size", [0, 1, 15, 16, 255, 256, 65535])
def test_arrays_of_any_size(dialect: Dialect, size: int) -> None:
    events = [{"n": i} for i in range(size)]
    data = assembled(dialect, "card", {"a": 1}, {"b": 2}, [events[:5], [], events[5:]], ([1], 7, (1, 2, 3), None))
    assert decode(dialect, data)["events"] == events
    assert canonical(dialect, data) == data


@every_dialect
@pytest.mark.parametrize("name", GAMES)
def test_the_decides_of_every_game_are_the_model(dialect: Dialect, name: str) -> None:
    game = GAMES[name](GAMES[name].seat_range[1])
    journal = []
    for done in steps(game, seed=9):
        journal.append(done.events)
        batch = done.after.pending
        if not isinstance(batch, Batch):
            continue
        for seat, chosen in zip(batch.seats, batch.options, strict=True):
            parts = game.public(done.after), game.private(done.after, seat)
            rest = chosen, 2**31 - 1, (1_000_000, 0, 35), None
            data = assembled(dialect, batch.kind, *parts, journal[-3:], rest)
            message = ENCODERS[dialect].message(model(batch.kind, *parts, journal[-3:], rest))
            assert decode(dialect, data) == decode(dialect, message)


LIMITS = Limits(start_us=1, card_us=2, row_us=3, other_us=4, bank_us=0)
OTHERS: list[Message] = [
    Welcome(
        game="standard",
        options={"target": 66, "target_rule": "over", "deals": None},
        seats=2,
        seat=1,
        start=0,
        limits=LIMITS,
        strikes=3,
        seed=2**53 - 1,
        commitment="0" * 64,
    ),
    MatchOver(events=[{"type": "x", "n": (1, 2)}] * 20, scores=list(range(20)), ranks=[], void=True),
    Bye(reason='café "\n'),
]


@every_dialect
@pytest.mark.parametrize("message", OTHERS, ids=lambda message: message.type)
def test_other_messages_say_what_their_model_says(dialect: Dialect, message: Message) -> None:
    plain = decode(dialect, ENCODERS[dialect].message(message))
    assert FROM_REFEREE.validate_python(plain).model_dump() == decode(
        Dialect.MSGPACK, msgpack.packb(message.model_dump())
    )
    assert plain == decode(Dialect.MSGPACK, msgpack.packb(message.model_dump()))


def test_json_is_ascii_on_one_line() -> None:
    data = assembled(Dialect.JSON, "card", {"a": "é\n\u2028"}, {"b": "\x7f\x00"}, [], (["ä\r\n"], 7, (1, 2, 3), "ö\n"))
    assert data.isascii()
    assert data.count(b"\n") == 1
    assert data.endswith(b"\n")
