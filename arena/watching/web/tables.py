"""Tables with people, as the server sees them: it asks their steward, and hands connections over, of which it reads no byte."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import trio

from bullring.arena.watching.web.connections import Connection
from bullring.arena.watching.web.handing import hand, take

PATIENCE = 60.0
"""Seconds for an answer."""

MOST_ASKED = 64
"""Questions to the steward that wait for their answers."""

Answer = tuple[int, dict[str, Any], str]
"""A status, facts, and a cookie to set, if any."""


@dataclass
class _Asked:
    """A question that waits for its answer."""

    answered: trio.Event = field(default_factory=trio.Event)
    answer: Answer = (503, {}, "")


class Tables:
    """The way to the steward of tables with people."""

    def __init__(self, line: socket.socket, *, may_make: bool) -> None:
        self.may_make = may_make
        """Whether everybody may make tables who reaches this server."""
        self._line = line
        self._numbers = count(1)
        self._asked: dict[int, _Asked] = {}
        line.setblocking(False)

    async def ask(self, *message: Any) -> Answer:
        """The steward's answer. It is 503 if there is none."""
        number = next(self._numbers)
        if len(self._asked) >= MOST_ASKED:
            return 503, {}, ""
        asked = self._asked[number] = _Asked()
        try:
            hand(self._line, "ask", number, *message)
            with trio.move_on_after(PATIENCE):
                await asked.answered.wait()
        except OSError:
            pass
        finally:
            del self._asked[number]
        return asked.answer

    def hand_over(self, connection: Connection, *message: Any) -> None:
        """Hand a connection over. From here on this process can neither read nor write it."""
        fd = connection.surrender()
        try:
            with suppress(OSError):  # there is no steward, or it is too busy: the browser comes back
                hand(self._line, *message, passed=[fd])
        finally:
            os.close(fd)

    async def hear(self) -> None:
        """Take answers until the steward has ended."""
        with suppress(OSError):
            while True:
                try:
                    came = take(self._line)
                except BlockingIOError:
                    await trio.lowlevel.wait_readable(self._line)
                    continue
                if came is None:
                    return
                _, number, status, facts, cookie = came[0]
                if number in self._asked:
                    self._asked[number].answer = status, facts, cookie
                    self._asked[number].answered.set()
