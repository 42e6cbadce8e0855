"""The legal order of messages, and which answer belongs to which question."""

import re
from typing import Any

import pytest

from bullring.errors import LocalProtocolError, RemoteProtocolError
from bullring.protocol.connection import Connection, Phase
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS
from tests.protocol.talk import HELLO, check, choice, connected, encode, every_dialect


def refused(connection: Connection, data: bytes, expected: str, got: str) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        connection.receive(data)
    check(caught.value)
    assert re.search(expected, caught.value.expected)
    assert re.search(got, caught.value.got)
    assert caught.value.resync


@every_dialect
def test_a_question_and_its_answer_and_the_next(dialect: Dialect) -> None:
    connection = connected(dialect, 70, 80)
    phases = [connection.phase]
    for number in (70, 80):
        assert connection.ask() == connection.encoder.value(number)
        phases.append(connection.phase)
        assert connection.receive(encode(dialect, choice(number, 5))) == 5
        phases.append(connection.phase)
    assert phases == [Phase.IDLE, Phase.ASKED, Phase.IDLE, Phase.ASKED, Phase.IDLE]


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
@pytest.mark.parametrize(
    "changes",
    [
        {"protocol": 2},
        {"protocol": "1"},
        {"protocol": None},
        {"name": ""},
        {"name": "x" * 65},
        {"name": 5},
        {"version": 1},
    ],
)
def test_a_hello_with_a_wrong_value_names_it(dialect: Dialect, changes: dict[str, Any]) -> None:
    connection = Connection(lambda: 1)
    with pytest.raises(RemoteProtocolError, match=f'a hello .*"{next(iter(changes))}" must be ') as caught:
        connection.receive_hello(encode(dialect, HELLO | changes))
    check(caught.value)


@every_dialect
def test_a_second_hello_is_refused_asked_or_not(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    refused(connection, encode(dialect, HELLO), "^a choice$", "^a second hello$")
    connection.ask()
    refused(connection, encode(dialect, HELLO), "^a choice$", "^a second hello$")
    assert connection.receive(encode(dialect, choice(7, 5))) == 5


@every_dialect
def test_an_answer_before_the_question_is_refused_and_never_used(dialect: Dialect) -> None:
    """Even if the bot could guess the id and the options."""
    connection = connected(dialect, 7)
    refused(connection, encode(dialect, choice(7, 5)), "^nothing, because no question is pending$", "the id 7")
    connection.ask()
    assert connection.receive(b"") is None
    assert connection.phase is Phase.ASKED
    assert connection.receive(encode(dialect, choice(7, 6))) == 6


@every_dialect
def test_an_answer_that_came_with_the_hello_is_refused(dialect: Dialect) -> None:
    connection = Connection(lambda: 7)
    assert connection.receive_hello(encode(dialect, HELLO) + encode(dialect, choice(6, 5)))
    connection.ask()
    refused(connection, b"", "a choice with the id 7", "the id 6")
    assert connection.receive(encode(dialect, choice(7, 4))) == 4


@every_dialect
@pytest.mark.parametrize("number", [0, 6, 8, 2**31 - 1])
def test_an_unknown_id_is_refused_and_the_question_stays_open(dialect: Dialect, number: int) -> None:
    connection = connected(dialect, 7)
    connection.ask()
    refused(connection, encode(dialect, choice(number, 5)), "^a choice with the id 7$", f"the id {number}$")
    assert connection.phase is Phase.ASKED
    assert connection.receive(encode(dialect, choice(7, 5))) == 5


@every_dialect
def test_the_second_of_two_answers_is_refused(dialect: Dialect) -> None:
    connection = connected(dialect, 7, 8)
    connection.ask()
    assert connection.receive(encode(dialect, choice(7, 5))) == 5
    refused(connection, encode(dialect, choice(7, 6)), "^nothing, because no question is pending$", "the id 7")
    connection.ask()
    refused(connection, encode(dialect, choice(7, 6)), "^a choice with the id 8$", "the id 7")


@every_dialect
def test_of_two_answers_at_once_the_first_counts_and_the_second_is_refused(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    connection.ask()
    assert connection.receive(encode(dialect, choice(7, 5)) + encode(dialect, choice(7, 6))) == 5
    assert connection.unfinished
    refused(connection, b"", "^nothing", "the id 7")
    assert connection.receive(b"") is None
    assert connection.phase is Phase.IDLE


@every_dialect
def test_an_answer_is_returned_before_what_came_with_it_is_judged(dialect: Dialect) -> None:
    """Or a bot's good answer would be lost by what it said after it, depending on how the pipe cut it."""
    connection = connected(dialect, 7, 8)
    connection.ask()
    connection.give_up()
    connection.ask()
    messages = [choice(7, 1), choice(8, 2), choice(7, 3), choice(8, 4)]
    assert connection.receive(b"".join(encode(dialect, message) for message in messages)) == 2
    refused(connection, b"", "^nothing", "the id 7")
    refused(connection, b"", "^nothing", "the id 8")
    assert connection.unfinished == 0


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
def test_a_late_answer_is_dropped_once(dialect: Dialect) -> None:
    connection = connected(dialect, 7, 8)
    connection.ask()
    connection.give_up()
    assert connection.phase is Phase.IDLE
    assert connection.receive(encode(dialect, choice(7, 5))) is None
    refused(connection, encode(dialect, choice(7, 5)), "^nothing, because no question is pending$", "the id 7")


@every_dialect
@pytest.mark.parametrize("order", ["late first", "late last"])
def test_a_late_answer_does_not_hide_the_one_in_time(dialect: Dialect, order: str) -> None:
    connection = connected(dialect, 7, 8)
    connection.ask()
    connection.give_up()
    connection.ask()
    messages = [choice(7, 5), choice(8, 6)]
    if order == "late last":
        messages.reverse()
    assert connection.receive(b"".join(encode(dialect, message) for message in messages)) == 6
    assert connection.phase is Phase.IDLE


@every_dialect
def test_a_late_answer_is_not_the_answer_to_the_next_question(dialect: Dialect) -> None:
    connection = connected(dialect, 7, 8)
    connection.ask()
    connection.give_up()
    connection.ask()
    assert connection.receive(encode(dialect, choice(7, 5))) is None
    assert connection.phase is Phase.ASKED
    refused(connection, encode(dialect, choice(7, 5)), "^a choice with the id 8$", "the id 7")


@every_dialect
def test_a_late_answer_must_be_a_good_one_all_the_same(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    connection.ask()
    connection.give_up()
    refused(connection, encode(dialect, choice(7, True)), 'a choice .*"option" must be a whole number', "True")
    assert connection.receive(encode(dialect, choice(7, 5))) is None


@every_dialect
def test_the_last_sixteen_late_answers_are_known(dialect: Dialect) -> None:
    connection = connected(dialect, *range(100, 117))
    for _ in range(17):
        connection.ask()
        connection.give_up()
    refused(connection, encode(dialect, choice(100, 5)), "^nothing", "the id 100")
    for number in range(101, 117):
        assert connection.receive(encode(dialect, choice(number, 5))) is None


@every_dialect
def test_giving_up_what_was_not_asked_changes_nothing(dialect: Dialect) -> None:
    connection = connected(dialect, 7)
    connection.give_up()
    refused(connection, encode(dialect, choice(-1 % 2**31, 5)), "^nothing", "the id")
    connection.ask()
    assert connection.receive(encode(dialect, choice(7, 5))) == 5
    connection.give_up()
    refused(connection, encode(dialect, choice(7, 5)), "^nothing", "the id 7")


@every_dialect
@pytest.mark.parametrize(
    "changes",
    [
        {"type": "Choice"},
        {"type": "decide"},
        {"type": None},
        {"id": "7"},
        {"id": 7.0},
        {"id": True},
        {"id": -1},
        {"id": 2**31},
        {"id": None},
        {"option": True},
        {"option": 5.0},
        {"option": None},
        {"option": 2**31},
        {"option": -(2**31) - 1},
        {"option": {"card": 5}},
        {"option": [5, True]},
        {"option": [5.0]},
        {"option": [[5]]},
        {"option": [5] * 17},
        {"option": "x" * 65},
    ],
    ids=str,
)
@pytest.mark.parametrize("number", [1, 7])
def test_an_answer_with_a_wrong_value_is_refused_and_may_be_repeated(
    dialect: Dialect, changes: dict[str, Any], number: int
) -> None:
    connection = connected(dialect, number)
    connection.ask()
    refused(connection, encode(dialect, choice(number, 5) | changes), next(iter(changes)), ".")
    assert connection.receive(encode(dialect, choice(number, 5))) == 5


@every_dialect
@pytest.mark.parametrize("key", ["type", "id", "option"])
def test_an_answer_in_which_something_is_missing_is_refused(dialect: Dialect, key: str) -> None:
    message = choice(7, 5)
    del message[key]
    connection = connected(dialect, 7)
    connection.ask()
    refused(connection, encode(dialect, message), key, ".")


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
