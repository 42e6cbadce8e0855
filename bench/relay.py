"""A relay on this machine that holds up what passes: a network with a delay, where the kernel cannot make one."""

import asyncio
from dataclasses import dataclass, field


@dataclass
class Relay:
    """A relay at work."""

    server: asyncio.Server
    behind: "asyncio.Future[int]"
    """The port to which it passes connections on, once that is known."""
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def port(self) -> int:
        """The address on which it listens."""
        port: int = self.server.sockets[0].getsockname()[1]
        return port


async def relayed(delay: float) -> Relay:
    """A relay on the loopback, which holds up every byte by `delay` seconds, in both directions."""

    async def passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", await relay.behind)
        for source, sink in ((reader, there[1]), (there[0], writer)):
            task = asyncio.create_task(_pass(source, sink, delay))
            relay.tasks.add(task)
            task.add_done_callback(relay.tasks.discard)

    relay = Relay(await asyncio.start_server(passed, "127.0.0.1", 0), asyncio.get_running_loop().create_future())
    return relay


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter, delay: float) -> None:
    """Pass bytes on until they end. What is on its way does not hold up what comes after it."""
    loop = asyncio.get_running_loop()

    def write(data: bytes) -> None:
        if data:
            sink.write(data)
        else:
            sink.close()

    while True:
        try:
            data = await source.read(1 << 16)
        except OSError:
            data = b""
        loop.call_later(delay, write, data)
        if not data:
            return
