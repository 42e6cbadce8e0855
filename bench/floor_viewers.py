"""The floor for viewers: events for everybody who asks, by Starlette on Hypercorn as their manuals have it.

`python -m bench.floor_viewers FD` listens on a descriptor. Each line of stdin is an event, sent to all viewers.
"""

import sys
from collections.abc import AsyncIterator

import trio
from hypercorn.config import Config
from hypercorn.trio import serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

viewers: set[trio.MemorySendChannel[bytes]] = set()


async def events(request: Request) -> StreamingResponse:
    """All events from now on."""
    return StreamingResponse(_events(), media_type="text/event-stream")


async def _events() -> AsyncIterator[bytes]:
    sending, receiving = trio.open_memory_channel[bytes](100)
    viewers.add(sending)
    yield b"retry: 2000\n\n"
    async with receiving:
        async for event in receiving:
            yield event


async def _tell() -> None:
    async for line in trio.lowlevel.FdStream(0):
        for viewer in viewers:
            viewer.send_nowait(bytes(line) + b"\n\n")


async def _main() -> None:
    app = Starlette(routes=[Route("/{path:path}", events)])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_tell)
        config = Config()
        config.bind, config.errorlog = [f"fd://{sys.argv[1]}"], None
        await serve(app, config)  # type: ignore[arg-type]  # an application of ASGI


if __name__ == "__main__":
    trio.run(_main)
