"""Bots that a person starts, under a debugger for example: a seat is a TCP connection from this machine to one of our ports.

Nothing confines such a bot, nothing counts what it uses, and its stderr stays in its own terminal. Only processes of our own user
may join: the kernel says whose the other end of a connection is.
"""

import os
import socket
import struct
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.seats.guest import Connected, WithGuests
from bullring.errors import HostError, UsageError

LOOPBACK = "127.0.0.1"
"""The only address that is listened on."""

Told = Callable[[str], None]
"""Called with a line for the person who starts the bot."""


class Attached(Connected):
    """A cell that is a connection."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().__init__(connection)
        self._left = False
        """Whether the bot had closed the connection before we did."""

    def _recv(self) -> bytes:
        # Acknowledge at once: a bot that did not set TCP_NODELAY would send its next bytes only after our answer, or 40 ms.
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        return super()._recv()

    def ended(self) -> bool:
        """Whether the connection was closed by either side."""
        if self._killed:
            return True
        try:
            return not self._connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def exit_text(self) -> str:
        if self._killed and not self._left:
            return "disconnected by the arena"
        return "disconnected by itself" if self.ended() else "still connected"

    def kill(self) -> None:
        self._left = self.ended() if not self._killed else self._left
        super().kill()


async def _let_in(door: socket.socket, told: Told) -> Attached:
    """Wait for a connection, however long it takes. Raises `HostError`."""
    port = door.getsockname()[1]
    refused: set[int | None] = set()
    told(f"waiting for a bot on port {port} of {LOOPBACK}, which connects with:\n{_ways(port)}")
    while True:
        await trio.lowlevel.wait_readable(door)
        try:
            connection, peer = door.accept()
        except OSError:
            continue  # it is gone already
        user = owner_of(peer[1], port)
        if user == os.geteuid():
            told(f"a bot has connected to port {port}")
            return Attached(connection)
        connection.close()
        if user in refused:
            continue
        refused.add(user)
        whose = "an unknown user" if user is None else f"user {user}"
        told(f"refused a connection of {whose} to port {port}: only processes of user {os.geteuid()} may join")


def seat_of(port: int, number: int) -> Bot:
    """The bot that will connect to a port; `number` tells apart several of them."""
    return Bot("attached", Program(("attached", str(port), str(number)), Path()))


@asynccontextmanager
async def doors_for(sandbox: Sandbox, bots: Mapping[Bot, int], told: Told) -> AsyncIterator[Sandbox]:
    """The sandbox with seats for bots that connect, each to its port (0: any that is free). Raises `UsageError`."""
    doors: dict[Program, socket.socket] = {}
    try:
        for bot, port in bots.items():
            door = doors[bot.program] = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.setblocking(False)
            try:
                door.bind((LOOPBACK, port))
            except OSError as error:
                raise UsageError(
                    f"port {port} cannot be used: {error.strerror or error}; give --attach another one"
                ) from None
            door.listen(1)
        yield (
            WithGuests(sandbox, {seat: partial(_let_in, door, told) for seat, door in doors.items()})
            if doors
            else sandbox
        )
    finally:
        for door in doors.values():
            door.close()


def owner_of(port: int, ours: int) -> int | None:
    """The user whose process holds the end `port` of the connection to our port; None if the kernel lists no such end."""
    for table in ("tcp", "tcp6"):
        try:
            lines = Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]
        except OSError as error:
            if table == "tcp6":  # there may be no such addresses
                return None
            raise HostError(f"/proc/net/tcp cannot be read, so no bot may join: {error.strerror or error}") from None
        for line in lines:
            _, local, remote, state, _, _, _, user, *_ = line.split()
            if (local, remote, state) == (_place(table, port), _place(table, ours), "01"):
                return int(user)
    return None


def _place(table: str, port: int) -> str:
    """A place on the loopback as the kernel writes it: each 32 bits of the address as a number in the machine's byte order."""
    mapped = bytes(10) + b"\xff\xff" if table == "tcp6" else b""
    words = struct.unpack(f"={(len(mapped) + 4) // 4}I", mapped + socket.inet_aton(LOOPBACK))
    return "".join(f"{word:08X}" for word in words) + f":{port:04X}"


def _ways(port: int) -> str:
    """Instructions for connecting a bot."""
    return f"""\
    a program, from bash:   ./bot <>/dev/tcp/{LOOPBACK}/{port} >&0
    in gdb:                 run <>/dev/tcp/{LOOPBACK}/{port} >&0
    with socat:             socat TCP:{LOOPBACK}:{port} EXEC:"python3 bot.py"
    in Python, first of all:
        import os, socket
        line = socket.create_connection(("{LOOPBACK}", {port}))
        os.dup2(line.fileno(), 0)
        os.dup2(line.fileno(), 1)"""
