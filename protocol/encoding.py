"""From messages to a bot's bytes, in its dialect.

A `Decide` goes to every seat at every turn and is nearly the same for all, so it is put together from parts: what the seats
share is encoded once (`shared`, `value`), the rest is spliced in (`decide`). A test holds the result against the model.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgpack

from protocol.decoding import Dialect
from protocol.messages import Message

Plain = Mapping[str, Any]


class Encoder(Protocol):
    """One dialect."""

    def message(self, message: Message) -> bytes:
        """The bytes of any message."""

    def value(self, value: Any) -> bytes:
        """The bytes of a part."""

    def usual_answer(self, request: int) -> bytes | None:
        """What a choice with this id looks like, as most bots write it, up to its option; None where there is no usual way."""

    def items(self, values: Sequence[Any]) -> bytes:
        """The bytes of the elements of an array."""

    def array(self, count: int, items: Sequence[bytes]) -> bytes:
        """The array of `count` elements in all, made of pieces made by `items`."""

    def shared(self, kind: str, public: Plain, private_keys: int) -> bytes:
        """The beginning of a decide: its kind and the public part of the view, which `private_keys` more keys complete."""

    def decide(
        self,
        shared: bytes,
        private: Plain,
        options: Sequence[Any],
        events: bytes,
        request: int,
        clock: tuple[int, int, int],
        fault: str | None = None,
    ) -> bytes:
        """The bytes of a decide. `clock` is limit, bank and last answer, in microseconds."""


class MsgpackEncoder:
    """Bare msgpack."""

    def __init__(self) -> None:
        self.value = msgpack.Packer().pack

    def message(self, message: Message) -> bytes:
        """The bytes of any message."""
        return self._frame(self.value(_plain(message)))

    def usual_answer(self, request: int) -> bytes | None:
        """See `Encoder.usual_answer`."""
        return b"\x83\xa4type\xa6choice\xa2id%b\xa6option" % self.value(request)

    def items(self, values: Sequence[Any]) -> bytes:
        """See `Encoder.items`."""
        return b"".join(map(self.value, values))

    def array(self, count: int, items: Sequence[bytes]) -> bytes:
        """See `Encoder.array`."""
        head = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
        return b"".join([head, *items])

    def shared(self, kind: str, public: Plain, private_keys: int) -> bytes:
        """See `Encoder.shared`."""
        view = self.value(public)[_map_header(len(public)) :]
        return b"\xa4type\xa6decide\xa4kind%b\xa4view%b%b" % (
            self.value(kind),
            _open_map(len(public) + private_keys),
            view,
        )

    def decide(
        self,
        shared: bytes,
        private: Plain,
        options: Sequence[Any],
        events: bytes,
        request: int,
        clock: tuple[int, int, int],
        fault: str | None = None,
    ) -> bytes:
        """See `Encoder.decide`."""
        value = self.value
        limit, bank, last = clock
        parts = (
            b"\x87" if fault is None else b"\x88",
            shared,
            value(private)[_map_header(len(private)) :],
            b"\xa7options",
            value(options),
            b"\xa6events",
            events,
            b"\xa2id",
            value(request),
            b"\xa4time\x83\xa8limit_us",
            value(limit),
            b"\xa7bank_us",
            value(bank),
            b"\xa7last_us",
            value(last),
        )
        return self._frame(b"".join(parts if fault is None else (*parts, b"\xa5fault", value(fault))))

    def _frame(self, payload: bytes) -> bytes:
        return payload


class FramedEncoder(MsgpackEncoder):
    """Msgpack with a 4-byte length before it."""

    def usual_answer(self, request: int) -> bytes | None:
        """See `Encoder.usual_answer`."""
        answer = super().usual_answer(request)
        assert answer is not None
        return (len(answer) + 1).to_bytes(4, "big") + answer

    def _frame(self, payload: bytes) -> bytes:
        return len(payload).to_bytes(4, "big") + payload


class JsonEncoder:
    """JSON lines, in ASCII."""

    def __init__(self) -> None:
        self._dumps = json.JSONEncoder(separators=(",", ":")).encode

    def value(self, value: Any) -> bytes:
        """The bytes of a part."""
        return self._dumps(value).encode("ascii")

    def message(self, message: Message) -> bytes:
        """The bytes of any message."""
        return self.value(_plain(message)) + b"\n"

    def usual_answer(self, request: int) -> bytes | None:
        """See `Encoder.usual_answer`."""
        return None

    def items(self, values: Sequence[Any]) -> bytes:
        """See `Encoder.items`."""
        return self.value(values)[1:-1]

    def array(self, count: int, items: Sequence[bytes]) -> bytes:
        """See `Encoder.array`."""
        return b"[%b]" % b",".join(filter(None, items))

    def shared(self, kind: str, public: Plain, private_keys: int) -> bytes:
        """See `Encoder.shared`."""
        return b'{"type":"decide","kind":%b,"view":{%b' % (self.value(kind), self.value(public)[1:-1])

    def decide(
        self,
        shared: bytes,
        private: Plain,
        options: Sequence[Any],
        events: bytes,
        request: int,
        clock: tuple[int, int, int],
        fault: str | None = None,
    ) -> bytes:
        """See `Encoder.decide`."""
        return b'%b,%b},"options":%b,"events":%b,"id":%d,"time":{"limit_us":%d,"bank_us":%d,"last_us":%d}%b}\n' % (
            shared,
            self.value(private)[1:-1],
            self.value(options),
            events,
            request,
            *clock,
            b"" if fault is None else b',"fault":' + self.value(fault),
        )


ENCODERS: dict[Dialect, Encoder] = {
    Dialect.MSGPACK: MsgpackEncoder(),
    Dialect.FRAMED: FramedEncoder(),
    Dialect.JSON: JsonEncoder(),
}


def _plain(message: Message) -> dict[str, Any]:
    """The map of a message; what is unset is left out, but null options stay."""
    plain = message.model_dump()
    if plain.get("fault", "") is None:
        del plain["fault"]
    return plain


def _map_header(size: int) -> int:
    return 1 if size < 16 else 3


def _open_map(size: int) -> bytes:
    return bytes((0x80 | size,)) if size < 16 else b"\xde" + size.to_bytes(2, "big")
