"""Players in this process: a Python function answers, and no program is started.

They are for tests and research, where nobody is a stranger. They hear and say the same messages as programs. But they share the
referee's process: while one of them thinks, everybody waits, so its own deadlines are not kept, and its time stands in the times
of those who think beside it.
"""

import os
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgpack
import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.sandbox.cell import Breach, OnLog, Sandbox
from bullring.arena.sandbox.program import Program
from bullring.arena.sandbox.tiers import Tier

Message = dict[str, Any]
"""A message of the referee, as SPEC.md describes it."""

Decide = Callable[[Message], Any]
"""Takes a `decide` message and returns one of its options."""


class InProcess:
    """A cell without a program: `decide` is called when its answer is wanted."""

    freezes = False

    def __init__(self, name: str, player: object) -> None:
        """`player` is a function that decides, or an object with a method ``decide``, and ``welcome`` and ``match_over`` if it
        wants to hear these."""
        decide = getattr(player, "decide", player)
        assert callable(decide)
        self._decide: Decide = decide
        self._hears: dict[str, Callable[[Message], object]] = {
            kind: getattr(player, kind) for kind in ("welcome", "match_over") if hasattr(player, kind)
        }
        # An event says that there is something to be received; the other one is never full.
        self.read_fd = os.eventfd(1, os.EFD_NONBLOCK)
        self.write_fd = os.eventfd(0, os.EFD_NONBLOCK)
        self.recv = self._recv
        self.send = self._send
        self.frozen = False
        self._unpacker = msgpack.Unpacker()
        self._said: deque[bytes] = deque([msgpack.packb({"type": "hello", "protocol": 1, "name": name})])
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
        option = self._decide(question)
        answer: bytes = msgpack.packb({"type": "choice", "id": question["id"], "option": option})
        return answer

    def freeze(self) -> None:
        """Nothing: it only runs when it is asked."""

    def thaw(self) -> None:
        """Nothing."""

    def ended(self) -> bool:
        """Whether its seat was closed."""
        return self._killed

    def exit_text(self) -> str:
        """How it ended."""
        return "ended by the arena" if self._killed else "still running"

    def condemn(self, breach: Breach, evidence: str) -> None:
        """Nothing: nobody counts what it uses."""

    def breach(self) -> tuple[Breach, str] | None:
        """None."""
        return None

    def host_fault(self) -> str | None:
        """None."""
        return None

    def waited(self) -> float:
        """Nothing is known of that."""
        return 0.0

    def kept_waiting(self, since: float) -> float:
        """Nothing is known of that."""
        return 0.0

    def read_log(self) -> None:
        """Nothing: what it prints is yours."""

    def hang_up(self) -> None:
        """Nothing."""

    def kill(self) -> None:
        """Ask it no more."""
        self._killed = True

    async def wait(self) -> None:
        """It has nothing to do before it is gone."""
        await trio.lowlevel.checkpoint()

    async def end(self) -> None:
        """Let go of its descriptors."""
        self._killed = True
        for fd in (self.read_fd, self.write_fd):
            if fd >= 0:
                os.close(fd)
        self.read_fd = self.write_fd = -1


class WithInProcess:
    """A sandbox for programs in which functions sit beside them; without programs it needs none."""

    def __init__(self, sandbox: Sandbox | None) -> None:
        self.tier = sandbox.tier if sandbox is not None else Tier.NONE
        self.freeze = sandbox is not None and sandbox.freeze
        self._sandbox = sandbox
        self._players: dict[Program, object] = {}

    def __repr__(self) -> str:
        return f"<WithInProcess of {len(self._players)} in {self._sandbox!r}>"

    def seat(self, name: str, player: object) -> Bot:
        """A bot that is this player."""
        program = Program(("in process", str(len(self._players))), Path())
        self._players[program] = player
        return Bot(name, program)

    def means(self) -> str:
        """By what means limits are kept."""
        return self._sandbox.means() if self._sandbox is not None else "nothing: all players are in this process"

    async def prepare(self, program: Program) -> None:
        """Make what has to be made ahead. Raises `CellError`, `HostError`."""
        if self._sandbox is not None and program not in self._players:
            await self._sandbox.prepare(program)

    async def start(self, program: Program, on_log: OnLog) -> Any:
        """Start a program, or seat a function. Raises `CellError`, `HostError`."""
        if program in self._players:
            return InProcess("python", self._players[program])
        assert self._sandbox is not None
        return await self._sandbox.start(program, on_log)


def is_player(given: object) -> bool:
    """Whether this is a function or an object that can play."""
    return not isinstance(given, str | Path | Mapping) and (callable(given) or hasattr(given, "decide"))


__all__ = ["Decide", "InProcess", "Message", "WithInProcess", "is_player"]
