"""Encoding messages for a bot, in its dialect.

A `Decide` goes to every seat in every turn and is nearly the same for all, so it is joined from pieces: what the seats of a batch
share is encoded once (`question`), what stays the same for a seat is kept (`seat`, `clock`), and `decide` joins them. A test
compares the result with the model.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgpack

from bullring.protocol.decoding import Dialect

if TYPE_CHECKING:
    from bullring.protocol.messages import Message

Plain = Mapping[str, Any]


class Question(NamedTuple):
    """The pieces of a decide shared by all seats of a batch."""

    beginning: bytes
    """From the kind to the public part of the view."""
    events: bytes
    """From after the options up to the id."""


class Id(NamedTuple):
    """The id of a question in one dialect, for all seats that are asked at one time."""

    number: int
    packed: bytes
    """The id as encoded in the decide."""
    by_option: bytes | None
    """A choice with this id up to its option, as most bots write it; None if there is no usual form."""
    by_index: bytes | None
    """The same up to its index."""


class Encoder:
    """The encoder of bare msgpack; those of the other dialects override it.

    The class variables are the bytes between the pieces of a decide.
    """

    head = b"\x87\xa4type\xa6decide\xa4kind"
    head_with_fault = b"\x88\xa4type\xa6decide\xa4kind"
    options = b"\xa7options"
    fault = b"\xa5fault"
    tail = b""

    value: Callable[[Any], bytes]
    """The bytes of any value."""

    def __init__(self) -> None:
        # The packer's own method, which saves a Python call.
        self.value = msgpack.Packer().pack

    def message(self, message: "Message | Plain") -> bytes:
        """The bytes of any message, given as a model or as a map."""
        return self.value(_plain(message))

    def items(self, values: Sequence[Any]) -> bytes:
        """The bytes of the elements of an array."""
        return b"".join(map(self.value, values))

    def array(self, count: int, items: Sequence[bytes]) -> bytes:
        """An array of `count` elements in total, joined from pieces made by `items`."""
        head = bytes((0x90 | count,)) if count < 16 else b"\xdc" + count.to_bytes(2, "big")
        return b"".join([head, *items])

    def question(self, kind: str, public: Plain, events: bytes) -> Question:
        """The pieces shared by all seats: the kind, the public part of the view, and the events as made by `array`."""
        return Question(self.beginning(kind, public), self.ending(events))

    def beginning(self, kind: str, public: Plain) -> bytes:
        """The piece with the kind and the public part of the view."""
        size = len(public) + 2
        head = b"\xa4view%c" % (0x80 | size) if size < 16 else b"\xa4view\xde" + size.to_bytes(2, "big")
        view = self.value(public)[1 if len(public) < 16 else 3 :]
        return self.value(kind) + head + view

    def ending(self, events: bytes) -> bytes:
        """The piece with the events, as made by `array`."""
        return b"\xa6events%b\xa2id" % events

    def seat(self, seat: int) -> bytes:
        """The piece of the view with the seat number."""
        return b"\xa4seat%b\xa4hand" % self.value(seat)

    def clock(self, limit: int, bank: int) -> bytes:
        """The piece with the limit and what is left of the bank, in microseconds."""
        return b"\xa4time\x83\xa8limit_us%b\xa7bank_us%b\xa7last_us" % (self.value(limit), self.value(bank))

    def id(self, number: int) -> Id:
        """The id of a question."""
        packed = self.value(number)
        usual = b"\x83\xa4type\xa6choice\xa2id" + packed
        return Id(number, packed, usual + b"\xa6option", usual + b"\xa5index")

    def decide(
        self,
        question: Question,
        seat: bytes,
        hand: Sequence[int],
        options: Sequence[Any],
        request: bytes,
        clock: bytes,
        last: int,
        fault: str | None = None,
    ) -> bytes:
        """The bytes of a decide. `request` is its encoded id, `last` the time of the last answer in microseconds."""
        value = self.value
        packed = value(hand)
        return b"".join(
            (
                self.head if fault is None else self.head_with_fault,
                question.beginning,
                seat,
                packed,
                self.options,
                packed if options is hand else value(options),
                question.events,
                request,
                clock,
                value(last),
                self.tail if fault is None else self.fault + value(fault) + self.tail[1:],
            )
        )


class FramedEncoder(Encoder):
    """Msgpack with a 4-byte length before it."""

    def message(self, message: "Message | Plain") -> bytes:
        return _framed(super().message(message))

    def id(self, number: int) -> Id:
        number, packed, *usual = super().id(number)
        by_option, by_index = [(len(answer) + 1).to_bytes(4, "big") + answer for answer in usual if answer is not None]
        return Id(number, packed, by_option, by_index)

    def decide(self, *pieces: Any, **more: Any) -> bytes:
        return _framed(super().decide(*pieces, **more))


class JsonEncoder(Encoder):
    """JSON lines, in ASCII."""

    head = head_with_fault = b'{"type":"decide","kind":'
    options = b'},"options":'
    fault = b'},"fault":'
    tail = b"}}\n"

    def __init__(self) -> None:
        dumps = json.JSONEncoder(separators=(",", ":")).encode
        self.value = lambda value: dumps(value).encode("ascii")

    def message(self, message: "Message | Plain") -> bytes:
        return self.value(_plain(message)) + b"\n"

    def items(self, values: Sequence[Any]) -> bytes:
        return self.value(values)[1:-1]

    def array(self, count: int, items: Sequence[bytes]) -> bytes:
        return b"[%b]" % b",".join(filter(None, items))

    def beginning(self, kind: str, public: Plain) -> bytes:
        view = self.value(public)[1:-1]
        return b'%b,"view":{%b' % (self.value(kind), view + b"," if view else b"")

    def ending(self, events: bytes) -> bytes:
        return b',"events":%b,"id":' % events

    def seat(self, seat: int) -> bytes:
        return b'"seat":%d,"hand":' % seat

    def clock(self, limit: int, bank: int) -> bytes:
        return b',"time":{"limit_us":%d,"bank_us":%d,"last_us":' % (limit, bank)

    def id(self, number: int) -> Id:
        """Without a usual answer, because bots differ in white space."""
        return Id(number, self.value(number), None, None)


ENCODERS: dict[Dialect, Encoder] = {
    Dialect.MSGPACK: Encoder(),
    Dialect.FRAMED: FramedEncoder(),
    Dialect.JSON: JsonEncoder(),
}


def farewell(reason: str) -> Plain:
    """The last message to a bot, with the reason in words."""
    return {"type": "bye", "reason": reason}


def _plain(message: "Message | Plain") -> Plain:
    """The map of a message, without keys that are not set; options of a game that are null stay."""
    if isinstance(message, Mapping):
        return message
    plain = message.model_dump()
    for key in ("fault", "option", "index"):
        if plain.get(key, "") is None:
            del plain[key]
    return plain


def _framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload
