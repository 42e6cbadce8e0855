"""A stage: a sandbox of some tier with the means to run small Python programs in it."""

import os
import textwrap
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.cell import Cell, Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import first_error
from tests.support.coroutines import Test, made
from tests.support.patience import PATIENCE
from tests.support.tiers import in_each

OWNER = f"test-{os.getpid()}"
"""The owner of the programs: by it a test finds its own containers among those of others."""


@dataclass
class Stage:
    """A sandbox of the tier, and a folder for a bot."""

    tier: str
    sandbox: Sandbox
    folder: Path
    log: bytearray = field(default_factory=bytearray)
    """All that was written to stderr."""
    exit: str = ""
    """The end of the last program whose `output` was read."""

    @property
    def docker(self) -> Any:
        """The sandbox, where it is one of an engine's."""
        return self.sandbox

    @property
    def engine(self) -> Any:
        return self.docker._engine

    def program(self, text: str, **changes: Any) -> Program:
        """This Python program, written to the folder."""
        self.folder.mkdir(exist_ok=True)
        (self.folder / "bot.py").write_text(textwrap.dedent(text))
        return Program(**{"command": (PYTHON, "bot.py"), "folder": self.folder, **changes})

    @asynccontextmanager
    async def running(self, text: str, caps: Caps | None = None, **changes: Any) -> AsyncIterator[Cell]:
        """Run this Python program until the block ends."""
        cell = await self.sandbox.start(self.program(text, caps=caps or Caps(), **changes), self.log.extend)
        try:
            yield cell
        finally:
            await cell.end()

    async def output(self, text: str, caps: Caps | None = None, **changes: Any) -> str:
        """All that it prints, or else its log."""
        async with self.running(text, caps, **changes) as cell:
            said = await hear(cell)
            await cell.wait()
            self.exit = cell.exit_text()
        return said or self.log.decode()


async def hear(cell: Cell, until: bytes = b"\0\0", size: int = 1 << 40) -> str:
    """Read its output until it ends, these bytes have come, or this number of bytes has."""
    data = b""
    while until not in data and len(data) < size:
        await trio.lowlevel.wait_readable(cell.read_fd)
        try:
            more = cell.recv()
        except BlockingIOError:
            continue
        if not more:
            break
        data += more
    return data.decode()


def on_stage(
    tier: str, folder: Path, test: Callable[[Stage], Awaitable[None]], *, hidden: Sequence[str] = (), **wishes: Any
) -> None:
    """Run a test in a tier. What is `hidden` in the bot's folder no program may see."""
    bot = folder / "bot"
    owner = Owner(OWNER, tuple(bot / name for name in hidden))

    async def main() -> None:
        with trio.fail_after(PATIENCE):
            async with open_sandbox(Wish(tier, allow_unsandboxed=True, proven=False, **wishes), owner) as sandbox:
                await test(Stage(tier, sandbox, bot))

    try:
        trio.run(main)
    except BaseExceptionGroup as group:
        raise first_error(group) from None


def staged(
    *tiers: str, slow: Collection[str] = (), hidden: Sequence[str] = (), **wishes: Any
) -> Callable[[Test], Callable[..., None]]:
    """Make a test of a coroutine, which gets a stage in each of these tiers; in those that are `slow` only with `make slow`."""

    def run(test: Callable[[Stage], Awaitable[None]], tier: str, folder: Path) -> None:
        on_stage(tier, folder, test, hidden=hidden, **wishes)

    return lambda test: in_each(*tiers, slow=slow)(made(test, (Stage,), run, "tier", "tmp_path"))
