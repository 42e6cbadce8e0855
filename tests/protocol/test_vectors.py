import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import Decoder, Dialect
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.messages import FROM_REFEREE, Choice, Decide, Hello
from bullring.protocol.said import Index
from docgen import generate
from docgen.session import decide

DIALECTS = list(Dialect)
HELLO = Hello(type="hello", protocol=1, name="vectors")
ID = 7


def files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (generate.VECTORS / folder).glob("*.json"))


def name(value: object) -> str:
    return value.stem if isinstance(value, Path) else str(getattr(value, "value", value))


def load(path: Path) -> dict[str, Any]:
    vector = json.loads(path.read_text("utf-8"))
    assert isinstance(vector, dict)
    return vector


def packed(vector: dict[str, Any], dialect: Dialect) -> bytes:
    text = vector[dialect.value]
    return text.encode("ascii") if dialect is Dialect.JSON else bytes.fromhex(text)


def decoded(data: bytes, dialect: Dialect, size: int) -> list[dict[str, Any]]:
    """All messages in `data`, fed in pieces of `size` bytes."""
    decoder = Decoder()
    decoder.dialect = dialect
    messages = []
    for at in range(0, len(data), size):
        decoder.feed(data[at : at + size])
        while (message := decoder.next_message()) is not None:
            messages.append(message)
    return messages


MESSAGES = files("from-bot", "from-referee")


@pytest.mark.parametrize("dialect", DIALECTS, ids=name)
@pytest.mark.parametrize("path", MESSAGES, ids=name)
def test_decodes_to_its_message(path: Path, dialect: Dialect) -> None:
    vector = load(path)
    data = packed(vector, dialect)
    for size in (1, 7, len(data)):
        assert decoded(data, dialect, size) == [vector["message"]]


@pytest.mark.parametrize("dialect", DIALECTS, ids=name)
def test_all_messages_in_one_piece(dialect: Dialect) -> None:
    vectors = [load(path) for path in MESSAGES]
    data = b"".join(packed(vector, dialect) for vector in vectors)
    for size in (1, 4096, len(data)):
        assert decoded(data, dialect, size) == [vector["message"] for vector in vectors]


@pytest.mark.parametrize("dialect", DIALECTS, ids=name)
@pytest.mark.parametrize("path", files("from-bot"), ids=name)
def test_a_bots_message_is_understood(path: Path, dialect: Dialect) -> None:
    vector = load(path)
    plain = vector["message"]
    data = packed(vector, dialect)
    connection = Connection(lambda: plain["id"])
    if plain["type"] == "hello":
        hello = connection.receive_hello(data)
        assert hello is not None
        assert hello.name == plain["name"]
        return
    connection.receive_hello(ENCODERS[dialect].message(HELLO))
    connection.ask()
    assert connection.receive(data) == (plain["option"] if "option" in plain else Index(plain["index"]))
    choice = Choice.model_validate(plain)
    assert ENCODERS[dialect].message(choice) == data


@pytest.mark.parametrize("dialect", DIALECTS, ids=name)
@pytest.mark.parametrize("path", files("from-referee"), ids=name)
def test_the_referees_message_is_encoded_so(path: Path, dialect: Dialect) -> None:
    vector = load(path)
    plain = vector["message"]
    message = FROM_REFEREE.validate_python(plain)
    encoder = ENCODERS[dialect]
    if not isinstance(message, Decide):
        assert encoder.message(message) == packed(vector, dialect)
        return
    # The model's keys may stand in another order than those of the question that is put together from its parts.
    assert decoded(encoder.message(message), dialect, 4096) == [plain]
    assert put_together(plain, dialect) == packed(vector, dialect)


def put_together(plain: dict[str, Any], dialect: Dialect) -> bytes:
    """A question as the referee makes it: from what all seats share and what is one seat's own, which begins with "seat"."""
    view, time = plain["view"], plain["time"]
    public = {key: value for key, value in view.items() if key not in ("seat", "hand")}
    clock = time["limit_us"], time["bank_us"], time["last_us"]
    question = plain["kind"], public, view["seat"], view["hand"], plain["options"], plain["events"]
    return decide(*question, plain["id"], clock, plain.get("fault")).packed[dialect]


@pytest.mark.parametrize("path", files("streams"), ids=name)
def test_stream(path: Path) -> None:
    vector = load(path)
    data = bytes.fromhex(vector["hex"])
    assert vector.get("text", data.decode("latin-1")).encode("latin-1") == data
    for size in (1, 2, 5, len(data)):
        assert decoded(data, Dialect(vector["dialect"]), size) == vector["messages"]


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "by bytes"])
@pytest.mark.parametrize("path", files("invalid"), ids=name)
def test_refused(path: Path, whole: bool) -> None:
    vector = load(path)
    data = bytes.fromhex(vector["hex"])
    pieces = [data] if whole else [bytes([byte]) for byte in data]
    connection = Connection(lambda: ID)
    if vector["dialect"] is None:
        assert str(first_refusal(connection.receive_hello, pieces)).startswith(vector["error"])
        assert vector["costs"] == "the seat"
        return
    encoder = ENCODERS[Dialect(vector["dialect"])]
    connection.receive_hello(encoder.message(HELLO))
    connection.ask()
    errors = refusals(connection, pieces)
    assert str(errors[0]).startswith(vector["error"])
    assert all(error.resync for error in errors) == (vector["costs"] == "a strike")
    if vector["costs"] == "a strike":
        assert connection.receive(encoder.message(Choice(type="choice", id=ID, option=3))) == 3


def refusals(connection: Connection, pieces: Sequence[bytes]) -> list[RemoteProtocolError]:
    """All errors that come of these pieces; no answer must."""
    errors = []
    for piece in pieces:
        data = piece
        while True:
            try:
                assert connection.receive(data) is None
                break
            except RemoteProtocolError as error:
                errors.append(error)
                assert len(errors) <= 16, "a refusal takes what it refuses"
                data = b""
    return errors


def first_refusal(receive: Callable[[bytes], object], pieces: Sequence[bytes]) -> RemoteProtocolError | None:
    for piece in pieces:
        try:
            receive(piece)
        except RemoteProtocolError as error:
            return error
    return None


def test_every_type_of_message_has_a_vector() -> None:
    kinds = {load(path)["message"]["type"] for path in MESSAGES}
    assert kinds == {"hello", "choice", "welcome", "decide", "match_over", "bye"}


def test_a_file_says_what_it_is_about() -> None:
    for path in files("from-bot", "from-referee", "streams", "invalid"):
        assert load(path)["about"].endswith(".")
