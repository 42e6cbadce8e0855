"""The referee processes of a ladder: started, fed, listened to, ended; one that dies is replaced."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import trio

from arena.sandbox.choice import sweep
from arena.sandbox.local import tree
from ladder.errors import LadderError

PATIENCE = 5.0
"""Seconds a worker has to end all its bots before it is killed."""

MOST_DEATHS = 5
"""Workers that may die in one run before it is given up."""


class Worker:
    """One referee process."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.mark = settings["mark"] + secrets.token_hex(4)
        # A session of its own: Ctrl-C is for the ladder, which tells its workers what to do. With the mark of the home, the next
        # ladder finds it if it outlives this one.
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ladder.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, tree.MARK: settings["mark"]},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.process.stdin as stdin, self.process.stdout as stdout:
            self.sink = trio.lowlevel.FdStream(os.dup(stdin.fileno()))
            self.source = trio.lowlevel.FdStream(os.dup(stdout.fileno()))
        self.playing: dict[str, int] = {}
        """The weight of each match it plays, by id."""
        self._outbox: list[bytes] = []
        self.say({**settings, "mark": self.mark})

    def __repr__(self) -> str:
        return f"<Worker {self.process.pid} with {len(self.playing)} matches>"

    @property
    def load(self) -> int:
        """The weight of all it plays."""
        return sum(self.playing.values())

    def say(self, message: Mapping[str, Any]) -> None:
        """Put a message into the outbox."""
        self._outbox.append(json.dumps(message).encode() + b"\n")

    async def flush(self) -> None:
        """Send what is in the outbox."""
        data, self._outbox = b"".join(self._outbox), []
        if data:
            with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                await self.sink.send_all(data)


class Crew:
    """All workers. Results come out of `results`, as (worker, answer); an answer of None says that the worker has died."""

    def __init__(self, nursery: trio.Nursery, jobs: int, settings: Mapping[str, Any]) -> None:
        self._nursery = nursery
        self._settings = settings
        self._deaths = 0
        self._sent, self.results = trio.open_memory_channel[tuple[Worker, dict[str, Any] | None]](10_000)
        self.workers = [self._start() for _ in range(jobs)]

    def _start(self) -> Worker:
        worker = Worker(self._settings)
        self._nursery.start_soon(self._listen, worker)
        return worker

    async def _listen(self, worker: Worker) -> None:
        data = bytearray()
        with contextlib.suppress(trio.ClosedResourceError):  # by `close`, which did not wait for us
            async for chunk in worker.source:
                data += chunk
                *lines, rest = data.split(b"\n")
                data = bytearray(rest)
                for line in lines:
                    await self._sent.send((worker, json.loads(line)))
        await self._sent.send((worker, None))

    def replace(self, worker: Worker) -> None:
        """Start another worker for one that has died, and end the bots it left. Raises `LadderError` if that happens too often."""
        self._deaths += 1
        code = worker.process.wait()
        sweep()
        tree.sweep(worker.mark)
        tree.end_strays({other.process.pid for other in self.workers})
        if self._deaths > MOST_DEATHS:
            raise LadderError(
                f"referee processes die again and again (the last one with status {code}); see its stderr"
            )
        self.workers[self.workers.index(worker)] = self._start()

    async def flush(self) -> None:
        """Send all that is in the outboxes."""
        for worker in self.workers:
            await worker.flush()

    async def close(self) -> None:
        """End all workers with their bots, at once."""
        for worker in self.workers:
            await worker.sink.aclose()
        with trio.move_on_after(PATIENCE):
            for worker in self.workers:
                while worker.process.poll() is None:
                    await trio.sleep(0.01)
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.kill()
                worker.process.wait()
            await worker.source.aclose()
