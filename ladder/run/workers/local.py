"""The referee processes of a ladder: start them, exchange messages, end them, and replace any that dies."""

import os
import secrets
import time
from dataclasses import replace

import trio

from bullring.arena.cells.processes.kinds import REFEREE
from bullring.arena.cells.processes.with_trio import TrioChild, heard
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import clear_away, environment_of, our_children
from bullring.ladder.run.workers.crew import AnyCrew, Worker
from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import BEAT, Order, OrderWriter, Setup, answer_of

LOOK_EVERY = 5.0
"""Seconds between two looks at who has said nothing since the last one."""

SILENT = 12
"""Looks after which a referee process that has said nothing is killed: it would hold a run for ever. One with nothing to tell sends
a heartbeat every `outbox.BEAT_EVERY` seconds. Looks are counted, not seconds, because this process may have been stopped, too."""


class Referee(Worker):
    """A referee process of this machine. There is no bot that it cannot play: such a bot is benched before it is given to one."""

    def __init__(self, owner: Owner, core: int) -> None:
        super().__init__()
        self.core = core
        """The core that it owns, with its bots."""
        self.owner = replace(owner, name=owner.name + secrets.token_hex(4))
        # The environment marks the process as the ladder's, so that the next ladder finds it if it outlives this one.
        self.child = TrioChild(REFEREE, environment=environment_of(owner))
        self.name = f"referee process {self.child.pid}"
        os.sched_setaffinity(self.child.pid, {core})
        self.silent = 0
        """Looks since it has said something."""
        self._writer = OrderWriter()
        self._outbox: list[bytes] = []

    def begin(self, setup: Setup) -> None:
        """Queue the setup, which it waits for before it opens a sandbox."""
        self.say(replace(setup, owner=self.owner))

    def say(self, order: Order) -> None:
        """Queue an order; `flush` sends it."""
        self._outbox.append(self._writer.write(order))

    async def flush(self) -> None:
        """Send the queued orders."""
        data, self._outbox = b"".join(self._outbox), []
        if data:
            await self.child.send(data)


def referees(owner: Owner, jobs: int) -> list[Referee]:
    """Start so many referee processes, each on a core of its own as far as there are enough."""
    mine = cores()
    return [Referee(owner, mine[number % len(mine)]) for number in range(jobs)]


class LocalCrew(AnyCrew[Referee]):
    """Referee processes of this machine: a `Crew`."""

    def __init__(self, nursery: trio.Nursery, jobs: int, owner: Owner, *early: Referee) -> None:
        """`early` are as many that have been started for this owner; otherwise they are started now."""
        super().__init__(Failures(jobs))
        self._nursery = nursery
        self._owner = owner
        self._setup: Setup | None = None
        self._others = our_children()
        """Child processes that existed before and are not ours to end."""
        self.workers = list(early) or referees(owner, jobs)
        for worker in self.workers:
            nursery.start_soon(self._listen, worker)

    def begin(self, setup: Setup) -> None:
        """Begin to play, with this setup."""
        self._setup = setup
        self._others = our_children() - {worker.child.pid for worker in self.workers}
        for worker in self.workers:
            worker.begin(setup)
        self._nursery.start_soon(self._look)

    async def _listen(self, worker: Referee) -> None:
        async for message in heard(worker.child.tells):
            worker.silent = 0
            if message != BEAT:
                await self.take(worker, answer_of(message))
        await self.take(worker, None)

    async def _look(self) -> None:
        """Kill those that have said nothing for too long; they are then replaced as all that die."""
        while True:
            await trio.sleep(LOOK_EVERY)
            for worker in self.workers:
                worker.silent += 1
                if worker.silent > SILENT:
                    worker.child.kill()

    def lost(self, worker: Worker) -> str:
        assert isinstance(worker, Referee)
        how = worker.child.wait()
        self._clear_away(worker)
        self.failures.died(time.monotonic(), how)
        another = self.workers[self.workers.index(worker)] = Referee(self._owner, worker.core)
        if self._setup is not None:
            another.begin(self._setup)
        self._nursery.start_soon(self._listen, another)
        return f"it {how}"

    def _clear_away(self, worker: Referee) -> None:
        """End the bots that a dead worker has left."""
        clear_away(worker.owner.name, spare=self._others | {other.child.pid for other in self.workers})

    async def flush(self) -> None:
        """Send the queued orders of all workers."""
        for worker in self.workers:
            await worker.flush()

    async def close(self) -> None:
        """End all workers and their bots at once. May be called again."""
        workers, self.workers = self.workers, []
        async with trio.open_nursery() as nursery:
            for worker in workers:
                nursery.start_soon(worker.child.close)
        for worker in workers:
            if worker.child.status != 0:  # it has not ended its bots by itself
                self._clear_away(worker)
