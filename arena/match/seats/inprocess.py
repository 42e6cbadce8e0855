"""Players in this process: a Python function answers, and no program is started.

For tests and research with trusted players. They exchange the same messages as programs, but share the referee's process: while one
of them thinks, all others wait. So its own deadlines are not enforced, and its thinking time counts towards the times of players
that think at the same moment.
"""

import inspect
import operator
import os
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgpack
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.seats.guest import Guest, WithGuests
from bullring.errors import BotError

Message = dict[str, Any]
"""A message from the referee, as described in SPEC.md."""

Decide = Callable[[Message], Any]
"""Takes a `decide` message and returns one of its options."""


SHOWN = 80
"""Characters of a wrong answer that an error shows."""


class InProcess(Guest):
    """A cell without a program: calls `decide` when an answer is read."""

    def __init__(self, name: str, player: object) -> None:
        """`player` is a function that decides, or an object with a method ``decide``.

        An object may also have the methods ``welcome`` and ``match_over`` to receive these messages.
        `name` is for errors. Raises `BotError` if the player cannot decide.
        """
        self._name = name
        self._decide = _decider(player)
        self._hears: dict[str, Callable[[Message], object]] = {
            kind: getattr(player, kind) for kind in ("welcome", "match_over") if hasattr(player, kind)
        }
        # The first is readable while there is something to receive; the second is always writable.
        self.read_fd = os.eventfd(1, os.EFD_NONBLOCK)
        self.write_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.recv: Callable[[], bytes] = self._recv
        self.send: Callable[[bytes], int] = self._send
        self._unpacker = msgpack.Unpacker()
        self._said: deque[bytes] = deque([msgpack.packb({"type": "hello", "protocol": 1, "name": "python"})])
        self._asked: Message | None = None
        self._killed = False

    def __repr__(self) -> str:
        return f"<InProcess {self._decide!r}>"

    def _send(self, data: bytes) -> int:
        self._unpacker.feed(data)
        for message in self._unpacker:
            if message["type"] == "decide":
                self._asked = message
                os.eventfd_write(self.read_fd, 1)
            elif message["type"] in self._hears:
                self._hears[message["type"]](message)
        return len(data)

    def _recv(self) -> bytes:
        if self._asked is None and not self._said:
            raise BlockingIOError
        os.eventfd_read(self.read_fd)
        if self._said:
            return self._said.popleft()
        question, self._asked = self._asked, None
        assert question is not None
        return self._packed(question["id"], self._decide(question))

    def _packed(self, id_: int, option: object) -> bytes:
        try:
            answer: bytes = msgpack.packb({"type": "choice", "id": id_, "option": _plain(option)})
        except (TypeError, ValueError, OverflowError):
            if inspect.iscoroutine(option):
                option.close()
            raise BotError(f"{self._name} returned {option!r:.{SHOWN}}; return one of message['options']") from None
        return answer

    def ended(self) -> bool:
        """Whether the seat was closed."""
        return self._killed

    def exit_text(self) -> str:
        return "ended by the arena" if self._killed else "still running"

    def kill(self) -> None:
        """Mark the seat as closed."""
        self._killed = True

    async def wait(self) -> None:
        """Return at once: there is no program to wait for."""
        await trio.lowlevel.checkpoint()

    async def end(self) -> None:
        """Close the descriptors."""
        self._killed = True
        for fd in (self.read_fd, self.write_fd):
            if fd >= 0:
                os.close(fd)
        self.read_fd = self.write_fd = -1


class WithInProcess(WithGuests):
    """A sandbox that seats functions besides programs. `sandbox` runs the programs, and is None if there are none."""

    def seat(self, name: str, player: object) -> Bot:
        """Register a player and return it as a bot. Raises `BotError` if it cannot decide."""
        _decider(player)
        program = Program(("in process", str(len(self._guests))), Path())
        self._guests[program] = partial(InProcess, name, player)
        return Bot(name, program)


def is_player(given: object) -> bool:
    """Whether this is a function or an object with `decide`."""
    return not isinstance(given, str | Path | Mapping) and (callable(given) or hasattr(given, "decide"))


def _decider(player: object) -> Decide:
    """The function that decides for a player. Raises `BotError` if there is none."""
    if inspect.isclass(player):
        raise BotError(f"{player.__name__} is a class; pass an object: {player.__name__}()")
    decide: object = getattr(player, "decide", player)
    if not callable(decide):
        raise BotError(
            f"a player must be a function or an object with a method decide, but decide is {decide!r:.{SHOWN}}"
        )
    return decide


def _plain(answer: Any) -> Any:
    """An answer as values of Python itself: numbers of numpy become `int`, its arrays become lists.

    Raises `TypeError` if the answer cannot be part of a message.
    """
    if answer is None or isinstance(answer, str | bool):
        return answer
    if isinstance(answer, list | tuple):
        return [_plain(part) for part in answer]
    if hasattr(answer, "tolist"):
        return _plain(answer.tolist())
    return operator.index(answer)


__all__ = ["Decide", "InProcess", "Message", "WithInProcess", "is_player"]
