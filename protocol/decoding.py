"""Decoding a bot's bytes into messages: sans-IO, with bounds checked before anything is allocated.

The first byte a bot sends determines the `Dialect`. A message that exceeds a bound, does not decode or is not a map with text
keys raises `RemoteProtocolError`, whatever the underlying decoder raised.
"""

import json
import re
from enum import Enum
from typing import Any

import msgpack

from bullring.errors import RemoteProtocolError
from bullring.protocol.remedies import KEPT, LINE_FEED, STDERR, bad_line, quote, stranger

MAX_MESSAGE = 4096
"""Largest message from a bot, in bytes."""
MAX_DEPTH = 8
"""Maximum depth of nested containers."""
MAX_ITEMS = 256
"""Maximum number of elements or pairs in one container."""

WHITE = b" \t\r\n"
"""Bytes that are allowed between messages."""


class Dialect(Enum):
    """An encoding of messages. The value is the name used in docs and vectors."""

    MSGPACK = "msgpack"
    """Bare msgpack maps, one after the other."""
    FRAMED = "framed"
    """Msgpack maps, each after its length as 4 big-endian bytes."""
    JSON = "json"
    """One JSON object per line."""


_NO_UNPACK = (ValueError, TypeError, OverflowError, LookupError, RecursionError, MemoryError, msgpack.UnpackException)
"""Everything that decoders raise on hostile bytes."""

_MSGPACK, _FRAMED = Dialect.MSGPACK, Dialect.FRAMED
_unpack = msgpack.unpackb

SHORT = 128
"""Exclusive maximum size, in bytes, of messages that may take the fast path."""
_THREE_KEYS = 0x83
"""The first byte of a msgpack map with three pairs."""
_TEXT_OR_BRACKET = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[\]{}]', re.DOTALL).findall
"""Finds strings (including an unterminated one, so that matching stays linear) and the brackets outside them."""
_USUAL_LINE = re.compile(rb"\{[^{}\[\]\n]*\}\r?\n", re.DOTALL).fullmatch
"""Matches one line with one flat object."""


def sniff(first: int) -> Dialect:
    """The dialect of a session that begins with the byte `first`. Raises `RemoteProtocolError` if no dialect does."""
    if 0x80 <= first <= 0x8F or first in (0xDE, 0xDF):
        return Dialect.MSGPACK
    if first == 0x00:
        return Dialect.FRAMED
    if first == 0x7B:
        return Dialect.JSON
    expected = "a hello that begins as a msgpack map, a 4-byte length or '{'"
    raise RemoteProtocolError(expected, "", resync=False)


class Decoder:
    """Takes the bytes of one bot in pieces of any size, and returns its messages one by one."""

    def __init__(self) -> None:
        self.dialect: Dialect | None = None
        self._buffer = bytearray()
        self._lost = False
        self.last = b""
        """The beginning of the last message that was returned."""

    def __repr__(self) -> str:
        return f"<Decoder {self.dialect and self.dialect.value}, {len(self._buffer)} bytes waiting>"

    @property
    def empty(self) -> bool:
        """Whether all received bytes have been returned as messages."""
        return not self._buffer and not self._lost

    @property
    def unfinished(self) -> int:
        """The number of bytes received that have not been returned as messages."""
        return len(self._buffer)

    @property
    def rest(self) -> bytes:
        """The beginning of those bytes."""
        return bytes(self._buffer[:KEPT])

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._buffer += data

    def glance(self, data: bytes) -> dict[str, Any] | None:
        """Decode `data` if it is clearly one message of the usual shape, with three keys; otherwise return None.

        This is the fast path for the usual case. It consumes nothing: if the message is not used, `feed` the data. A message this
        short cannot claim anything that is dangerous to decode.
        """
        if len(data) >= SHORT or self._buffer or self._lost:
            return None
        dialect = self.dialect
        try:
            if dialect is _MSGPACK:
                if data[0] != _THREE_KEYS:
                    return None
                message = _unpack(data)
            elif dialect is _FRAMED:
                if data[4] != _THREE_KEYS or data[3] != len(data) - 4 or data[:3] != b"\0\0\0":
                    return None
                message = _unpack(data[4:])
            elif _USUAL_LINE(data):
                message = _loads(data)
            else:
                return None
        except _NO_UNPACK:
            return None
        return message if len(message) == 3 else None  # fewer if a key occurs twice

    def next_message(self) -> dict[str, Any] | None:
        """The next complete message, or None if there is none yet. Raises `RemoteProtocolError`.

        An error with `resync` removes the faulty message, and the next one can be read. After any other error, all input is lost.
        """
        buffer = self._buffer
        if self._lost:
            buffer.clear()
            return None
        white = len(buffer) - len(buffer.lstrip(WHITE))
        if white and (self.dialect is not Dialect.FRAMED):
            del buffer[:white]
        if not buffer:
            return None
        try:
            if self.dialect is None:
                self.dialect = sniff(buffer[0])
            match self.dialect:
                case Dialect.MSGPACK:
                    return self._next_msgpack(buffer)
                case Dialect.FRAMED:
                    return self._next_framed(buffer)
                case Dialect.JSON:
                    return self._next_line(buffer)
        except RemoteProtocolError as error:
            if not error.resync:
                self._lost = True
                error.raw = self.rest
                what, hint = stranger(error.raw)
                error.got = f"{error.got}, at the beginning of {what}" if error.got else what
                error.hint = error.hint or hint
                buffer.clear()
            raise

    def _next_msgpack(self, buffer: bytearray) -> dict[str, Any] | None:
        first = buffer[0]
        if not (0x80 <= first <= 0x8F or first in (0xDE, 0xDF)):
            raise RemoteProtocolError("a msgpack map", "", resync=False)
        end = measure(buffer)
        if end is None:
            return None
        payload = bytes(buffer[:end])
        del buffer[:end]
        self.last = payload[:KEPT]
        return _map_of(payload)

    def _next_framed(self, buffer: bytearray) -> dict[str, Any] | None:
        if len(buffer) < 4:
            return None
        size = int.from_bytes(buffer[:4], "big")
        if not 0 < size <= MAX_MESSAGE:
            raise RemoteProtocolError(f"a length of 1 to {MAX_MESSAGE} bytes", f"a length of {size}", resync=False)
        if len(buffer) < 4 + size:
            return None
        payload = bytes(buffer[4 : 4 + size])
        self.last = bytes(buffer[: min(4 + size, KEPT)])
        del buffer[: 4 + size]
        try:
            end = measure(payload)
        except RemoteProtocolError as error:
            error.resync = True  # the length says where the next message begins
            error.raw = self.last
            raise
        if end != size:
            raise RemoteProtocolError(
                f"one msgpack map in the {size} bytes of the frame",
                f"one of {end or 'more'} bytes: {quote(payload)}",
                raw=self.last,
            )
        return _map_of(payload)

    def _next_line(self, buffer: bytearray) -> dict[str, Any] | None:
        end = buffer.find(b"\n", 0, MAX_MESSAGE + 1)
        if end < 0:
            if len(buffer) > MAX_MESSAGE:
                raise RemoteProtocolError(
                    f"a line of at most {MAX_MESSAGE} bytes",
                    f"{len(buffer)} bytes without its end",
                    LINE_FEED if buffer[0] == 0x7B else "",
                    resync=False,
                )
            return None
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        self.last = line[:KEPT]
        depth = _json_depth(line)
        if depth > MAX_DEPTH:
            raise RemoteProtocolError(
                f"at most {MAX_DEPTH} containers within each other", f"{depth} of them", raw=self.last
            )
        try:
            message = _loads(line)
        except _NO_UNPACK as error:
            why = f"{quote(line)}: {str(error)[:80]}"
            raise RemoteProtocolError("one JSON object on the line", why, bad_line(line), raw=self.last) from None
        if type(message) is not dict:
            raise RemoteProtocolError("a JSON object", quote(line), STDERR, raw=self.last)
        return message


def measure(data: bytes | bytearray) -> int | None:
    """The length in bytes of the msgpack value at the beginning of `data`, or None if it is incomplete.

    Allocates nothing that grows with the sizes claimed in `data`. Raises `RemoteProtocolError` if a bound is exceeded.
    """
    at = 0
    left = [1]  # values still to come at each depth
    while left:
        left[-1] -= 1
        if at >= min(len(data), MAX_MESSAGE):
            _check_size(data)
            return None
        byte = data[at]
        at += 1
        items = size = 0
        container = 0x80 <= byte <= 0x9F or 0xDC <= byte <= 0xDF
        if byte <= 0x7F or byte >= 0xE0 or byte in (0xC0, 0xC2, 0xC3):
            pass
        elif byte <= 0x8F:
            items = 2 * (byte & 0x0F)
        elif byte <= 0x9F:
            items = byte & 0x0F
        elif byte <= 0xBF:
            size = byte & 0x1F
        elif byte in _FIXED:
            size = _FIXED[byte]
        elif byte in _COUNTED:
            width, what = _COUNTED[byte]
            if at + width > len(data):
                _check_size(data)
                return None
            count = int.from_bytes(data[at : at + width], "big")
            at += width
            if what == "text":
                if count > MAX_MESSAGE:
                    raise RemoteProtocolError(
                        f"a message of at most {MAX_MESSAGE} bytes", f"text of {count}", resync=False
                    )
                size = count
            else:
                if count > MAX_ITEMS:
                    raise RemoteProtocolError(f"at most {MAX_ITEMS} elements", f"{what} of {count}", resync=False)
                items = count * (2 if what == "a map" else 1)
        else:
            raise RemoteProtocolError(
                "msgpack maps, arrays, text, numbers, true, false or nil", f"the byte 0x{byte:02x}", resync=False
            )
        at += size
        if at > MAX_MESSAGE:
            raise RemoteProtocolError(f"a message of at most {MAX_MESSAGE} bytes", "a longer one", resync=False)
        if at > len(data):
            _check_size(data)
            return None
        if container and len(left) > MAX_DEPTH:
            raise RemoteProtocolError(f"at most {MAX_DEPTH} containers within each other", "more", resync=False)
        if items:
            left.append(items)
        while left and not left[-1]:
            left.pop()
    return at


_FIXED = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8}
"""The number of bytes that follow each code of a number."""

_COUNTED = {
    0xD9: (1, "text"),
    0xDA: (2, "text"),
    0xDB: (4, "text"),
    0xDC: (2, "an array"),
    0xDD: (4, "an array"),
    0xDE: (2, "a map"),
    0xDF: (4, "a map"),
}
"""Codes followed by a count, each with the width of the count in bytes and what it counts."""


def _check_size(data: bytes | bytearray) -> None:
    """Raise `RemoteProtocolError` if an incomplete message is already too large to be completed."""
    if len(data) >= MAX_MESSAGE:
        raise RemoteProtocolError(f"a message of at most {MAX_MESSAGE} bytes", f"{len(data)} and no end", resync=False)


def _pairs(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """Make a map of pairs. Raises `ValueError` if a key occurs twice, as it is unclear which one counts."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("duplicate key")
    return result


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_constant)


def _loads(line: bytes) -> Any:
    return _DECODER.decode(line.decode("utf-8"))


def _map_of(payload: bytes) -> dict[str, Any]:
    try:
        message = msgpack.unpackb(payload, object_pairs_hook=_pairs, max_bin_len=0, max_ext_len=0)
    except _NO_UNPACK as error:
        why = f"{quote(payload, 200)}: {str(error)[:80]}"
        raise RemoteProtocolError("a msgpack map with text keys", why, raw=payload[:KEPT]) from None
    if type(message) is not dict:
        raise RemoteProtocolError("a msgpack map", quote(payload), raw=payload[:KEPT])
    return message


def _json_depth(line: bytes) -> int:
    depth = deepest = 0
    for token in _TEXT_OR_BRACKET(line):
        if token in (b"[", b"{"):
            depth += 1
            deepest = max(deepest, depth)
        elif token in (b"]", b"}"):
            depth -= 1
    return deepest
