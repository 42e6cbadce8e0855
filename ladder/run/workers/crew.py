"""What a run sees of those who play its matches, wherever they are, and how much it gives them in advance."""

from collections.abc import Collection, Sequence
from math import ceil
from typing import Protocol

from bullring.ladder.run.workers.messages import Answer, Order, Play
from bullring.ladder.run.workers.troubles import Troubles

AHEAD = 64
"""Matches of quick bots that a worker is given in advance, at least. It plays a few of them side by side (`lanes`)."""

MOST_AHEAD = 1024
"""The most matches of quick bots that a worker is given in advance."""

AHEAD_FOR = 1.0
"""Seconds for which what it is given in advance should last, at the rate at which it plays: it never waits while results are
collected or a round trip lasts, and not much is lost with it if it dies."""


class Paced:
    """The part of a worker that chooses how much it is given in advance."""

    def __init__(self) -> None:
        self.ahead = AHEAD
        self._since = 0.0
        """When it was chosen last, in seconds."""
        self._played = 0
        """The matches since then."""

    def answered(self, matches: int, now: float) -> None:
        """Note that it has played so many matches, at this time in seconds, and choose anew."""
        self._since = self._since or now
        self._played += matches
        took = now - self._since
        if took >= AHEAD_FOR:
            self.ahead = max(AHEAD, min(MOST_AHEAD, ceil(self._played / took * AHEAD_FOR)))
            self._since, self._played = now, 0


class Worker(Protocol):
    """Whoever takes orders: a referee process, here or on a node of a cluster."""

    playing: dict[int, Play]
    """The orders that it has not answered, by id."""

    ahead: int
    """The most matches of quick bots to give it in advance, so that it never waits for the ladder."""

    @property
    def unable(self) -> Collection[str]:
        """The names of bots that it cannot play, because its machine cannot run or build them."""

    @property
    def name(self) -> str:
        """Who it is, for people: "referee process 4711"."""

    def say(self, order: Order) -> None:
        """Queue an order; `Crew.flush` sends it."""


class Crew(Protocol):
    """All workers. They may come and go while a run lasts: whoever is in `workers` takes orders."""

    troubles: Troubles

    @property
    def workers(self) -> Sequence[Worker]:
        """Those that take orders now."""

    async def answers(self, wait: float, gather: float) -> Sequence[tuple[Worker, Answer | None]]:
        """Wait up to `wait` seconds for an answer, then collect those that arrive within `gather` seconds after it.

        The answer is None if the worker has died; its orders are lost.
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
        """End all workers and their bots at once."""
