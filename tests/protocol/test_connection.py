"""The legal order of messages, and which answer belongs to which question."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import pytest

from bullring.errors import LocalProtocolError, RemoteProtocolError
from bullring.protocol.connection import Connection, Phase
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from tests.protocol.talk import HELLO, check, choice, connected, encode, every_dialect


class Act(Enum):
    """An act of the referee."""

    ASK = auto()
    GIVE_UP = auto()


ASK, GIVE_UP = Act
NOTHING = "^nothing, because no question is pending$"


@dataclass
class Refused:
    """The error that comes of a message: patterns of what was expected, and of what came."""

    expected: str
    got: str
    hint: str = ""


Step = Act | tuple[list[dict[str, Any]], int | Refused | None]
"""`ASK`, `GIVE_UP`, or messages that come in one piece with what comes of them. Questions have the ids 7, 8, ..."""


def late_after(count: int) -> list[Step]:
    """The bot answers none of so many questions in time."""
    return [ASK, GIVE_UP] * count


TALKS: dict[str, list[Step]] = {
    "a question and its answer, and the next": [ASK, ([choice(7, 5)], 5), ASK, ([choice(8, 5)], 5)],
    "a second hello is refused, asked or not": [
        ([HELLO], Refused("^a choice$", "^a second hello$")),
        ASK,
        ([HELLO], Refused("^a choice$", "^a second hello$")),
        ([choice(7, 5)], 5),
    ],
    "an answer before the question is never used, even if the bot could guess the id and the options": [
        ([choice(7, 5)], Refused(NOTHING, "the id 7")),
        ASK,
        ([], None),
        ([choice(7, 6)], 6),
    ],
    "the second of two answers is refused": [
        ASK,
        ([choice(7, 5)], 5),
        ([choice(7, 6)], Refused(NOTHING, "the id 7", "send one choice for each decide, and nothing else")),
        ASK,
        ([choice(7, 6)], Refused("^a choice with the id 8$", "the id 7")),
    ],
    "of two answers at once the first counts and the second is refused": [
        ASK,
        ([choice(7, 5), choice(7, 6)], 5),
        ([], Refused(NOTHING, "the id 7")),
        ([], None),
    ],
    "an answer is returned before what came with it is judged, or it would depend on how the pipe cut it": [
        *late_after(1),
        ASK,
        ([choice(7, 1), choice(8, 2), choice(7, 3), choice(8, 4)], 2),
        ([], Refused(NOTHING, "the id 7")),
        ([], Refused(NOTHING, "the id 8")),
    ],
    "a late answer is dropped once": [
        *late_after(1),
        ([choice(7, 5)], None),
        ([choice(7, 5)], Refused(NOTHING, "the id 7")),
    ],
    "a late answer does not hide the one after it": [*late_after(1), ASK, ([choice(7, 5), choice(8, 6)], 6)],
    "a late answer does not hide the one before it": [*late_after(1), ASK, ([choice(8, 6), choice(7, 5)], 6)],
    "a late answer is not the answer to the next question": [
        *late_after(1),
        ASK,
        ([choice(7, 5)], None),
        ([choice(7, 5)], Refused("^a choice with the id 8$", "the id 7")),
    ],
    "a late answer must be a good one all the same": [
        *late_after(1),
        ([choice(7, True)], Refused('a choice .*"option" must be a whole number', "True")),
        ([choice(7, 5)], None),
    ],
    "the last sixteen late answers are known": [
        *late_after(17),
        ([choice(7, 5)], Refused(NOTHING, "the id 7")),
        *(([choice(number, 5)], None) for number in range(8, 24)),
    ],
    "giving up what was not asked changes nothing": [
        GIVE_UP,
        ([choice(-1 % 2**31, 5)], Refused(NOTHING, "the id")),
        ASK,
        ([choice(7, 5)], 5),
        GIVE_UP,
        ([choice(7, 5)], Refused(NOTHING, "the id 7")),
    ],
    "a bad answer may be repeated": [
        ASK,
        ([choice(7, 5) | {"type": "Choice"}], Refused("type", ".")),
        ([choice(7, 5) | {"id": "7"}], Refused("id", ".")),
        ([choice(7, 5.0)], Refused("option", ".")),
        ([choice(7, 5)], 5),
    ],
    **{
        f"the unknown id {number} is refused and the question stays open": [
            ASK,
            (
                [choice(number, 5)],
                Refused("^a choice with the id 7$", f"the id {number}$", "repeat the id of the decide"),
            ),
            ([choice(7, 5)], 5),
        ]
        for number in (0, 6, 8, 2**31 - 1)
    },
}


@every_dialect
@pytest.mark.parametrize("steps", TALKS.values(), ids=TALKS)
def test_a_talk(dialect: Dialect, steps: list[Step]) -> None:
    connection = connected(dialect, *range(7, 30))
    phase = Phase.IDLE
    for step in steps:
        if step is ASK:
            number = connection.ask()
            assert number == connection.encoder.value(connection.question)
            phase = Phase.ASKED
        elif isinstance(step, Act):
            connection.give_up()
            phase = Phase.IDLE
        else:
            messages, outcome = step
            data = b"".join(encode(dialect, message) for message in messages)
            if isinstance(outcome, Refused):
                check_refusal(connection, data, outcome)
            else:
                assert connection.receive(data) == outcome
                phase = Phase.IDLE if outcome is not None else phase
        assert connection.phase is phase


def check_refusal(connection: Connection, data: bytes, refused: Refused) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        connection.receive(data)
    check(caught.value)
    assert re.search(refused.expected, caught.value.expected)
    assert re.search(refused.got, caught.value.got)
    assert refused.hint in caught.value.hint
    assert caught.value.resync
    assert caught.value.raw


@every_dialect
def test_a_hello_may_come_in_pieces(dialect: Dialect) -> None:
    connection = Connection(lambda: 1)
    data = encode(dialect, HELLO)
    for at in range(len(data) - 1):
        assert connection.receive_hello(data[at : at + 1]) is None
        assert connection.phase is Phase.NEW
    hello = connection.receive_hello(data[-1:])
    assert hello is not None
    assert hello.name == HELLO["name"]
    assert connection.phase is Phase.IDLE


@every_dialect
def test_the_first_message_must_be_a_hello(dialect: Dialect) -> None:
    connection = Connection(lambda: 1)
    with pytest.raises(RemoteProtocolError) as caught:
        connection.receive_hello(encode(dialect, choice(1, 5)))
    assert (caught.value.expected, caught.value.got) == ("a hello", "a choice")
    assert connection.phase is Phase.NEW


@every_dialect
def test_an_answer_that_came_with_the_hello_is_refused(dialect: Dialect) -> None:
    connection = Connection(lambda: 7)
    assert connection.receive_hello(encode(dialect, HELLO) + encode(dialect, choice(6, 5)))
    connection.ask()
    check_refusal(connection, b"", Refused("a choice with the id 7", "the id 6"))
    assert connection.receive(encode(dialect, choice(7, 4))) == 4


@every_dialect
def test_it_is_known_how_much_of_a_message_has_come(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    assert connection.unfinished == 0
    connection.ask()
    data = encode(dialect, choice(7, 5))
    for at in range(len(data) - 1):
        assert connection.receive(data[at : at + 1]) is None
        assert connection.unfinished == at + 1
    assert connection.receive(data[-1:]) == 5
    assert connection.unfinished == 0


@every_dialect
def test_the_referee_itself_must_keep_the_order(dialect: Dialect) -> None:
    connection = Connection(lambda: 7)
    with pytest.raises(LocalProtocolError, match="cannot be asked while it is new"):
        connection.ask()
    connection.receive_hello(encode(dialect, HELLO))
    with pytest.raises(LocalProtocolError, match="the hello has been received already"):
        connection.receive_hello(b"")
    connection.ask()
    with pytest.raises(LocalProtocolError, match="cannot be asked while it is asked"):
        connection.ask()


@every_dialect
def test_the_referee_answers_in_the_dialect_of_the_hello(dialect: Dialect) -> None:
    assert connected(dialect).encoder is ENCODERS[dialect]


@every_dialect
def test_a_connection_shows_its_state_and_nothing_of_the_id(dialect: Dialect) -> None:
    connection = connected(dialect, 123456)
    connection.ask()
    connection.receive(encode(dialect, choice(123456, 5))[:3])
    assert repr(connection) == f"<Connection asked, <Decoder {dialect.value}, 3 bytes waiting>>"
