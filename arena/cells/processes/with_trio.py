"""Child processes in a trio loop, on both sides."""

from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import trio

from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import CHUNK, Frames
from bullring.arena.cells.processes.kinds import Kind


async def heard(source: trio.abc.ReceiveStream) -> AsyncGenerator[list[Any], None]:
    """The messages of a stream, until the other end or this one is closed."""
    frames = Frames()
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        while data := await source.receive_some(CHUNK):
            for message in frames.feed(bytes(data)):
                yield message


class TrioChild(Child):
    """A child process whose pipes are streams of trio."""

    def __init__(self, kind: Kind, *words: str, **more: Any) -> None:
        """Start it like a `Child`."""
        super().__init__(kind, *words, **more)
        self.told, self.tells = trio.lowlevel.FdStream(self.sink), trio.lowlevel.FdStream(self.source)
        """The streams to it and from it."""
        self.sink = self.source = -1

    async def send(self, data: bytes) -> None:
        """Send encoded messages. If it has ended, `tells` says so."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.told.send_all(data)

    async def close(self) -> None:
        """End it. It gets the time that its kind grants."""
        await self.told.aclose()
        for seconds in self.ending():
            await trio.sleep(seconds)
        await self.tells.aclose()
