"""The process behind an adviser: it is sent questions, and answers with thoughts.

`@strong` advises if it has been built before, else `@montecarlo`, which is ready within a moment: building takes a minute or two,
and needs numba. Whoever advises first goes on to the end of the match, so numbers of two turns can be compared. The bots are ours,
so they are run as they are, without a sandbox. But like all bots they import nothing of Bullring, so they cannot speak as its child
processes do (`arena.cells.processes`): they write lines of JSON.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.bots import builtin
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.processes.frames import tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.processes.with_trio import heard
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import BullringError

BEST = "strong"
QUICKLY = "montecarlo"
"""Ready at once, in every Python."""

PATIENT = 10.0
"""Seconds for which a first hint waits for the best bot to be ready."""

NICE = 10
"""Hints must not cost the bots at the table their time."""

_NO_THOUGHTS: dict[str, Any] = {"thoughts": [], "best": None, "playouts": 0}
_CHUNK = 65_536


@dataclass
class Thinker:
    """A running bot that tells its thoughts, in lines of JSON."""

    name: str
    process: trio.Process
    asked: deque[dict[str, Any]] = field(default_factory=deque)
    """The questions that it has not answered yet."""

    async def ask(self, question: dict[str, Any]) -> None:
        """Hand it a question. If it is gone, `Advising.start` finds the question in `asked`."""
        self.asked.append(question)
        assert self.process.stdin is not None
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self.process.stdin.send_all(json.dumps(question).encode() + b"\n")


class Advising:
    """Gives all questions to one thinker, the best that there is at the first one; to another one only if that ends."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._thinkers: list[Thinker] = []
        """Those that are ready, the best one last."""
        self._adviser: Thinker | None = None
        self._settled = trio.Event()
        """Whether the best one is ready, or will not be for a while."""

    async def ask(self, question: dict[str, Any]) -> None:
        """Find thoughts about a question, and write them when they come."""
        with trio.move_on_after(PATIENT):
            await self._settled.wait()
        if self._adviser not in self._thinkers:
            self._adviser = self._thinkers[-1] if self._thinkers else None
        if self._adviser is not None:
            await self._adviser.ask(question)
        else:
            self.say(question, "", _NO_THOUGHTS)

    async def start(
        self, name: str, folder: Path, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Start the bot in this folder; it is asked as soon as it is ready, as long as it runs."""
        process = await trio.lowlevel.open_process(
            [sys.executable, "thoughts.py"],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        thinker = Thinker(name, process)
        try:
            async for facts in _lines(process.stdout):
                if "ready" in facts:
                    self._thinkers.append(thinker)
                    self._thinkers.sort(key=lambda one: one.name == BEST)
                    if name == BEST:
                        self._settled.set()
                    task_status.started()
                else:
                    self.say(thinker.asked.popleft(), f"@{name}", facts)
        finally:
            process.kill()
        if thinker in self._thinkers:
            self._thinkers.remove(thinker)
        for question in thinker.asked:
            await self.ask(question)

    async def start_the_best(self) -> None:
        """Build the best bot, if that has not been done, and start it. Nobody waits for its being built."""
        try:
            await self._start_the_best()
        finally:
            self._settled.set()

    async def _start_the_best(self) -> None:
        if importlib.util.find_spec("numba") is None or os.environ.get("BULLRING_COMPILE") == "0":
            return
        folder = None
        try:
            async with open_sandbox(Wish("none", allow_unsandboxed=True, freeze=False, proven=False)) as sandbox:
                (bot,) = await built_here([load(f"@{BEST}")], sandbox, BuildLimits(), lambda _: self._settled.set())
                folder = bot.program.folder
        except* BullringError:
            pass  # it cannot be built here: the other one goes on
        if folder is not None:
            await self.start(BEST, folder)

    def say(self, question: dict[str, Any], by: str, facts: dict[str, Any]) -> None:
        """Send thoughts about a question."""
        tell(self._sink, "thoughts", {"id": question["id"], "by": by, **facts})


async def _lines(stream: Any) -> AsyncIterator[dict[str, Any]]:
    rest = b""
    while data := await stream.receive_some(_CHUNK):
        *whole, rest = (rest + data).split(b"\n")
        for line in whole:
            yield json.loads(line)


async def main(source: int, sink: int) -> None:
    """Advise until the other end is closed."""
    async with trio.lowlevel.FdStream(source) as stream, trio.open_nursery() as nursery:
        advising = Advising(sink)
        await nursery.start(partial(advising.start, QUICKLY, builtin.folder(QUICKLY)))
        nursery.start_soon(advising.start_the_best)
        async for _, question in heard(stream):
            await advising.ask(question)
        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    os.nice(NICE)
    trio.run(main, *ends())
