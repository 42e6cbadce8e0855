"""A scheduler, or nodes of one, for programs that measure clusters: `python -m bench.nodes scheduler`, `... real ADDRESS 2 0.05`.

Each prints one line once it is ready (the scheduler its address), and ends with stdin. Nodes are Dask workers in one process, with
one referee process each (`real`), or with bots that sleep (`sleeping`, see `sleepers`).
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import distributed
from distributed.comm.addressing import get_address_host_port
from distributed.comm.tcp import BaseTCPListener

from bench.relay import relayed
from bullring.ladder.run.cluster.pinned import pin


async def scheduler() -> None:
    """Be a scheduler."""
    async with distributed.Scheduler(
        host="127.0.0.1", port=0, dashboard=False, dashboard_address="127.0.0.1:0"
    ) as here:
        print(here.address, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def join(address: str, nodes: int, delay: float) -> None:
    """Be so many nodes of a scheduler, which everybody else reaches by a relay that makes round trips take `delay` seconds."""
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
    """This program in a process of its own, and the line that it prints."""
    command = [sys.executable, "-m", "bench.nodes", *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    """Be what the arguments say."""
    pin()
    kind, *rest = sys.argv[1:]
    if kind == "scheduler":
        asyncio.run(scheduler())
        return
    if kind == "sleeping":
        from bench.sleepers import simulate

        simulate()
    address, nodes, delay = rest
    asyncio.run(join(address, int(nodes), float(delay)))


if __name__ == "__main__":
    main()
