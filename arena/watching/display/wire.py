"""The session of a seat as text: each message in the dialect asked for, with times and faults beside it.

JSON lines and the lines of both kinds of msgpack look as in the examples of SPEC.md#messages, with a space between bytes.
"""

import json
from collections.abc import Iterator
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.match.records.reader import Entry
from bullring.arena.match.records.wire import UNKNOWN, Exchange, Failed, Passed, Wire, Wired
from bullring.protocol.annotate import annotated, flat
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS

DIALECTS = {"json": Dialect.JSON, "msgpack": Dialect.MSGPACK, "frames": Dialect.FRAMED}
"""The dialects by the names that people give them."""

_LENGTH = 4
"""Bytes of the length before a frame."""


def wire_lines(wire: Wire, dialect: Dialect) -> Iterator[str]:
    """The session, line by line. Raises `RecordError`."""
    yield f"# seat {wire.seat}, {harmless(wire.name)}. {UNKNOWN}"
    if wire.seed is None:
        yield "# The record has no end, so the bot's seed is not known: it was not 0."
    if not wire.limits.binding:
        yield "# No clock: the bot was told these limits, but they did not bind."
    for wired in wire:
        yield from _lines(wired, dialect, timed=wire.limits.binding)
    if wire.was_running:
        yield "# Its process was running before this match: the hello came then, and messages of earlier matches after it."


def wire_facts(wired: Wired) -> Iterator[dict[str, Any]]:
    """The objects that `bullring replay --wire SEAT --json` prints."""
    match wired:
        case Passed(by_bot, line, body):
            yield {"line": line, "from": "bot" if by_bot else "referee", "message": body}
        case Exchange():
            yield {"line": wired.asked_in, "from": "referee", "message": wired.question}
            if wired.answer is not None:
                yield {"line": wired.answered_in, "from": "bot", "message": wired.answer, "us": wired.us}
            elif wired.fault is not None:
                yield {"line": wired.answered_in, "from": "bot", "fault": wired.fault}
        case Failed(line, fault):
            yield {"line": line, "from": "bot", "fault": fault}


def _lines(wired: Wired, dialect: Dialect, *, timed: bool) -> Iterator[str]:
    match wired:
        case Passed(by_bot, _, body):
            yield from _message(body, dialect, by_bot=by_bot)
        case Exchange():
            yield ""
            yield f"# deal {wired.deal}, turn {wired.turn}, {wired.kind}"
            yield from _message(wired.question, dialect, by_bot=False)
            if wired.answer is not None:
                yield from _message(wired.answer, dialect, by_bot=True)
                left = f" of {wired.allowed_us / 1000:g} ms" if timed else ""
                yield f"# after {wired.us / 1000:g} ms{left}"
            elif wired.fault is not None:
                yield from fault_notes(wired.fault)
                if wired.option is not None:
                    yield f"# the referee played {json.dumps(wired.option)}"
            else:
                yield "# its answer, if it gave one, is not in the record"
        case Failed(_, fault):
            yield from fault_notes(fault)


def fault_notes(fault: Entry) -> Iterator[str]:
    """A fault in two or three lines."""
    yield f"# fault: {harmless(fault['kind'], 80)} after {fault['elapsed_ms']:g} ms: expected {harmless(fault['expected'])}"
    yield f"#        got {harmless(fault['got'])}"
    if "bytes" in fault:
        yield f"#        bytes: {harmless(fault['bytes'])}"
    if fault["closed"]:
        yield "#        The seat is closed: the bot gets no further message."


def _message(body: Any, dialect: Dialect, *, by_bot: bool) -> Iterator[str]:
    sender = "bot:" if by_bot else "referee:"
    data = ENCODERS[dialect].message(body)
    if dialect is Dialect.JSON:
        yield f"{sender:9} {data.decode('ascii').rstrip()}"
        return
    what = f"decide ({harmless(body['kind'])})" if body["type"] == "decide" else body["type"]
    yield f"{sender} {what}, {len(data)} bytes"
    at = 0
    if dialect is Dialect.FRAMED:
        at = _LENGTH
        yield f"{flat(data[:at])[0]:<48}  the length, {len(data) - at}"
    yield from map(harmless, annotated(data[at:]))
