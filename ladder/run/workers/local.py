"""The referee processes of a ladder: start them, exchange messages, end them, and replace any that dies."""

import contextlib
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

import trio

from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.sandbox.first_process import name
from bullring.arena.cells.sandbox.leftovers import clear_away, environment_of, our_children
from bullring.ladder.run.workers.crew import Paced, Worker
from bullring.ladder.run.workers.desk import BEAT
from bullring.ladder.run.workers.messages import Answer, Block, Messages, Order, OrderWriter, Play, Setup, answer_of
from bullring.ladder.run.workers.troubles import Troubles

PATIENCE = 2.0
"""Seconds a worker gets to end all its bots before it is killed. It ends them side by side, in half a second."""

LOOK_EVERY = 5.0
"""Seconds between two looks at who has said nothing since the last one."""

SILENT = 12
"""Looks after which a referee process that has said nothing is killed: it would hold a run for ever. One that lives and has nothing
to tell says so every `desk.BEAT_EVERY` seconds. Looks are counted, not seconds, because this process may have been stopped, too."""

PROGRAM = (sys.executable, "-P", "-m", "bullring.ladder.run.workers.worker")
"""With -P, modules are never imported from the working folder, which may hold anything."""


class Referee(Paced):
    """One referee process: a `Worker`."""

    def __init__(self, setup: Setup, core: int) -> None:
        super().__init__()
        self.core = core
        """The core that it owns, with its bots."""
        self.owner = replace(setup.owner, name=setup.owner.name + secrets.token_hex(4))
        # A new session: Ctrl-C goes to the ladder alone, which tells its workers what to do. The environment marks the process
        # as the ladder's, so that the next ladder finds it if it outlives this one.
        self.process = subprocess.Popen(
            PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **environment_of(setup.owner)},
        )
        os.sched_setaffinity(self.process.pid, {core})
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.process.stdin as stdin, self.process.stdout as stdout:
            self.sink = trio.lowlevel.FdStream(os.dup(stdin.fileno()))
            self.source = trio.lowlevel.FdStream(os.dup(stdout.fileno()))
        self.playing: dict[int, Play] = {}
        """The orders that it has not answered, by id."""
        self.silent = 0
        """Looks since it has said something."""
        self.unable = ()
        """None: a bot that cannot run or be built on this machine is benched before it is given to anybody."""
        self._writer = OrderWriter()
        self._outbox: list[bytes] = []
        self.say(replace(setup, owner=self.owner))

    @property
    def name(self) -> str:
        return f"referee process {self.process.pid}"

    def __repr__(self) -> str:
        return f"<Referee {self.process.pid} with {len(self.playing)} orders>"

    def say(self, order: Order) -> None:
        """Queue an order; `flush` sends it."""
        self._outbox.append(self._writer.write(order))

    async def flush(self) -> None:
        """Send the queued orders."""
        data, self._outbox = b"".join(self._outbox), []
        if data:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self.sink.send_all(data)


class LocalCrew:
    """Referee processes of this machine: a `Crew`."""

    def __init__(self, nursery: trio.Nursery, jobs: int, setup: Setup) -> None:
        self._nursery = nursery
        self._setup = setup
        self.troubles = Troubles(jobs)
        self._others = our_children()
        """Child processes that existed before and are not ours to end."""
        self._sent, self._answers = trio.open_memory_channel[tuple[Referee, Answer | None]](10_000)
        self._waiting = trio.CancelScope()
        mine = cores()
        self.workers = [self._start(mine[number % len(mine)]) for number in range(jobs)]
        nursery.start_soon(self._look)

    def _start(self, core: int) -> Referee:
        worker = Referee(self._setup, core)
        self._nursery.start_soon(self._listen, worker)
        return worker

    async def _listen(self, worker: Referee) -> None:
        messages = Messages()
        with contextlib.suppress(trio.ClosedResourceError):  # by `close`, which does not wait for this task
            async for data in worker.source:
                worker.silent = 0
                for message in messages.feed(bytes(data)):
                    if message != BEAT:
                        answer = answer_of(message)
                        if isinstance(answer, Block):
                            worker.answered(answer.matches, time.monotonic())
                        await self._sent.send((worker, answer))
        await self._sent.send((worker, None))

    async def _look(self) -> None:
        """Kill those that have said nothing for too long; they are then replaced as all that die."""
        while True:
            await trio.sleep(LOOK_EVERY)
            for worker in self.workers:
                worker.silent += 1
                if worker.silent > SILENT:
                    worker.process.kill()

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Referee, Answer | None]]:
        """Wait up to `wait` seconds for an answer, then collect those that arrive within `gather` seconds after it."""
        found = []
        with trio.move_on_after(wait) as self._waiting:
            found.append(await self._answers.receive())
            await trio.sleep(gather)
        while True:
            try:
                found.append(self._answers.receive_nowait())
            except trio.WouldBlock:
                return found

    def wake(self) -> None:
        """Let `answers` return at once."""
        self._waiting.cancel()

    def lost(self, worker: Worker) -> str:
        assert isinstance(worker, Referee)
        code = worker.process.wait()
        self._clear_away(worker)
        self.troubles.died(time.monotonic(), code)
        self.workers[self.workers.index(worker)] = self._start(worker.core)
        return f"killed by {name(-code)}" if code < 0 else f"exited with status {code}"

    def _clear_away(self, worker: Referee) -> None:
        """End the bots that a dead worker has left."""
        clear_away(worker.owner.name, spare=self._others | {other.process.pid for other in self.workers})

    def say(self, order: Order) -> None:
        """Queue an order for every worker."""
        for worker in self.workers:
            worker.say(order)

    async def flush(self) -> None:
        """Send the queued orders of all workers."""
        for worker in self.workers:
            await worker.flush()

    async def close(self) -> None:
        """End all workers and their bots at once."""
        for worker in self.workers:
            await worker.sink.aclose()
        with trio.move_on_after(PATIENCE):
            for worker in self.workers:
                while worker.process.poll() is None:
                    await trio.sleep(0.01)
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.kill()
            if worker.process.wait() != 0:  # it has not ended its bots by itself
                self._clear_away(worker)
            await worker.source.aclose()
