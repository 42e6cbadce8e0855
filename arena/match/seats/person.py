"""The seat of a person: a cell that is a connection to the process in which they sit.

A person is never at fault. What they answer is looked at here, before the referee hears of it: an answer that is not legal goes
back with the reason, and the referee waits on. A person who closes the connection leaves the table, and the match with it.
"""

import json
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.text.lines import LineBuffer
from bullring.arena.games.rulebook.language import say
from bullring.arena.match.seats.guest import Connected
from bullring.arena.match.seats.player import LeftToReferee

Gone = Callable[[], None]
"""Called when a person has left the table."""


class PersonCell(Connected):
    """A cell that is the connection to a person."""

    def __init__(self, connection: socket.socket, gone: Gone) -> None:
        super().__init__(connection)
        self._gone = gone
        self._said, self._heard = LineBuffer(), LineBuffer()
        self._question: Mapping[str, Any] | None = None
        """The question that waits for an answer."""
        self._owed = b""
        """A refusal that did not fit into the connection yet."""

    def _send(self, data: bytes) -> int:
        if self._owed:
            self._owed = self._owed[self._writer.send(self._owed) :]
            if self._owed:
                raise BlockingIOError
        sent = super()._send(data)
        for line in self._said.feed(data[:sent]):
            message = json.loads(line)
            if message["type"] == "decide":
                self._question = message
        return sent

    def _recv(self) -> bytes:
        """Read the legal answers of the person. Raises `LeftToReferee`, and `BlockingIOError` if there is none."""
        try:
            data = super()._recv()
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
        text = say("screens.refusals.expected", options=shown, given=f"{option!r:.40}")
        self._owed += json.dumps({"type": "refused", "text": text}).encode() + b"\n"
        with suppress(OSError):
            self._owed = self._owed[self._writer.send(self._owed) :]

    def exit_text(self) -> str:
        return "sent away by the arena" if self._killed else "at the table"


def person(name: str, seat: int) -> Bot:
    """A person as a bot, for everything that takes bots."""
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
    """Whether an answer is this option: true is not a number here."""
    return type(option) is type(given) and option == given
