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
        if byte not in _BEGINNINGS:
            expected = "msgpack maps, arrays, text, numbers, true, false or nil"
            raise RemoteProtocolError(expected, f"the byte 0x{byte:02x}", resync=False)
        what, width, count = _BEGINNINGS[byte]
        at += 1 + width
        if at > len(data):
            _check_size(data)
            return None
        if width:
            count = int.from_bytes(data[at - width : at], "big")
        if what is _TEXT:
            if count > MAX_MESSAGE:
                raise RemoteProtocolError(f"a message of at most {MAX_MESSAGE} bytes", f"text of {count}", resync=False)
            at += count
        elif count > MAX_ITEMS:
            raise RemoteProtocolError(f"at most {MAX_ITEMS} elements", f"{what} of {count}", resync=False)
        if at > MAX_MESSAGE:
            raise RemoteProtocolError(f"a message of at most {MAX_MESSAGE} bytes", "a longer one", resync=False)
        if at > len(data):
            _check_size(data)
            return None
        if what is not _TEXT:
            if len(left) > MAX_DEPTH:
                raise RemoteProtocolError(f"at most {MAX_DEPTH} containers within each other", "more", resync=False)
            left.append(2 * count if what is _MAP else count)
        while left and not left[-1]:
            left.pop()
    return at


_TEXT, _ARRAY, _MAP = "text", "an array", "a map"

_BEGINNINGS = {
    **dict.fromkeys((*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3), (_TEXT, 0, 0)),
    **{0x80 | count: (_MAP, 0, count) for count in range(16)},
    **{0x90 | count: (_ARRAY, 0, count) for count in range(16)},
    **{0xA0 | size: (_TEXT, 0, size) for size in range(32)},
    **dict.fromkeys((0xCC, 0xD0), (_TEXT, 0, 1)),
    **dict.fromkeys((0xCD, 0xD1), (_TEXT, 0, 2)),
    **dict.fromkeys((0xCA, 0xCE, 0xD2), (_TEXT, 0, 4)),
    **dict.fromkeys((0xCB, 0xCF, 0xD3), (_TEXT, 0, 8)),
    **{0xD9 + at: (_TEXT, width, 0) for at, width in enumerate((1, 2, 4))},
    **{0xDC + at: (_ARRAY, width, 0) for at, width in enumerate((2, 4))},
    **{0xDE + at: (_MAP, width, 0) for at, width in enumerate((2, 4))},
}
"""By the first byte of a value: its kind, the width of the count after it, and the count if it has none.

Numbers, true, false and nil count as text of that many bytes.
"""


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
