"""Connections from outside, as Hypercorn is given them: how many there may be, how long each may rest, how slowly it may take.

Hypercorn's own listener takes as many connections as come, and waits for each as long as it likes; so this room accepts them, and
gives each to the part of Hypercorn that speaks HTTP (`http.Speaker`). The application finds the connection in its scope.
"""

import os
import socket
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, cast

import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ASGIFramework, LifespanState

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.watching.web.addresses import household, is_near
from bullring.arena.watching.web.http import Speaker

RESTING = 10.0
"""Seconds in which a request has to be complete, from the connection or from the last answer on."""

TAKING = 20.0
"""Seconds in which a part of an answer has to be taken. No part is larger than `PART`."""

PART = 1 << 16
"""Bytes of an answer that are written at once."""

MOST_OF_ONE = 256
"""Most connections of one address that is not of this machine."""

UNSENT = 1 << 17
"""Bytes that the kernel keeps of what a viewer has not taken."""


COMPLAINED = 60.0
"""Seconds in which the operator is told of the same mistake once."""


class Connection:
    """A connection, with the part of a stream's interface that Hypercorn uses."""

    def __init__(self, stream: trio.SocketStream, owner: "Doorkeeper", address: str) -> None:
        self._stream = stream
        self._owner = owner
        self.address = address
        """Where it comes from: that of a whole household, in IPv6."""
        self.socket = stream.socket
        self.gone = False
        """Whether it was closed."""
        self.scope = trio.CancelScope()
        """All that is done for it."""
        self._left = False
        """Whether the other end has closed it."""
        owner.resting[self] = None

    def asks(self) -> None:
        """A request is complete, so it has a right to be here."""
        self._owner.resting.pop(self, None)

    def rests(self) -> None:
        """Its request was answered. Where there are too many connections, those that rest have to leave, the oldest first."""
        if self._left:
            self.scope.cancel()  # Hypercorn would wait for the next request
        elif not self.gone:
            self._owner.resting[self] = None

    def cut(self) -> None:
        """Close it at once."""
        self.gone = True
        self._owner.forget(self)
        self.socket.close()

    def surrender(self) -> int:
        """Give it up to somebody else: a descriptor that the caller owns. Nothing more is read or written here."""
        fd = os.dup(self.socket.fileno())
        self.cut()
        self.scope.cancel()
        return fd

    async def receive_some(self, most: int) -> bytes | bytearray:
        """What has come."""
        data: bytes | bytearray = b""
        try:
            data = await self._stream.receive_some(most)
        finally:
            if not data:
                self._left = True
                if self in self._owner.resting:
                    self.scope.cancel()
        return data

    async def send_all(self, data: bytes) -> None:
        """Send a part of an answer. Raises `trio.BrokenResourceError` if it is not taken in time."""
        whole = memoryview(data)
        for at in range(0, len(whole), PART):
            with trio.move_on_after(TAKING) as patience:
                await self._stream.send_all(whole[at : at + PART])
            if patience.cancelled_caught:
                self.cut()
                raise trio.BrokenResourceError

    async def send_eof(self) -> None:
        """End what is sent."""
        await self._stream.send_eof()

    async def aclose(self) -> None:
        """Close it."""
        self.gone = True
        await self._stream.aclose()


class Doorkeeper:
    """Accepts connections, at most `most` at a time, and has them served by an application."""

    def __init__(self, app: ASGIFramework, most: int, resting: float = RESTING) -> None:
        self._app = ASGIWrapper(app)
        self._most = most
        self.resting: dict[Connection, None] = {}
        """The connections without a request, the oldest first."""
        self._all: set[Connection] = set()
        self._by_address: Counter[str] = Counter()
        self._context = WorkerContext(None)
        self._config = Config()
        self._config.keep_alive_timeout = resting
        self._config.include_server_header = False

    def __len__(self) -> int:
        """The number of connections."""
        return len(self._all)

    async def serve(self, listening: Sequence[socket.socket]) -> None:
        """Accept connections until it is cancelled."""
        listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in listening]
        await trio.serve_listeners(self._let_in, listeners)

    async def _let_in(self, stream: trio.SocketStream) -> None:
        try:
            address = household(stream.socket.getpeername()[0])
            stream.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
        except OSError:  # it has left already
            await stream.aclose()
            return
        if len(self._all) >= self._most and self.resting:
            next(iter(self.resting)).cut()
        if len(self._all) >= self._most or (not is_near(address) and self._by_address[address] >= MOST_OF_ONE):
            await stream.aclose()
            return
        connection = Connection(stream, self, address)
        self._all.add(connection)
        self._by_address[address] += 1
        state = cast(LifespanState, {"connection": connection})
        try:
            with connection.scope:
                await Speaker(self._app, self._config, self._context, state, cast(Any, connection)).run()
        except Exception as error:  # whatever one viewer brings about, the others are served
            complain(error)
        finally:
            self.forget(connection)

    def forget(self, connection: Connection) -> None:
        """Its place is free."""
        if connection in self._all:
            self._all.remove(connection)
            self.resting.pop(connection, None)
            self._by_address[connection.address] -= 1
            if not self._by_address[connection.address]:
                del self._by_address[connection.address]


_complained: dict[str, float] = {}
"""When was last told of a mistake, by the place where it was made."""


def complain(error: BaseException) -> None:
    """Tell the operator of a mistake of ours: a line for each a minute, so that nobody outside can fill a log."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    *_, made = traceback.extract_tb(error.__traceback__) or [traceback.FrameSummary("?", 0, "?")]
    place, now = f"{Path(made.filename).name}:{made.lineno}", time.monotonic()
    if now - _complained.get(place, -COMPLAINED) >= COMPLAINED:
        _complained[place] = now
        sys.stderr.write(f"bullring: a request failed: {type(error).__name__}: {harmless(str(error), 200)} ({place})\n")


class Rates:
    """How often somebody may ask: `burst` times at once, and `a_second` times a second after that."""

    def __init__(self, a_second: float = 20.0, burst: float = 200.0) -> None:
        self._a_second = a_second
        self._burst = burst
        self._spent: dict[str, tuple[float, float]] = {}
        """By address: how much was spent, and when."""

    def allows(self, address: str) -> bool:
        """Whether an address may ask once more now."""
        if is_near(address):
            return True
        now = time.monotonic()
        spent, then = self._spent.pop(address, (0.0, now))
        spent = max(0.0, spent - (now - then) * self._a_second)
        allowed = spent + 1 <= self._burst
        self._spent[address] = (spent + allowed, now)
        for other in [*islice(self._spent, 2)]:  # the oldest are first: forget who has nothing on the slate
            owed, since = self._spent[other]
            if owed <= (now - since) * self._a_second:
                del self._spent[other]
        return allowed
