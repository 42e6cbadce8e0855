"""A tap on the pipes of a bot: keeps the last messages in both directions."""

import json
from collections import deque

import msgpack

from bullring.arena.cells.sandbox.cell import Cell, OnLog, Sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.seats.guest import WithGuests

KEPT = 16
"""Pieces that are kept."""

LONGEST = 600
"""Bytes that are shown of one piece."""

_TOLD = b"fault"
"""The key of a question that tells of a fault, in every dialect."""

_WHOLE = 16384
"""Bytes of a piece up to which it is decoded to be shown."""


class Traffic:
    """The last messages, newest last. A piece is one write of the referee, or one read from the bot."""

    def __init__(self) -> None:
        self._pieces: deque[tuple[str, bytes]] = deque(maxlen=KEPT)
        self.heard = 0
        """Bytes that the bot has said."""
        self.until_fault: list[str] = []
        """The pieces up to the first question that told the bot of a fault."""

    def note(self, sender: str, data: bytes) -> None:
        """Keep a piece. A piece that continues one of the same sender byte by byte is joined to it."""
        if sender == "bot":
            self.heard += len(data)
        if self._pieces and self._pieces[-1][0] == sender and len(data) < 8 and len(self._pieces[-1][1]) < _WHOLE:
            data = self._pieces.pop()[1] + data
        if sender == "referee" and not self.until_fault and _TOLD in data:
            self.until_fault = self.lines()
        self._pieces.append((sender, data[: _WHOLE + 1]))

    def clear(self) -> None:
        """Forget all pieces."""
        self._pieces.clear()
        self.until_fault = []

    def lines(self) -> list[str]:
        """The pieces as lines: "referee: ...", "bot: ..."."""
        return [f"{sender}: {shown(data)}" for sender, data in self._pieces]


def shown(data: bytes) -> str:
    """Bytes of any dialect as text: JSON as it is, whole messages of msgpack as JSON, anything else with escapes."""
    text = _text(data)
    if text is None:
        text = ascii(data[:LONGEST])[2:-1]
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} [... {len(data)} bytes in all]"


def _text(data: bytes) -> str | None:
    if len(data) > _WHOLE:
        return None
    if data[:1] not in (b"\0", b"\xde", b"\xdf") and not 0x80 <= data[0] <= 0x8F:
        try:
            return data.decode("utf-8").rstrip("\n")
        except UnicodeDecodeError:
            return None
    unpacker = msgpack.Unpacker(max_buffer_size=_WHOLE, strict_map_key=False)
    unpacker.feed(data[4:] if data[:1] == b"\0" else data)
    try:
        message = unpacker.unpack()
        return json.dumps(message, separators=(",", ":"), ensure_ascii=False) if isinstance(message, dict) else None
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException, msgpack.OutOfData):
        return None


class Tapped(WithGuests):
    """A sandbox whose cells note in `traffic` what is said."""

    def __init__(self, sandbox: Sandbox, traffic: Traffic) -> None:
        super().__init__(sandbox)
        self._traffic = traffic

    async def start(self, program: Program, on_log: OnLog) -> Cell:
        cell: Cell = await super().start(program, on_log)
        recv, send, note = cell.recv, cell.send, self._traffic.note

        def read() -> bytes:
            data = recv()
            if data:
                note("bot", data)
            return data

        def write(data: bytes) -> int:
            sent = send(data)
            note("referee", bytes(data[:sent]))
            return sent

        cell.recv, cell.send = read, write
        return cell
