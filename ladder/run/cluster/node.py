"""The actor on a Dask worker: starts the host of the node, and passes bytes to it and from it, whatever they mean.

It is called by a run's bridge. Every call may be repeated when an answer was lost on the way: bytes are counted in both
directions, so none is passed on twice and none is lost. A node that its bridge has forgotten ends its host by itself.
"""

import asyncio
import contextlib
import time

from bullring.arena.cells.processes.frames import CHUNK
from bullring.arena.cells.processes.kinds import HOST
from bullring.arena.cells.processes.with_asyncio import AsyncioChild

GATHER = 0.1
"""Seconds for which messages of the host are collected, after the first bytes: its referee processes answer at different times.
Referee processes have more than that in advance."""

ENOUGH = 1 << 18
"""Bytes that are passed on at once."""


class Node:
    """A node of a run."""

    def __init__(self, lease: float) -> None:
        """It ends once it has not been called for `lease` seconds."""
        self._lease = lease
        self._heard = time.monotonic()
        self._host: AsyncioChild | None = None
        self._said = 0
        """Bytes that were passed to the host."""
        self._kept = bytearray()
        """Bytes of the host that the bridge has not confirmed."""
        self._before = 0
        """Bytes of the host before those."""
        self._came = asyncio.Event()
        self._over = False
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None
        self._saying: asyncio.Lock

    async def open(self) -> None:
        """Start the host. Raises `OSError`."""
        if self._host is None:
            self._saying = asyncio.Lock()
            self._host = await AsyncioChild.start(HOST)
            self._tasks = [asyncio.create_task(self._read(self._host)), asyncio.create_task(self._watch())]

    async def say(self, at: int, data: bytes) -> None:
        """Pass bytes to the host; `at` counts those before them. Raises `OSError` if the host has ended."""
        self._heard = time.monotonic()
        assert self._host is not None
        async with self._saying:
            new = data[self._said - at :]
            self._said += len(new)
            self._host.told.write(new)
            await self._host.told.drain()

    async def hear(self, at: int, wait: float) -> bytes | None:
        """The bytes of the host after the first `at`, which are forgotten; waits for some. None if it has ended."""
        self._heard = time.monotonic()
        done = at - self._before
        if done < 0:
            return b""  # an old call that was held up on its way: nobody waits for its answer
        del self._kept[:done]
        self._before = at
        if not self._kept and not self._over:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._came.wait(), wait)
                if len(self._kept) < ENOUGH:
                    await asyncio.sleep(GATHER)
        self._heard = time.monotonic()
        if not self._kept and self._over:
            return None
        self._came.clear()
        return bytes(self._kept[: ENOUGH * 16])

    async def close(self) -> None:
        """End the host, which ends everything of its own."""
        if self._host is not None and self._ending is None:
            self._ending = asyncio.create_task(self._host.close())

    async def _read(self, host: AsyncioChild) -> None:
        while data := await host.tells.read(CHUNK):
            self._kept += data
            self._came.set()
        self._over = True
        self._came.set()
        await host.close()

    async def _watch(self) -> None:
        while not self._over:
            await asyncio.sleep(self._lease / 4)
            if time.monotonic() - self._heard > self._lease:
                await self.close()
                return
