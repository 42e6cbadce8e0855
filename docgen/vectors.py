"""The golden vectors of `protocol/vectors`: messages, streams, and bytes that a referee refuses."""

import json
from dataclasses import dataclass
from typing import Any

from bullring.errors import RemoteProtocolError
from bullring.protocol.connection import Connection
from bullring.protocol.decoding import MAX_DEPTH, MAX_MESSAGE, WHITE, Dialect
from bullring.protocol.messages import Bye, Choice, MatchOver
from docgen.session import Line, Plain, decide, example, line, pack

HELLO: Plain = {"type": "hello", "protocol": 1, "name": "vectors"}
ID = 7
"""The id of the pending question in `invalid` and `streams`."""

_FAULT = "illegal: expected one of the options 1, 10, 12, 36, 71, 72, 76, 87, 92, 93; got 11"


@dataclass(frozen=True)
class Bad:
    """Bytes that a referee refuses."""

    name: str
    about: str
    dialect: Dialect | None
    """The dialect of the session, or None if these are the first bytes of one."""
    data: bytes


def messages() -> dict[str, dict[str, Any]]:
    """Valid messages in each dialect, by file name."""
    lines = example()
    first, welcome, card, _, row = lines[:5]
    over, bye = lines[-2:]
    return {
        f"{sender}/{name}.json": _message(about, found)
        for sender, name, about, found in (
            ("from-bot", "hello", "The first message of a bot.", first),
            ("from-bot", "hello-short", "A hello without its version, which may be left out.", _plain(HELLO)),
            (
                "from-bot",
                "hello-newer",
                "A hello of a newer bot: the keys it has more are ignored.",
                _plain({**HELLO, "version": "2", "features": ["ponder"]}),
            ),
            ("from-bot", "choice-number", "A card, a row, any number.", line("bot", _choice(ID, 104))),
            (
                "from-bot",
                "choice-ten",
                "The option 10, which in msgpack is the byte of a line feed, at the end of the message.",
                line("bot", _choice(1721673562, 10)),
            ),
            ("from-bot", "choice-word", "An option that is a word.", line("bot", _choice(ID, "left"))),
            ("from-bot", "choice-list", "An option of several numbers.", line("bot", _choice(ID, [3, 104]))),
            ("from-bot", "choice-index", "The third of the options, by its position.", line("bot", _by_index(2))),
            ("from-referee", "welcome", "A match begins.", welcome),
            ("from-referee", "decide-card", "The first question of a match.", card),
            ("from-referee", "decide-row", "A card was lower than all four ends.", row),
            ("from-referee", "decide-fault", "A question after a fault.", _after_fault(card.plain)),
            (
                "from-referee",
                "decide-words",
                "A kind of decision that no game has yet, with words and lists as options, and an unknown event.",
                _unheard_of(),
            ),
            ("from-referee", "match-over", "A match has ended.", over),
            (
                "from-referee",
                "match-over-void",
                "A match has ended without a result.",
                line("referee", MatchOver(events=[], scores=[3, 0], ranks=[], void=True)),
            ),
            ("from-referee", "bye", "No more matches.", bye),
            ("from-referee", "bye-text", "Text that is not ASCII.", line("referee", Bye(reason="Tschüß – 再见"))),
        )
    }


def streams() -> dict[str, dict[str, Any]]:
    """Bytes that contain several messages, by file name."""
    ten, next_one = _plain_choice(10), _plain_choice(13)
    white = WHITE.decode()
    joined = pack(ten)[Dialect.MSGPACK] + WHITE + pack(next_one)[Dialect.MSGPACK] + b"\n"
    framed = pack(ten)[Dialect.FRAMED] + pack(next_one)[Dialect.FRAMED]
    text = json.dumps(ten) + " \r\n" + white + json.dumps(next_one, separators=(" ,", " : ")) + "\n"
    return {
        f"streams/{name}.json": {"about": about, "dialect": dialect.value, **_shown(data), "messages": [ten, next_one]}
        for name, about, dialect, data in (
            (
                "msgpack-white",
                "White space between messages does not belong to them; a card 10 does.",
                Dialect.MSGPACK,
                joined,
            ),
            ("framed", "Frame after frame, with nothing between them.", Dialect.FRAMED, framed),
            ("json-white", "Blank lines, ends of lines as on Windows, spaces.", Dialect.JSON, text.encode()),
        )
    }


def invalid() -> dict[str, dict[str, Any]]:
    """Bytes that a referee refuses, with the error, by file name."""
    return {f"invalid/{bad.name}.json": _refusal(bad) for bad in _BAD}


def refuse(dialect: Dialect | None, data: bytes) -> RemoteProtocolError:
    """The error caused by `data` as the first bytes of a session (`dialect` is None), or else as the answer to a question.

    Raises `ValueError` if nothing refuses it.
    """
    connection = Connection(lambda: ID)
    try:
        if dialect is None:
            connection.receive_hello(data)
        else:
            connection.receive_hello(pack(HELLO)[dialect])
            connection.ask()
            connection.receive(data)
    except RemoteProtocolError as error:
        return error
    raise ValueError(f"nothing refuses {data!r}")


def beginning(error: RemoteProtocolError) -> str:
    """The part of an error's text that is ours; the rest comes from a library, which may change it."""
    return "expected " + error.expected.partition(" (")[0]


def _refusal(bad: Bad) -> dict[str, Any]:
    error = refuse(bad.dialect, bad.data)
    return {
        "about": bad.about,
        "dialect": bad.dialect.value if bad.dialect else None,
        **_shown(bad.data),
        "error": beginning(error),
        "costs": "a strike" if error.resync and bad.dialect else "the seat",
    }


def _message(about: str, found: Line) -> dict[str, Any]:
    return {
        "about": about,
        "message": found.plain,
        "msgpack": found.packed[Dialect.MSGPACK].hex(),
        "framed": found.packed[Dialect.FRAMED].hex(),
        "json": found.packed[Dialect.JSON].decode("ascii"),
    }


def _shown(data: bytes) -> dict[str, str]:
    """Bytes as hexadecimal digits and, if they are printable ASCII, as text."""
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        text = ""
    return {"hex": data.hex()} | ({"text": text} if text and text.translate(_LINES).isprintable() else {})


_LINES = dict.fromkeys(map(ord, "\t\r\n"))


def _choice(request: int, option: Any) -> Choice:
    return Choice(type="choice", id=request, option=option)


def _plain_choice(option: Any, request: int = ID) -> Plain:
    return {"type": "choice", "id": request, "option": option}


def _by_index(position: int) -> Choice:
    return Choice(type="choice", id=ID, index=position)


def _plain(plain: Plain) -> Line:
    return Line("bot", plain, pack(plain))


def _after_fault(plain: Plain) -> Line:
    view = plain["view"]
    public = {key: value for key, value in view.items() if key not in ("seat", "hand")}
    clock = 1_000_000, 250_000, 871
    return decide(plain["kind"], public, view["seat"], view["hand"], plain["options"], [], 1705342532, clock, _FAULT)


def _unheard_of() -> Line:
    public = {"deal": 1, "turn": 3, "weather": None}
    events: list[Plain] = [{"type": "thunder", "loud": True}, {"type": "lightning"}]
    options = ["left", "right", [3, 104], -1]
    return decide("barter", public, 2, [7, 104], options, events, 0, (50_000, 0, 2**31 - 1))


def _msgpack(plain: Plain) -> bytes:
    return pack(plain)[Dialect.MSGPACK]


def _odd(option: bytes) -> bytes:
    """A choice in msgpack whose option is these bytes."""
    return _msgpack(_plain_choice(0))[:-1] + option


_M, _F, _J = Dialect.MSGPACK, Dialect.FRAMED, Dialect.JSON

_BAD = (
    Bad("start-text", "Text on stdout before the hello.", None, b"Loading the book...\n"),
    Bad("start-byte-order-mark", "JSON that begins with a byte order mark.", None, b"\xef\xbb\xbf" + pack(HELLO)[_J]),
    Bad("start-array", "A hello as an array.", None, b"\x93\xa5hello\x01\xa7vectors"),
    Bad("start-protocol", "Another version of the contract.", None, pack({**HELLO, "protocol": 2})[_J]),
    Bad("start-nameless", "A hello without a name.", None, pack({"type": "hello", "protocol": 1})[_M]),
    Bad("start-choice", "A choice where the hello is due.", None, pack(_plain_choice(1))[_F]),
    Bad("msgpack-text", "Text on stdout between messages.", _M, b"thinking...\n"),
    Bad("msgpack-never-used", "The byte c1, which msgpack never uses.", _M, b"\x81\xa4type\xc1"),
    Bad("msgpack-binary-keys", "Keys packed as binary data, not as text.", _M, b"\x81\xc4\x04type\xc4\x06choice"),
    Bad("msgpack-number-key", "A key that is not text.", _M, b"\x81\x01\x02"),
    Bad("msgpack-same-key", "A duplicate key.", _M, b"\x82\xa1a\x01\xa1a\x02"),
    Bad("msgpack-bad-text", "Text that is not UTF-8.", _M, b"\x81\xa4type\xa2\xc3\x28"),
    Bad("msgpack-long-array", "An array that claims 100 million elements.", _M, b"\x81\xa1x\xdd\x05\xf5\xe1\x00"),
    Bad("msgpack-long-text", "Text that claims 4 GB.", _M, b"\x81\xa1x\xdb\xff\xff\xff\xff"),
    Bad("msgpack-deep", f"More than {MAX_DEPTH} containers within each other.", _M, b"\x81\xa1x" + MAX_DEPTH * b"\x91"),
    Bad("framed-empty", "A frame without a message.", _F, b"\x00\x00\x00\x00"),
    Bad(
        "framed-long", f"A frame of more than {MAX_MESSAGE} bytes.", _F, (MAX_MESSAGE + 1).to_bytes(4, "big") + b"\x80"
    ),
    Bad("framed-text", "Text on stdout between frames.", _F, b"thinking...\n"),
    Bad("framed-two", "Two maps in one frame.", _F, b"\x00\x00\x00\x02\x80\x80"),
    Bad("framed-cut", "Half a map in a frame.", _F, b"\x00\x00\x00\x02\x81\xa1"),
    Bad("framed-array", "A frame without a map.", _F, b"\x00\x00\x00\x01\x90"),
    Bad("json-text", "Text on stdout between messages.", _J, b"thinking...\n"),
    Bad("json-two-lines", "An object on several lines.", _J, b'{"type": "choice",\n"id": 7, "option": 1}\n'),
    Bad("json-array", "An array instead of an object.", _J, b'["choice", 7, 1]\n'),
    Bad("json-same-key", "A duplicate key.", _J, b'{"type":"choice","id":7,"option":1,"option":2}\n'),
    Bad("json-nan", "NaN, which is not JSON.", _J, b'{"type":"choice","id":7,"option":NaN}\n'),
    Bad("json-single-quotes", "A dictionary as Python prints it.", _J, b"{'type': 'choice', 'id': 7, 'option': 1}\n"),
    Bad("choice-float", "A card as a floating-point number.", _J, b'{"type":"choice","id":7,"option":1.0}\n'),
    Bad("choice-true", "A card that is true.", _M, _msgpack(_plain_choice(True))),
    Bad("choice-large", "A number of more than 32 bits.", _M, _msgpack(_plain_choice(2**40))),
    Bad(
        "choice-deep", f"A list {MAX_DEPTH} deep in the message, as an option.", _M, _odd(MAX_DEPTH * b"\x91" + b"\x01")
    ),
    Bad("choice-timestamp", "A timestamp as an option.", _M, _odd(b"\xd6\xff\x00\x00\x00\x01")),
    Bad(
        "choice-binary", "A whole choice with binary data for text.", _M, _odd(b"\x01").replace(b"\xa6c", b"\xc4\x06c")
    ),
    Bad("choice-null", "No card at all.", _J, pack(_plain_choice(None))[_J]),
    Bad("choice-without-id", "A choice without the id of its question.", _J, b'{"type":"choice","option":1}\n'),
    Bad("choice-id-text", "An id as text.", _J, b'{"type":"choice","id":"7","option":1}\n'),
    Bad("choice-other-id", "An answer to a question that was never asked.", _M, _msgpack(_plain_choice(1, 8))),
    Bad("choice-neither", "Neither an option nor an index.", _J, b'{"type":"choice","id":7}\n'),
    Bad("choice-index-negative", "An index below 0.", _M, pack({"type": "choice", "id": ID, "index": -1})[_M]),
    Bad("second-hello", "A hello in the middle of a session.", _J, pack(HELLO)[_J]),
    Bad("unknown-type", "A message that is neither a hello nor a choice.", _J, b'{"type":"move","card":12}\n'),
    Bad("no-type", "A map without a type.", _F, b"\x00\x00\x00\x01\x80"),
)
