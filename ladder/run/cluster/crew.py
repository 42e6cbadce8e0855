"""The crew of a cluster as a run sees it: referee processes that come and go. Dask itself is in a child process (`bridge`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.cells.processes.kinds import BRIDGE
from bullring.arena.cells.processes.with_trio import TrioChild, heard
from bullring.arena.cells.sandbox.cores import cores
from bullring.errors import LadderError
from bullring.ladder.run.cluster.cluster import Cluster, local_workers
from bullring.ladder.run.workers.crew import AnyCrew, Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import Answer, Order, OrderWriter, Setup, answer_of

Tell = Callable[[str, str, Mapping[str, Any]], None]
"""Told the kind, the text and the facts of what people should know."""


class Remote(Worker):
    """A referee process on a node."""

    def __init__(self, crew: "ClusterCrew", number: int, name: str) -> None:
        super().__init__()
        self._crew = crew
        self._number = number
        self.name = name
        self.ended = ""
        """The description of its end, once it has ended."""
        self._writer = OrderWriter()

    def say(self, order: Order) -> None:
        """Queue an order; `Crew.flush` sends it."""
        self._crew.outbox.append(framed("orders", self._number, self._writer.write(order)))


class ClusterCrew(AnyCrew[Remote]):
    """Referee processes of a cluster: a `Crew`."""

    def __init__(self, nursery: trio.Nursery, cluster: Cluster, bots: Path, build: BuildLimits, tell: Tell) -> None:
        """`bots` is the folder of the home's copies, `build` the limits of builds."""
        super().__init__(Failures(0))
        self.outbox: list[bytes] = []
        """Orders that are not sent yet."""
        self._cluster, self._bots, self._build = cluster, bots, build
        self._tell = tell
        self._remotes: dict[int, Remote] = {}
        self._failed = ""
        here = local_workers(cluster.address)
        self._child = TrioChild(BRIDGE, *([str(here)] if here else []))
        nursery.start_soon(self._listen)

    def begin(self, setup: Setup) -> None:
        """Begin to play, with this setup."""
        cluster = self._cluster
        own = local_workers(cluster.address) is not None
        facts = {
            "address": cluster.address,
            "tls": dict(cluster.tls),
            "lease": cluster.lease,
            "mix": cluster.mix,
            "setup": OrderWriter().write(setup if own else replace(setup, key="", live="")),
            "key": setup.key,
            "bots": str(self._bots),
            "build": asdict(self._build),
            "checkers": len(cores()),
        }
        self.outbox.append(framed("begin", facts))

    async def _listen(self) -> None:
        async for kind, *rest in heard(self._child.tells):
            await self._take(kind, *rest)
        self._failed = (
            self._failed or f"{self._child.kind.name} {self._child.wait()}; see above what it wrote to stderr"
        )
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
                await self.take(remote, None)
            case "answer":
                number, body = rest
                if number in self._remotes:
                    await self.take(self._remotes[number], answer_of(next(Frames().feed(body))))
            case "unable":
                number, bot = rest
                if number in self._remotes:
                    self._remotes[number].unable.add(bot)
            case "told":
                self._tell(*rest)
            case _:
                self._failed = rest[0]

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Remote, Answer | None]]:
        """Take answers like `AnyCrew.answers`. Raises `LadderError` if the cluster cannot be used any more."""
        found = await super().answers(wait, gather)
        if self._failed and not found:
            raise LadderError(self._failed)
        return found

    def lost(self, worker: Worker) -> str:
        assert isinstance(worker, Remote)
        self.workers.remove(worker)
        return worker.ended

    async def flush(self) -> None:
        """Send the queued orders of all workers."""
        data, self.outbox = b"".join(self.outbox), []
        if data:
            await self._child.send(data)

    async def close(self) -> None:
        """End all workers and their bots at once."""
        await self._child.close()
