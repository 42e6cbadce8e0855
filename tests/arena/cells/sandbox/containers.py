"""Small programs in containers, for tests."""

import os
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import trio

from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.container.attached import ContainerCell
from bullring.arena.cells.sandbox.container.engine import Engine, open_engine
from bullring.arena.cells.sandbox.container.sandbox import DockerSandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import PYTHON, Program
from tests.support.patience import PATIENCE

OWNER = f"test-{os.getpid()}"
"""Whose the containers are: by it a test finds its own among those of others."""


@dataclass
class Ring:
    """An engine with the means to run programs in it."""

    engine: Engine
    docker: DockerSandbox
    folder: Path
    log: bytearray = field(default_factory=bytearray)
    """All that was written to stderr."""

    def launch(self, program: str, **changes: object) -> Program:
        """How to run this Python program."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "bot.py").write_text(textwrap.dedent(program))
        settings: dict[str, object] = {
            "command": (PYTHON, "bot.py"),
            "folder": self.folder,
            "caps": Caps(),
        }
        return Program(**(settings | changes))  # type: ignore[arg-type]

    @asynccontextmanager
    async def running(self, program: str, **changes: object) -> AsyncIterator[ContainerCell]:
        """This Python program, until the block ends."""
        cell = await self.docker.start(self.launch(program, **changes), self.log.extend)
        try:
            yield cell
        finally:
            await cell.end()


def run(socket: Path, folder: Path, test: Callable[[Ring], Awaitable[None]], *, hidden: Sequence[str] = ()) -> None:
    """Run a test with an engine. What is `hidden` in the bot's folder no program may see."""
    bot = folder / "bot"
    owner = Owner(OWNER, tuple(bot / name for name in hidden))

    async def main() -> None:
        with trio.fail_after(PATIENCE):
            async with open_engine(socket) as engine, trio.open_nursery() as nursery:
                await test(Ring(engine, DockerSandbox(engine, nursery, owner), bot))
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
