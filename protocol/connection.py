"""One session with one bot, sans-IO: checks the order of messages and matches answers to questions.

::

    NEW --hello--> IDLE --ask--> ASKED --choice--> IDLE
                    ^              |
                    +--- give_up --+          (too late: the answer is dropped when it comes)

Ids are unpredictable, so nothing that a bot sends before a question can answer it.
"""

from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from pydantic import ValidationError

from bullring.errors import LocalProtocolError, RemoteProtocolError
from bullring.protocol.decoding import Decoder
from bullring.protocol.encoding import ENCODERS, Encoder
from bullring.protocol.messages import FROM_BOT, Choice, Hello, Index, Option


class Phase(Enum):
    """The state of the session, which determines what the bot may send."""

    NEW = auto()
    """The bot must send its hello."""
    IDLE = auto()
    """The bot may send nothing."""
    ASKED = auto()
    """The bot must send a choice with the id of the question."""


_IDLE, _ASKED = Phase.IDLE, Phase.ASKED


class Connection:
    """The referee's end of the session with one bot. `new_id` draws an unpredictable id of 31 bits."""

    def __init__(self, new_id: Callable[[], int]) -> None:
        self.phase = Phase.NEW
        self.encoder: Encoder
        self._decoder = Decoder()
        self._new_id = new_id
        self.hello: Hello | None = None
        self.more = False
        """Whether more bytes came with the last answer."""
        self._id = -1
        self._usual: bytes | None = None
        """The beginning of the answer as most bots write it, if a question is pending."""
        self._by_index = False
        """Whether the last answer was an index, so that the next one is expected to be one."""
        self._late: deque[int] = deque(maxlen=16)

    def __repr__(self) -> str:
        return f"<Connection {self.phase.name.lower()}, {self._decoder!r}>"

    def receive_hello(self, data: bytes) -> Hello | None:
        """Take bytes from a bot that has not sent its hello. None while it is incomplete. Raises `RemoteProtocolError`."""
        if self.phase is not Phase.NEW:
            raise LocalProtocolError("the hello has been received already")
        self._decoder.feed(data)
        message = self._decoder.next_message()
        if message is None:
            return None
        hello = parse(message)
        if not isinstance(hello, Hello):
            raise RemoteProtocolError("a hello", f"a {message['type']}")
        assert self._decoder.dialect is not None
        self.encoder = ENCODERS[self._decoder.dialect]
        self.phase = Phase.IDLE
        self.hello = hello
        return hello

    @property
    def unfinished(self) -> int:
        """The number of bytes received that are not a complete message, or have not been judged yet."""
        return self._decoder.unfinished

    @property
    def question(self) -> int | None:
        """The id of the question that waits for an answer; None if there is none."""
        return self._id if self.phase is Phase.ASKED else None

    def ask(self) -> bytes:
        """Begin a question. Returns the encoded id for its decide."""
        if self.phase is not _IDLE:
            raise LocalProtocolError(f"a bot cannot be asked while it is {self.phase.name.lower()}")
        self.phase = _ASKED
        self._id = number = self._new_id()
        packed = self.encoder.value(number)
        self._usual = self.encoder.usual_answer(packed, self._by_index)
        return packed

    def receive(self, data: bytes) -> Option | Index | None:
        """Take bytes from a bot that has sent its hello. Returns the option it chose, or its position; None if there is no answer
        (yet).

        Late answers are dropped. Raises `RemoteProtocolError`. If more bytes came with an answer (`more`), or after an error with
        `resync`, call again with no bytes.
        """
        if data[:-1] == self._usual and data[-1] < 0x80 and self._decoder.empty:
            # Byte for byte the usual answer, with an option or index encoded in one byte.
            self.phase = _IDLE
            self._usual = None
            return Index(data[-1]) if self._by_index else data[-1]
        if self.phase is _ASKED and (usual := self._decoder.glance(data)) is not None:
            # Accept clearly valid answers without the model (a test compares both); everything else is judged below.
            get = usual.get
            option = get("option")
            number = get("id")
            if number == self._id and get("type") == "choice" and type(number) is int:
                if type(option) is int and -0x80000000 <= option <= 0x7FFFFFFF:
                    return self._answered(option)
                position = get("index")
                if type(position) is int and 0 <= position <= 0x7FFFFFFF:  # with three keys, there is no option
                    return self._answered(Index(position))
        self._decoder.feed(data)
        self.more = False
        message = self._decoder.next_message()
        while message is not None:
            answer = self._judge(message)
            if answer is not None:
                self.more = self._decoder.unfinished > 0
                return answer
            message = self._decoder.next_message()
        return None

    def give_up(self) -> None:
        """Stop waiting for the answer to the current question."""
        if self.phase is Phase.ASKED:
            self._late.append(self._id)
            self._set_idle()

    def _answered(self, answer: Option | Index) -> Option | Index:
        self._by_index = type(answer) is Index
        self._set_idle()
        return answer

    def _set_idle(self) -> None:
        self.phase = _IDLE
        self._usual = None

    def _judge(self, message: dict[str, Any]) -> Option | Index | None:
        """The answer of a valid choice, or None if it is late."""
        choice = parse(message)
        if not isinstance(choice, Choice):
            raise RemoteProtocolError("a choice", "a second hello")
        if self.phase is _ASKED and choice.id == self._id:
            return self._answered(choice.answer)
        if choice.id in self._late:
            self._late.remove(choice.id)
            return None
        wanted = f"a choice with the id {self._id}" if self.phase is Phase.ASKED else "nothing, for nothing was asked"
        raise RemoteProtocolError(wanted, f"a choice with the id {choice.id}")


def parse(message: dict[str, Any]) -> Hello | Choice:
    """Convert a bot's message to its model. Raises `RemoteProtocolError` with the first mistake."""
    try:
        return FROM_BOT.validate_python(message)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        # The path is the type of the message, the key, and then parts of unions, which mean nothing to an author.
        path = [str(part)[:40] for part in first["loc"][:2]]
        said = first["msg"]
        if not path:
            said = 'must be "hello" or "choice"'
        elif path[1:] == ["option"]:
            said = "must be a whole number, a text or a few whole numbers"
        shown = ascii(message)
        got = shown if len(shown) <= 120 else shown[:120] + "..."
        raise RemoteProtocolError(
            f"a hello or a choice as in SPEC.md ({'.'.join(path) or 'type'}: {said})"[:300], got
        ) from None
