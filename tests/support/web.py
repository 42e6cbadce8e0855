"""A web server in the loop of a test, and viewers that speak HTTP by hand."""

import re
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import trio

from bullring.arena.watching.web.app import Shown, application
from bullring.arena.watching.web.connections import RESTING, Doorkeeper
from tests.support.coroutines import Test, made
from tests.support.patience import PATIENCE


def in_trio(test: Test) -> Callable[..., None]:
    """Make a test of a coroutine of trio."""
    return made(test, (), trio.run)


@dataclass
class Answer:
    """What a server has answered."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Served:
    """A server that listens."""

    shown: Shown
    port: int
    inside: Doorkeeper | None = None
    """Its door, if it serves in this process."""

    async def connect(self) -> trio.SocketStream:
        """A connection to it."""
        return await trio.open_tcp_stream("127.0.0.1", self.port)

    async def sends(self, data: bytes) -> bytes:
        """Everything that it answers to these bytes until it closes the connection."""
        async with await self.connect() as stream:
            await stream.send_all(data)
            return await everything(stream)

    async def asks(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """Its answer to a request, after which the connection is closed."""
        lines = {"Host": "localhost", "Connection": "close"} | {
            key.replace("_", "-"): value for key, value in headers.items()
        }
        head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
        return parsed(await self.sends(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode()))

    @asynccontextmanager
    async def watches(self, path: str, last: str = "") -> AsyncIterator["Watching"]:
        """A viewer of events."""
        async with await self.connect() as stream:
            more = f"Last-Event-ID: {last}\r\n" if last else ""
            await stream.send_all(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
            yield Watching(stream)


class Watching:
    """A viewer: events as they come."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self.read = b""
        """All bytes that have come."""
        self._taken = 0

    async def event(self) -> tuple[str, str, str] | None:
        """The next event: its id, kind and data; None if the stream ends."""
        while True:
            events = re.findall(rb"(?:id: (.*)\n)?event: (.*)\ndata: (.*)\n\n", unchunked(self.read))
            if len(events) > self._taken:
                self._taken += 1
                id, kind, data = events[self._taken - 1]
                return id.decode(), kind.decode(), data.decode()
            if self.read.endswith(b"0\r\n\r\n"):
                return None
            with trio.fail_after(PATIENCE):
                try:
                    came = await self.stream.receive_some()
                except trio.BrokenResourceError:
                    return None
            if not came:
                return None
            self.read += came

    async def status(self) -> int:
        """That of the answer; 0 if there is none."""
        while b"\r\n" not in self.read:
            data = await self.stream.receive_some()
            if not data:
                return 0
            self.read += data
        return int(self.read.split()[1])

    def forget(self) -> None:
        """Forget what was read, all of which was taken."""
        self.read, self._taken = b"\r\n\r\n", 0

    async def until(self, kind: str) -> list[tuple[str, str, str]]:
        """The next events up to one of this kind."""
        found = []
        while (event := await self.event()) is not None:
            found.append(event)
            if event[1] == kind:
                return found
        raise AssertionError(f"the stream ended before {kind}: {found}")


async def everything(stream: trio.SocketStream) -> bytes:
    """All bytes of a stream until the other end closes it."""
    read = b""
    with trio.fail_after(PATIENCE):
        try:
            async for data in stream:
                read += data
        except trio.BrokenResourceError:
            pass
    return read


def parsed(data: bytes) -> Answer:
    """An answer in bytes."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {key.lower(): value for key, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split()[1]), headers, body)


def unchunked(data: bytes) -> bytes:
    """The body of an answer in chunks, as far as it has come."""
    body = data.partition(b"\r\n\r\n")[2]
    found = b""
    while True:
        size, line_end, rest = body.partition(b"\r\n")
        if not line_end or len(rest) < int(size, 16) or not int(size, 16):
            return found
        found += rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]


@asynccontextmanager
async def serving(shown: Shown, *, most: int = 1000, resting: float = RESTING) -> AsyncIterator[Served]:
    """Serve inside."""
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        async with trio.open_nursery() as nursery:
            doorkeeper = Doorkeeper(application(shown), most, resting)  # type: ignore[arg-type]  # both are ASGI
            shown.known.set()
            nursery.start_soon(doorkeeper.serve, [listener])
            yield Served(shown, listener.getsockname()[1], doorkeeper)
            nursery.cancel_scope.cancel()


def folder_with(folder: Path, **files: str) -> Path:
    """The folder, with these pages."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
