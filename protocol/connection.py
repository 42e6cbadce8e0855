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

from bullring.errors import LocalProtocolError, RemoteProtocolError
from bullring.protocol.decoding import Decoder, Dialect
from bullring.protocol.encoding import ENCODERS, Encoder, Id
from bullring.protocol.judging import judge
from bullring.protocol.remedies import BEGINNING, length_hint, silence, stranger, unasked
from bullring.protocol.said import Answer, Greeting, Index, Said


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
        self.hello: Greeting | None = None
        self.more = False
        """Whether more bytes came with the last answer."""
        self._id = -1
        self._usual: bytes | None = None
        """The beginning of the answer as most bots write it, if a question is pending and all before it was whole messages."""
        self._whole = False
        """Whether everything received so far was whole messages, which have been judged."""
        self._by_index = False
        """Whether the last answer was an index, so that the next one is expected to be one."""
        self._late: deque[int] = deque(maxlen=16)
        self._beginning = b""
        """The first bytes of the session, as they came."""

    def __repr__(self) -> str:
        return f"<Connection {self.phase.name.lower()}, {self._decoder!r}>"

    def receive_hello(self, data: bytes) -> Greeting | None:
        """Take bytes from a bot that has not sent its hello. None while it is incomplete. Raises `RemoteProtocolError`."""
        if self.phase is not Phase.NEW:
            raise LocalProtocolError("the hello has been received already")
        self._decoder.feed(data)
        if len(self._beginning) < BEGINNING:
            self._beginning += data[:BEGINNING]
        try:
            hello = self._next_hello()
        except RemoteProtocolError as error:
            error.hint = length_hint(self._beginning) or error.hint
            raise
        if hello is None:
            return None
        assert self._decoder.dialect is not None
        self.encoder = ENCODERS[self._decoder.dialect]
        self.phase = Phase.IDLE
        self._whole = self._decoder.empty
        self.hello = hello
        return hello

    def _next_hello(self) -> Greeting | None:
        try:
            message = self._decoder.next_message()
        except RemoteProtocolError as error:
            if not error.hint and error.raw:
                error.hint = stranger(error.raw)[1]
            raise
        if message is None:
            return None
        hello = judge(message, self._decoder.last)
        if not isinstance(hello, Greeting):
            raise RemoteProtocolError("a hello", f"a {message['type']}", raw=self._decoder.last)
        return hello

    @property
    def unfinished(self) -> int:
        """The number of bytes received that are not a complete message, or have not been judged yet."""
        return self._decoder.unfinished

    def silence(self) -> tuple[str, str]:
        """The received part of a message that is late, and the remedy."""
        dialect = self._decoder.dialect
        new = self.phase is Phase.NEW
        got, hint = silence(self._decoder.rest, dialect is Dialect.FRAMED, dialect is Dialect.JSON, new=new)
        return got, (length_hint(self._beginning) if new else "") or hint

    @property
    def rest(self) -> bytes:
        """The beginning of the bytes that are not a complete message."""
        return self._decoder.rest

    @property
    def question(self) -> int | None:
        """The id of the question that waits for an answer; None if there is none."""
        return self._id if self.phase is Phase.ASKED else None

    def ask(self, id: Id | None = None) -> bytes:
        """Begin a question, with an id of its own or with one in the bot's dialect that all share who are asked at one time.

        Returns the encoded id for its decide.
        """
        if self.phase is not _IDLE:
            raise LocalProtocolError(f"a bot cannot be asked while it is {self.phase.name.lower()}")
        self.phase = _ASKED
        if id is None:
            id = self.encoder.id(self._new_id())
        self._id = id.number
        if self._whole:
            self._usual = id.by_index if self._by_index else id.by_option
        return id.packed

    def receive(self, data: bytes) -> Said | None:
        """Take bytes from a bot that has sent its hello. Returns the option it chose, or its position; None if there is no answer
        (yet).

        Late answers are dropped. Raises `RemoteProtocolError`. If more bytes came with an answer (`more`), or after an error with
        `resync`, call again with no bytes.
        """
        if data[:-1] == self._usual and data[-1] < 0x80:
            # Byte for byte the usual answer, with an option or index encoded in one byte.
            self.phase = _IDLE
            self._usual = None
            return Index(data[-1]) if self._by_index else data[-1]
        if self.phase is _ASKED and (usual := self._decoder.glance(data)) is not None:
            # Accept clearly valid answers at once; everything else is judged below.
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
        self._usual = None
        try:
            message = self._decoder.next_message()
            while message is not None:
                answer = self._judge(message)
                if answer is not None:
                    self.more = self._decoder.unfinished > 0
                    return answer
                message = self._decoder.next_message()
            return None
        finally:
            self._whole = self._decoder.empty

    def give_up(self) -> None:
        """Stop waiting for the answer to the current question."""
        if self.phase is Phase.ASKED:
            self._late.append(self._id)
            self._set_idle()

    def _answered(self, answer: Said) -> Said:
        self._by_index = type(answer) is Index
        self._set_idle()
        return answer

    def _set_idle(self) -> None:
        self.phase = _IDLE
        self._usual = None

    def _judge(self, message: dict[str, Any]) -> Said | None:
        """The answer of a valid choice, or None if it is late."""
        choice = judge(message, self._decoder.last)
        if not isinstance(choice, Answer):
            raise RemoteProtocolError("a choice", "a second hello", raw=self._decoder.last)
        if self.phase is _ASKED and choice.id == self._id:
            return self._answered(choice.said)
        if choice.id in self._late:
            self._late.remove(choice.id)
            return None
        wanted = (
            f"a choice with the id {self._id}"
            if self.phase is Phase.ASKED
            else "nothing, because no question is pending"
        )
        hint = unasked(self.phase is Phase.ASKED)
        raise RemoteProtocolError(wanted, f"a choice with the id {choice.id}", hint, raw=self._decoder.last)
