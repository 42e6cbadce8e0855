"""The seat of a person: a cell that is a connection to the process in which they sit.

A person is never at fault. What they answer is looked at here, before the referee hears of it: an answer that is not legal goes
back with the reason, and the referee waits on. Whoever closes the connection leaves the table, and the match with it.
"""

import json
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import OnLog, Sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.match.seats.player import LeftToReferee
from bullring.arena.match.seats.unwatched import Unwatched

_READ_SIZE = 65536

Gone = Callable[[], None]
"""Called when a person has left the table."""


class PersonCell(Unwatched):
    """A cell that is the connection to a person."""

    freezes = False
    core = 0

    def __init__(self, connection: socket.socket, gone: Gone) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._writer = connection.dup()  # its number differs, as the cell's interface demands
        self.read_fd = connection.fileno()
        self.write_fd = self._writer.fileno()
        self.recv = self._recv
        self.send = self._send
        self.frozen = False
        self._gone = gone
        self._killed = False
        self._said, self._heard = LineBuffer(), LineBuffer()
        self._question: Mapping[str, Any] | None = None
        """The question that waits for an answer."""
        self._owed = b""
        """A refusal that did not fit into the connection yet."""

    def __repr__(self) -> str:
        return f"<PersonCell {self.exit_text()}>"

    def _send(self, data: bytes) -> int:
        if self._owed:
            self._owed = self._owed[self._writer.send(self._owed) :]
            if self._owed:
                raise BlockingIOError
        sent = self._writer.send(data)
        for line in self._said.feed(data[:sent]):
            message = json.loads(line)
            if message["type"] == "decide":
                self._question = message
        return sent

    def _recv(self) -> bytes:
        """What the person has said and the referee may hear. Raises `LeftToReferee`, and `BlockingIOError` if there is nothing."""
        try:
            data = self._connection.recv(_READ_SIZE)
        except ConnectionError:
            data = b""
        if not data:
            if not self._killed:
                self._gone()
            raise BlockingIOError
        passed = b""
        for line in self._heard.feed(data):
            message = _read(line)
            if message.get("type") == "hello":
                passed += line + b"\n"
                continue
            question, self._question = self._question, None
            if question is None or message.get("id") != question["id"]:
                self._question = question  # an old question: nothing is owed for it
            elif message["type"] == "fall_back":
                raise LeftToReferee
            elif any(_same(option, message["option"]) for option in question["options"]):
                passed += line + b"\n"
            else:
                self._question = question
                self._refuse(message["option"], question["options"])
        if not passed:
            raise BlockingIOError
        return passed

    def _refuse(self, option: object, options: Sequence[object]) -> None:
        shown = ", ".join(map(str, options[:12])) + (", ..." if len(options) > 12 else "")
        text = f"expected one of {shown}, not {option!r:.40}"
        self._owed += json.dumps({"type": "refused", "text": text}).encode() + b"\n"
        with suppress(OSError):
            self._owed = self._owed[self._writer.send(self._owed) :]

    def freeze(self) -> None:
        """Do nothing: people may think whenever they like."""

    def thaw(self) -> None:
        """Do nothing."""

    def ended(self) -> bool:
        """Whether the referee has ended the connection."""
        return self._killed

    def exit_text(self) -> str:
        return "sent away by the arena" if self._killed else "at the table"

    def hang_up(self) -> None:
        """Say that no more messages will come."""
        with suppress(OSError):
            self._writer.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the connection."""
        self._killed = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    async def wait(self) -> None:
        """Wait until the person's process has closed the connection."""
        while True:
            await trio.lowlevel.wait_readable(self.read_fd)
            with suppress(BlockingIOError):
                try:
                    if not self._connection.recv(_READ_SIZE):
                        return
                except ConnectionError:
                    return

    async def end(self) -> None:
        """Close the connection."""
        self.kill()
        for end in (self._connection, self._writer):
            if end.fileno() >= 0:
                trio.lowlevel.notify_closing(end)
                end.close()
        await trio.lowlevel.checkpoint()


class WithPeople:
    """A sandbox in which some seats are people. `sandbox` runs the programs of the others; None if there are none."""

    def __init__(self, sandbox: Sandbox | None, people: Mapping[Program, socket.socket], gone: Gone) -> None:
        self.tier = sandbox.tier if sandbox is not None else TIERS["none"]
        self.freeze = sandbox is not None and sandbox.freeze
        self.counts = sandbox is not None and sandbox.counts
        self._sandbox = sandbox
        self._people = people
        self._gone = gone

    def __repr__(self) -> str:
        return f"<WithPeople at {len(self._people)} seats in {self._sandbox!r}>"

    def means(self) -> str:
        """How caps are enforced."""
        return self._sandbox.means() if self._sandbox is not None else "nothing: nobody here is a program"

    async def prepare(self, program: Program) -> str:
        """Prepare what a program needs to start. Raises `CellError`, `HostError`."""
        if program in self._people or self._sandbox is None:
            return ""
        return await self._sandbox.prepare(program)

    async def start(self, program: Program, on_log: OnLog) -> Any:
        """Start a program, or seat a person. Raises `CellError`, `HostError`."""
        if program in self._people:
            return PersonCell(self._people[program], self._gone)
        assert self._sandbox is not None
        return await self._sandbox.start(program, on_log)


def person(name: str, seat: int) -> Bot:
    """What stands for a person where the arena speaks of bots."""
    return Bot(name, Program(("person", str(seat)), Path()))


def _read(line: bytes) -> dict[str, Any]:
    """A message of the person's process. It is part of this program, so a wrong one is a mistake of ours, and no answer."""
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    known = isinstance(message, dict) and (message.get("type") in ("hello", "fall_back") or "option" in message)
    return message if known else {}


def _same(option: object, given: object) -> bool:
    """Whether an answer is this option: true is no number here."""
    return type(option) is type(given) and option == given
