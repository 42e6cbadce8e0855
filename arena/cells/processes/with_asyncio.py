"""Child processes in an asyncio loop, on both sides."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Self

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import CHUNK, Frames, framed
from bullring.arena.cells.processes.kinds import Kind


async def reader(source: int) -> tuple[asyncio.StreamReader, asyncio.ReadTransport]:
    """A descriptor as a stream, with the transport that owns it."""
    stream = asyncio.StreamReader(1 << 26)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(source, "rb", buffering=0)
    )
    return stream, transport


async def writer(sink: int) -> asyncio.StreamWriter:
    """A descriptor as a stream, which owns it."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(sink, "wb", buffering=0)
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)


async def heard(source: asyncio.StreamReader) -> AsyncIterator[list[Any]]:
    """The messages of a stream, until the other end is closed."""
    frames = Frames()
    while data := await source.read(CHUNK):
        for message in frames.feed(data):
            yield message


class AsyncioChild(Child):
    """A child process whose pipes are streams of asyncio, once it is connected. `start` makes it, and connects it."""

    told: asyncio.StreamWriter
    """The stream to it."""
    tells: asyncio.StreamReader
    """The stream from it, unless it has another stdout."""
    heard: AsyncIterator[list[Any]]
    """Its messages, unless it has another stdout."""
    _transport: asyncio.ReadTransport | None = None

    @classmethod
    async def start(cls, kind: Kind, *words: str, **more: Any) -> Self:
        """Start it like a `Child`."""
        child = cls(kind, *words, **more)
        await child.connect()
        return child

    async def connect(self) -> None:
        """Connect its pipes with the loop that runs now."""
        self.told, self.sink = await writer(self.sink), -1
        if self.source >= 0:
            self.tells, self._transport = await reader(self.source)
            self.source, self.heard = -1, heard(self.tells)

    async def send(self, *message: Any) -> None:
        """Send a message. If it has ended, `tells` says so."""
        with suppress(ConnectionError):
            self.told.write(framed(*message))
            await self.told.drain()

    async def close(self) -> None:
        """End it. It gets the time that its kind grants."""
        self.told.close()
        for seconds in self.ending():
            await asyncio.sleep(seconds)
        if self._transport is not None:
            self._transport.close()
