"""The workers of a run as it sees them, wherever they are, and how much they are given in advance."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from math import ceil, inf
from typing import Generic, Protocol, TypeVar

import trio

from bullring.ladder.run.workers.failures import Failures
from bullring.ladder.run.workers.messages import Answer, Block, Order, Play, Setup

AHEAD = 64
"""Matches of quick bots that a worker is given in advance, at least. It plays a few of them side by side (`lanes`)."""

MOST_AHEAD = 1024
"""The most matches of quick bots that a worker is given in advance."""

AHEAD_FOR = 1.0
"""Seconds for which what it is given in advance should last, at the rate at which it plays: it never waits while results are
collected or a round trip lasts, and not much is lost with it if it dies."""


class Worker:
    """A worker, which takes orders: a referee process, here or on a node of a cluster."""

    name: str
    """Its name, for people: "referee process 4711"."""

    def __init__(self) -> None:
        self.playing: dict[int, Play] = {}
        """The orders that it has not answered, by id."""
        self.unable: set[str] = set()
        """The names of bots that it cannot play, because its machine cannot run or build them."""
        self.ahead = AHEAD
        """The most matches of quick bots to give it in advance, so that it never waits for the ladder."""
        self._since = 0.0
        """The time at which that was chosen last, in seconds."""
        self._played = 0
        """The matches since then."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} with {len(self.playing)} orders>"

    def answered(self, matches: int, now: float) -> None:
        """Note that it has played so many matches, at this time in seconds, and choose anew how much it is given in advance."""
        self._since = self._since or now
        self._played += matches
        took = now - self._since
        if took >= AHEAD_FOR:
            self.ahead = max(AHEAD, min(MOST_AHEAD, ceil(self._played / took * AHEAD_FOR)))
            self._since, self._played = now, 0

    def say(self, order: Order) -> None:
        """Queue an order; `Crew.flush` sends it."""
        raise NotImplementedError


class Crew(Protocol):
    """All workers. They may come and go while a run lasts: those in `workers` take orders.

    Processes are started with the crew, and import what they need while the run prepares. No bot starts before `begin`.
    """

    failures: Failures

    def begin(self, setup: Setup) -> None:
        """Begin to play, with this setup."""

    @property
    def workers(self) -> Sequence[Worker]:
        """The workers that take orders now."""

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Worker, Answer | None]]:
        """Wait up to `wait` seconds for an answer, and collect those that arrive within `gather` seconds after the last collection.

        So one that comes alone is not kept waiting. The answer is None if the worker has died; its orders are lost.
        """

    def wake(self) -> None:
        """Let `answers` return at once."""

    def lost(self, worker: Worker) -> str:
        """Clear away what a worker that has died has left, and replace it where that can be done. Returns how it ended.

        Raises `LadderError` if workers die too often.
        """

    def say(self, order: Order) -> None:
        """Queue an order for every worker."""

    async def flush(self) -> None:
        """Send the queued orders of all workers."""

    async def close(self) -> None:
        """End all workers and their bots at once. May be called again."""


@asynccontextmanager
async def closing(crew: Crew) -> AsyncIterator[None]:
    """Close a crew when the context is left, however that happens."""
    try:
        yield
    finally:
        with trio.CancelScope(shield=True):
            await crew.close()


AnyWorker = TypeVar("AnyWorker", bound=Worker)


class AnyCrew(Generic[AnyWorker]):
    """The part of a `Crew` that does not depend on where its workers are: their answers on the way to the run."""

    def __init__(self, failures: Failures) -> None:
        self.failures = failures
        self.workers: list[AnyWorker] = []
        self._sent, self._answers = trio.open_memory_channel[tuple[AnyWorker, Answer | None]](1 << 16)
        self._waiting = trio.CancelScope()
        self._collected = -inf
        """The time at which answers were collected last."""

    async def take(self, worker: AnyWorker, answer: Answer | None) -> None:
        """Take an answer; None if the worker has died."""
        if isinstance(answer, Block):
            worker.answered(answer.matches, time.monotonic())
        await self._sent.send((worker, answer))

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[AnyWorker, Answer | None]]:
        """Wait up to `wait` seconds for an answer, and collect those within `gather` seconds after the last collection."""
        found = []
        with trio.move_on_after(wait) as self._waiting:
            found.append(await self._answers.receive())
            await trio.sleep_until(self._collected + gather)
        while True:
            try:
                found.append(self._answers.receive_nowait())
            except trio.WouldBlock:
                break
        if found:
            self._collected = trio.current_time()
        return found

    def wake(self) -> None:
        """Let `answers` return at once."""
        self._waiting.cancel()

    def say(self, order: Order) -> None:
        """Queue an order for every worker."""
        for worker in self.workers:
            worker.say(order)
