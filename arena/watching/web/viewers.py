"""One viewer of a topic. After the handshake, which is Hypercorn's, events are written to the socket as they are.

A server of events has nothing to decide for each viewer: the bytes are the same for all. Passed through the layers of HTTP, a piece
costs ten times the system call that sends it.
"""

import os
from collections import deque

import trio

from bullring.arena.watching.web.connections import Connection

MOST_WAITING = 1024
"""Most pieces that wait for a viewer. They are the same bytes for all viewers; one that is further behind is cut off, and comes
back to where it was by the id of the last event."""

STALLED = 30.0
"""Seconds after which a viewer that takes nothing is cut off."""

HEARTBEAT = 15.0
"""Seconds after which a viewer who hears nothing is told that the server is there."""

GREETING = b"retry: 2000\n\n"
"""The first bytes of all streams: browsers come back after two seconds."""

_BEAT = b":\n\n"


class Viewer:
    """Takes events for a connection, and never waits for it. `run` does."""

    def __init__(self, connection: Connection, *, chunked: bool) -> None:
        """`chunked` is the transfer coding of HTTP/1.1."""
        self._connection = connection
        self._fd = connection.socket.fileno()
        self._chunked = chunked
        self._waiting: deque[memoryview] = deque()
        self._finished = False
        self._told = trio.current_time()
        self._changed = trio.Event()

    def push(self, piece: bytes) -> None:
        """Take the next events."""
        parts = (b"%x\r\n" % len(piece), piece, b"\r\n") if self._chunked else (piece,)
        self._told = trio.current_time()
        if not piece or self._connection.gone:
            return
        if len(self._waiting) > MOST_WAITING * len(parts):
            self._connection.cut()
            return
        was_empty = not self._waiting
        self._waiting.extend(map(memoryview, parts))
        if was_empty:
            self._write()
            if self._waiting:
                self._changed.set()

    def finish(self) -> None:
        """Nothing more will come."""
        self._finished = True
        self._changed.set()

    async def run(self) -> None:
        """Until everything was told, or the viewer has left."""
        while not self._connection.gone:
            if self._waiting:
                with trio.move_on_after(STALLED) as patience:
                    try:
                        await trio.lowlevel.wait_writable(self._fd)
                    except trio.ClosedResourceError:
                        return
                if patience.cancelled_caught:
                    self._connection.cut()
                    return
                self._write()
            elif self._finished:
                return
            else:
                self._changed = trio.Event()
                with trio.move_on_at(self._told + HEARTBEAT) as calm:
                    await self._changed.wait()
                if calm.cancelled_caught and trio.current_time() >= self._told + HEARTBEAT:
                    self.push(_BEAT)

    def _write(self) -> None:
        """Write what the socket takes now."""
        waiting = self._waiting
        try:
            while waiting:
                written = os.writev(self._fd, [*waiting] if len(waiting) <= _MOST_PARTS else [*waiting][:_MOST_PARTS])
                while waiting and written >= len(waiting[0]):
                    written -= len(waiting.popleft())
                if written:
                    waiting[0] = waiting[0][written:]
        except BlockingIOError:
            pass
        except OSError:
            self._connection.cut()


_MOST_PARTS = 64
"""Parts that are written at once."""
