"""Small programs in containers, for tests."""

import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from arena.sandbox.caps import Caps
from arena.sandbox.container.cell import ContainerCell
from arena.sandbox.container.engine import Engine, open_engine
from arena.sandbox.container.tier import Docker
from arena.sandbox.launch import PYTHON, Launch

PATIENCE = 60.0
"""Seconds after which a test is given up."""


@dataclass
class Ring:
    """An engine with the means to run programs in it."""

    engine: Engine
    docker: Docker
    folder: Path
    log: bytearray = field(default_factory=bytearray)
    """All that was written to stderr."""

    def launch(self, program: str, **changes: object) -> Launch:
        """How to run this Python program."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "bot.py").write_text(textwrap.dedent(program))
        settings: dict[str, object] = {
            "command": (PYTHON, "bot.py"),
            "folder": self.folder,
            "caps": Caps(),
            "mark": "test",
        }
        return Launch(**(settings | changes))  # type: ignore[arg-type]

    @asynccontextmanager
    async def running(self, program: str, **changes: object) -> AsyncIterator[ContainerCell]:
        """This Python program, until the block ends."""
        cell = await self.docker.start(self.launch(program, **changes), self.log.extend)
        try:
            yield cell
        finally:
            await cell.end()


def run(socket: Path, folder: Path, test: Callable[[Ring], Awaitable[None]]) -> None:
    """Run a test with an engine."""

    async def main() -> None:
        with trio.fail_after(PATIENCE):
            async with open_engine(socket) as engine, trio.open_nursery() as nursery:
                await test(Ring(engine, Docker(engine, nursery), folder / "bot"))
                nursery.cancel_scope.cancel()

    trio.run(main)


async def heard(cell: ContainerCell, size: int) -> bytes:
    """The next bytes of stdout; fewer if it ends."""
    got = b""
    while len(got) < size:
        await trio.lowlevel.wait_readable(cell.read_fd)
        try:
            data = cell.recv()
        except BlockingIOError:
            continue
        if not data:
            break
        got += data
    return got


async def all_heard(cell: ContainerCell) -> bytes:
    """All it says until its end."""
    return await heard(cell, 1 << 40)
