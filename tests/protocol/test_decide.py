"""A decide is put together from pieces (`Encoder.question`, `seat`, `clock`, `decide`): it must say what the model says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.registry import GAMES
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import FROM_REFEREE, Decide, Time
from tests.arena.games.rules.playing import steps
from tests.protocol.talk import decode, every_dialect

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


def maps(least: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(text, values, min_size=least, max_size=4) | st.integers(least, 20).map(
        lambda size: {f"key {i}": i for i in range(size)}
    )


numbers = st.integers(-(2**31), 2**31 - 1)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=64)
options = st.lists(numbers | words | st.lists(numbers, max_size=16), min_size=1, max_size=20)
publics = maps(0).filter(lambda public: not public.keys() & {"seat", "hand"})
hands = st.lists(st.integers(1, 104), max_size=20)
journals = st.lists(st.lists(maps(0), max_size=4), max_size=6) | st.integers(14, 18).map(
    lambda size: [[{"type": "play"}] * size]
)
times = st.tuples(*[st.integers(0, 2**53)] * 3)


@dataclass(frozen=True)
class Asked:
    """The contents of a decide."""

    kind: str
    public: dict[str, Any]
    seat: int
    hand: Sequence[int]
    options: Sequence[Any]
    journal: Sequence[Sequence[Any]] = ()
    """The events, step by step."""
    number: int = 7
    times: tuple[int, int, int] = (1, 2, 3)
    fault: str | None = None

    def assembled(self, dialect: Dialect) -> bytes:
        """Made from pieces, as the referee makes it."""
        encoder = ENCODERS[dialect]
        events = encoder.array(sum(map(len, self.journal)), [encoder.items(step) for step in self.journal])
        question = encoder.question(self.kind, self.public, events)
        limit, bank, last = self.times
        return encoder.decide(
            question,
            encoder.seat(self.seat),
            self.hand,
            self.options,
            encoder.value(self.number),
            encoder.clock(limit, bank),
            last,
            self.fault,
        )

    def model(self) -> Decide:
        limit, bank, last = self.times
        return Decide(
            kind=self.kind,
            events=[event for step in self.journal for event in step],
            view=self.public | {"seat": self.seat, "hand": self.hand},
            options=[list(option) if isinstance(option, tuple) else option for option in self.options],
            id=self.number,
            time=Time(limit_us=limit, bank_us=bank, last_us=last),
            fault=self.fault,
        )


def canonical(dialect: Dialect, data: bytes) -> bytes:
    """`data` decoded and encoded again by others, its keys in their order: the same if it is written as shortly as can be."""
    decoded = decode(dialect, data)
    if dialect is Dialect.JSON:
        return json.dumps(decoded, separators=(",", ":")).encode() + b"\n"
    packed = bytes(msgpack.packb(decoded))
    return len(packed).to_bytes(4, "big") + packed if dialect is Dialect.FRAMED else packed


def same(dialect: Dialect, asked: Asked) -> None:
    """The pieces and the model say the same, and the pieces are put together as shortly as can be."""
    data = asked.assembled(dialect)
    plain = decode(dialect, data)
    assert plain == decode(dialect, ENCODERS[dialect].message(asked.model()))
    assert canonical(dialect, data) == data
    assert isinstance(FROM_REFEREE.validate_python(plain), Decide)
    assert ("fault" in plain) == (asked.fault is not None)


@every_dialect
@given(
    asked=st.builds(
        Asked,
        kind=text,
        public=publics,
        seat=st.integers(0, 200),
        hand=hands,
        options=options,
        journal=journals,
        number=st.integers(0, 2**31 - 1),
        times=times,
        fault=st.none() | text,
    )
)
def test_a_decide_made_from_pieces_is_the_model(dialect: Dialect, asked: Asked) -> None:
    same(dialect, asked)


@every_dialect
@pytest.mark.parametrize("fault", [None, "timeout"])
@pytest.mark.parametrize("keys", [0, 1, 12, 13, 14, 15, 16, 17, 300])
def test_the_public_part_of_a_view_may_have_any_number_of_keys(dialect: Dialect, keys: int, fault: str | None) -> None:
    same(dialect, Asked("card", {f"a{i}": i for i in range(keys)}, 1, [5, 10], [5, 10], fault=fault))


@every_dialect
@pytest.mark.parametrize("size", [0, 1, 15, 16, 255, 256, 65535])
def test_there_may_be_any_number_of_events(dialect: Dialect, size: int) -> None:
    events = [{"n": i} for i in range(size)]
    same(dialect, Asked("card", {"a": 1}, 2, [], [1], journal=[events[:5], [], events[5:]]))


@every_dialect
@pytest.mark.parametrize("size", [1, 15, 16, 300])
def test_options_that_are_the_hand_itself_are_written_as_well(dialect: Dialect, size: int) -> None:
    hand = list(range(1, size + 1))
    same(dialect, Asked("card", {"a": 1}, 0, hand, hand))


@every_dialect
@pytest.mark.parametrize("name", GAMES)
def test_the_decides_of_every_game_are_the_model(dialect: Dialect, name: str) -> None:
    game = GAMES[name](GAMES[name].seat_range[1])
    journal = []
    for done in steps(game, seed=9):
        journal.append([dict(event) for event in done.events])
        batch = done.after.pending
        if isinstance(batch, Batch):
            public = dict(game.public(done.after))
            for seat, chosen in zip(batch.seats, batch.options, strict=True):
                same(dialect, Asked(batch.kind, public, seat, game.hand(done.after, seat), chosen, journal[-3:]))


def test_json_is_ascii_on_one_line() -> None:
    data = Asked("é", {"a": "é\n\u2028"}, 0, [], ["ä\r\n"], [[{"\x7f": "\x00"}]], fault="ö\n").assembled(Dialect.JSON)
    assert data.isascii()
    assert data.count(b"\n") == 1
    assert data.endswith(b"\n")
