"""The wire of a seat, recomputed from a record."""

from collections.abc import Iterator

from bullring.arena.match.records.reader import Lines
from bullring.arena.match.records.wire import Exchange, Passed, Wire
from bullring.protocol.encoding import Encoder


def sent_in(lines: Lines, seat: int, encoder: Encoder) -> Iterator[bytes]:
    """What the referee sent to a seat, message by message."""
    for wired in Wire(lines, seat):
        match wired:
            case Passed(by_bot=False, body=body) | Exchange(question=body):
                yield encoder.message(body)
            case _:
                pass
