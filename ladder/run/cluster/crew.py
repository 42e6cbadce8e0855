"""The crew of a cluster as a run sees it: referee processes that come and go. Dask itself is in a child process (`bridge`)."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.cores import cores
from bullring.errors import LadderError
from bullring.ladder.run.cluster.cluster import Cluster, local_workers
from bullring.ladder.run.workers.crew import Paced, Worker
from bullring.ladder.run.workers.messages import (
    Answer,
    Block,
    Messages,
    Order,
    OrderWriter,
    Play,
    Setup,
    answer_of,
    framed,
)
from bullring.ladder.run.workers.troubles import Troubles

PROGRAM = (sys.executable, "-P", "-m", "bullring.ladder.run.cluster.bridge")

PATIENCE = 8.0
"""Seconds that the bridge gets to take leave of its nodes before it is killed. Without it they end by themselves, a lease later."""

_READ = 1 << 18

Tell = Callable[[str, str, Mapping[str, Any]], None]
"""Told the kind, the text and the facts of what people should know."""


class Remote(Paced):
    """A referee process on a node: a `Worker`."""

    def __init__(self, crew: "ClusterCrew", number: int, name: str) -> None:
        super().__init__()
        self._crew = crew
        self._number = number
        self.name = name
        self.playing: dict[int, Play] = {}
        self.unable: set[str] = set()
        """The names of bots that its node cannot run or build."""
        self.ended = ""
        """How it ended, once it has."""
        self._writer = OrderWriter()

    def __repr__(self) -> str:
        return f"<Remote {self.name} with {len(self.playing)} orders>"

    def say(self, order: Order) -> None:
        """Queue an order; `Crew.flush` sends it."""
        self._crew.outbox.append(framed("orders", self._number, self._writer.write(order)))


class ClusterCrew:
    """Referee processes of a cluster: a `Crew`."""

    def __init__(
        self, nursery: trio.Nursery, cluster: Cluster, setup: Setup, bots: Path, build: BuildLimits, tell: Tell
    ) -> None:
        """`bots` is the folder of the home's copies, `build` the limits of builds."""
        self.troubles = Troubles(0)
        self.workers: list[Remote] = []
        self.outbox: list[bytes] = []
        """Orders that are not sent yet."""
        self._tell = tell
        self._remotes: dict[int, Remote] = {}
        self._waiting = trio.CancelScope()
        self._sent, self._answers = trio.open_memory_channel[tuple[Remote, Answer | None]](1 << 16)
        self._failed = ""
        own = local_workers(cluster.address) is not None
        # A new session: Ctrl-C goes to the ladder alone, which tells its workers what to do.
        self._process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._process.stdin as stdin, self._process.stdout as stdout:
            self._sink = trio.lowlevel.FdStream(os.dup(stdin.fileno()))
            self._source = trio.lowlevel.FdStream(os.dup(stdout.fileno()))
        facts = {
            "address": cluster.address,
            "tls": dict(cluster.tls),
            "lease": cluster.lease,
            "mix": cluster.mix,
            "setup": OrderWriter().write(setup if own else replace(setup, key="", live="")),
            "key": setup.key,
            "bots": str(bots),
            "build": asdict(build),
            "checkers": len(cores()),
        }
        self.outbox.append(framed("begin", facts))
        nursery.start_soon(self._listen)

    async def _listen(self) -> None:
        buffer = Messages()
        with contextlib.suppress(trio.ClosedResourceError):  # by `close`, which does not wait for this task
            async for data in self._source:
                for kind, *rest in buffer.feed(bytes(data)):
                    await self._take(kind, *rest)
            self._failed = self._failed or "the program that speaks with the cluster has died; see above what it wrote"
            self.wake()

    async def _take(self, kind: str, *rest: Any) -> None:
        match kind:
            case "joined":
                number, name, _ = rest
                remote = self._remotes[number] = Remote(self, number, name)
                self.workers.append(remote)
                self.wake()
            case "gone":
                number, why = rest
                remote = self._remotes.pop(number)
                remote.ended = why
                await self._sent.send((remote, None))
            case "answer":
                number, body = rest
                if number in self._remotes:
                    remote, answer = self._remotes[number], answer_of(next(Messages().feed(body)))
                    if isinstance(answer, Block):
                        remote.answered(answer.matches, time.monotonic())
                    await self._sent.send((remote, answer))
            case "unable":
                number, bot = rest
                if number in self._remotes:
                    self._remotes[number].unable.add(bot)
            case "told":
                self._tell(*rest)
            case _:
                self._failed = rest[0]

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Worker, Answer | None]]:
        """Wait up to `wait` seconds for an answer, then collect those that arrive within `gather` seconds after it.

        Raises `LadderError` if the cluster cannot be used any more.
        """
        found = []
        with trio.move_on_after(wait) as self._waiting:
            found.append(await self._answers.receive())
            await trio.sleep(gather)
        while True:
            try:
                found.append(self._answers.receive_nowait())
            except trio.WouldBlock:
                break
        if self._failed and not found:
            raise LadderError(self._failed)
        return found

    def wake(self) -> None:
        """Let `answers` return at once."""
        self._waiting.cancel()

    def lost(self, worker: Worker) -> str:
        assert isinstance(worker, Remote)
        self.workers.remove(worker)
        return worker.ended

    def say(self, order: Order) -> None:
        """Queue an order for every worker."""
        for worker in self.workers:
            worker.say(order)

    async def flush(self) -> None:
        """Send the queued orders of all workers."""
        data, self.outbox = b"".join(self.outbox), []
        if data:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self._sink.send_all(data)

    async def close(self) -> None:
        """End all workers and their bots at once."""
        await self._sink.aclose()
        deadline = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < deadline:
            await trio.sleep(0.01)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        await self._source.aclose()
