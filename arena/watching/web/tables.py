"""Tables with people, as the server sees them: it asks their steward, and hands connections over, of which it reads no byte."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import trio

from bullring.arena.watching.web.addresses import is_near
from bullring.arena.watching.web.connections import Connection
from bullring.arena.watching.web.handing import hand, take

PATIENCE = 60.0
"""Seconds for an answer."""

MOST_ASKED = 64
"""Questions to the steward that wait for their answers."""

FOR_SITTING = 32
"""How many of these places are for people who sit down. Other questions may take longer, such as those that read a ladder."""

MOST_OF_ONE = 4
"""How many of them one address elsewhere may have."""

LISTED = 2.0
"""Seconds for which the list of opponents is told again as it was."""

Answer = tuple[int, dict[str, Any], str]
"""A status, facts, and a cookie to set, if any."""


@dataclass
class _Asked:
    """A question that waits for its answer."""

    address: str | None
    """That of whoever asks; None: the server."""
    kind: str
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
        self._listing = trio.Lock()
        self._listed: Answer = (503, {}, "")
        self._listed_until = 0.0
        line.setblocking(False)

    async def listed(self) -> Answer:
        """The steward's list of opponents, asked for once for all who wait for it."""
        async with self._listing:
            if trio.current_time() >= self._listed_until:
                self._listed = await self.ask(None, "list")
                self._listed_until = trio.current_time() + LISTED
            return self._listed

    async def ask(self, address: str | None, kind: str, *words: Any) -> Answer:
        """The steward's answer to somebody at this address. It is 503 if there is none."""
        number = next(self._numbers)
        if not self._has_room(address, kind):
            return 503, {}, ""
        asked = self._asked[number] = _Asked(address, kind)
        try:
            hand(self._line, "ask", number, kind, *words)
            with trio.move_on_after(PATIENCE):
                await asked.answered.wait()
        except OSError:
            pass
        finally:
            del self._asked[number]
        return asked.answer

    def _has_room(self, address: str | None, kind: str) -> bool:
        waiting = [*self._asked.values()]
        if (
            address is not None
            and not is_near(address)
            and sum(one.address == address for one in waiting) >= MOST_OF_ONE
        ):
            return False
        others = sum(one.kind != "sit" for one in waiting)
        return len(waiting) < MOST_ASKED and (kind == "sit" or others < MOST_ASKED - FOR_SITTING)

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
