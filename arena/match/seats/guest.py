"""Guests at the table: players whose program is not the arena's. It runs elsewhere, without caps, and nothing of it is measured.

A guest is a cell like any other, so the referee need not know of it.
"""

import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import trio

from bullring.arena.cells.sandbox.cell import Breach, Cell, OnLog, Sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.promises import Means
from bullring.arena.cells.sandbox.tiers import TIERS

READ_SIZE = 65536
"""Bytes per read."""


class Guest:
    """The part of a `Cell` that says nothing of a guest: no caps, no measures, no freezing, and stderr is their own."""

    freezes = False
    frozen = False
    core = 0

    def condemn(self, breach: Breach, evidence: str) -> None: ...

    def breach(self) -> tuple[Breach, str] | None:
        return None

    def host_fault(self) -> str | None:
        return None

    def account(self, *, closely: bool = True) -> None:
        return None

    def usage(self) -> tuple[float, int]:
        return 0.0, 0

    def read_log(self) -> None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def hang_up(self) -> None: ...


class Connected(Guest):
    """A guest behind a socket. The subclass says when it has `ended`."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._writer = connection.dup()  # its number differs, as the cell's interface demands
        self.read_fd = connection.fileno()
        self.write_fd = self._writer.fileno()
        self.recv: Callable[[], bytes] = self._recv
        self.send: Callable[[bytes], int] = self._send
        self._killed = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.exit_text()}>"

    def exit_text(self) -> str:
        raise NotImplementedError

    def _recv(self) -> bytes:
        return self._connection.recv(READ_SIZE)

    def _send(self, data: bytes) -> int:
        return self._writer.send(data)

    def ended(self) -> bool:
        return self._killed

    def hang_up(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)

    def kill(self) -> None:
        """End the connection. The program is its owner's."""
        self._killed = True
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    async def wait(self) -> None:
        """Wait until the other side has closed the connection."""
        while True:
            await trio.lowlevel.wait_readable(self.read_fd)
            try:
                if not self._connection.recv(READ_SIZE):
                    return
            except BlockingIOError:
                continue
            except OSError:
                return

    async def end(self) -> None:
        self.kill()
        for end in (self._connection, self._writer):
            if end.fileno() >= 0:
                trio.lowlevel.notify_closing(end)
                end.close()
        await trio.lowlevel.checkpoint()


class WithGuests:
    """A sandbox with seats for guests. `sandbox` runs the programs; None if there are none."""

    def __init__(
        self, sandbox: Sandbox | None, guests: Mapping[Program, Callable[[], Cell | Awaitable[Cell]]] | None = None
    ) -> None:
        """`guests` seats a guest, by the program that represents them; an awaitable cell is waited for."""
        self.tier = sandbox.tier if sandbox is not None else TIERS["none"]
        self.freeze = sandbox is not None and sandbox.freeze
        self.counts = sandbox is not None and sandbox.counts
        self._sandbox = sandbox
        self._guests = dict(guests or {})

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, {len(self._guests)} of them, in {self._sandbox!r}>"

    @property
    def means(self) -> frozenset[Means]:
        return self._sandbox.means if self._sandbox is not None else frozenset()

    async def prepare(self, program: Program) -> str:
        if program in self._guests or self._sandbox is None:
            return ""
        return await self._sandbox.prepare(program)

    async def start(self, program: Program, on_log: OnLog) -> Any:
        if program in self._guests:
            cell = self._guests[program]()
            return await cell if isinstance(cell, Awaitable) else cell
        assert self._sandbox is not None
        return await self._sandbox.start(program, on_log)
