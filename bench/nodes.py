"""A scheduler, or nodes of one, for programs that measure clusters: `python -m bench.nodes scheduler`, `... ADDRESS 2 0.05`.

Each prints one line once it is ready (the scheduler its address), and ends with stdin. Nodes are Dask workers in one process, with
one referee process each; a relay holds up what passes between them and everything else, like a network with a delay.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import distributed
from distributed.comm.addressing import get_address_host_port
from distributed.comm.tcp import BaseTCPListener

from bullring.ladder.run.cluster.dask_workers import pin


@dataclass
class Relay:
    """A relay at work."""

    server: asyncio.Server
    behind: "asyncio.Future[int]"
    """The port to which it passes connections on, once that is known."""
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def port(self) -> int:
        """The port on which it listens."""
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


async def scheduler() -> None:
    """Be a scheduler."""
    async with distributed.Scheduler(
        host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0"
    ) as here:
        print(here.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def join(address: str, nodes: int, delay: float) -> None:
    """Be nodes of a scheduler, which everything else reaches by a relay that makes round trips take `delay` seconds."""
    relays = [await relayed(delay / 2) for _ in range(nodes)] if delay else []
    workers = [
        distributed.Worker(
            address,
            nthreads=1,
            memory_limit=0,
            dashboard=False,
            host="127.0.0.1",
            contact_address=f"tcp://127.0.0.1:{relays[number].port}" if relays else None,
        )
        for number in range(nodes)
    ]
    await asyncio.gather(*workers)
    for worker, relay in zip(workers, relays, strict=False):
        assert isinstance(worker.listener, BaseTCPListener)
        _, port = get_address_host_port(worker.listener.listen_address)
        relay.behind.set_result(port)
    print("joined", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await asyncio.gather(*[worker.close() for worker in workers])


@contextmanager
def started(*arguments: object) -> Iterator[str]:
    """A module in a process of its own, and the line that it prints."""
    command = [sys.executable, "-m", *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Be a scheduler, or nodes."""
    pin()
    if sys.argv[1] == "scheduler":
        asyncio.run(scheduler())
    else:
        asyncio.run(join(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))


if __name__ == "__main__":
    main()
