"""Turns at thinking: at most one bot that computes on each core, one after another.

Bots that answer at once never come here. The others take turns: a bot that joins while its core is taken rests (is frozen,
and its clock stands) until it is next. A bot that thinks long makes room for the others after each `SLICE_US`, so that a hung bot
of one table does not hold up the other tables of this referee.

A bot that waits for something else than the core, such as a network or a sleep, needs no turn: any number of them wait side by side
with clocks that run. Who waits is seen in its first slice, and remembered of its bot; some are looked at again in each look, and
one that computes after all takes turns like the others.
"""

from collections import deque
from typing import Protocol

SLICE_US = 50_000
"""Time after which a thinking bot makes room for the next one, in microseconds."""

GLANCE_US = 10_000
"""Time after which a look shows whether the bot whose turn it is waits."""

LOOKS = 1
"""Most waiting bots that are looked at again in a look. With thousands of cgroups each takes the kernel some 100 us."""


class Thinker(Protocol):
    """A bot that has a question to answer."""

    core: int
    """The core that it thinks on."""

    @property
    def waits(self) -> bool:
        """Whether it, or another process of the same bot, was last seen to wait for something else than the core."""

    def run(self, now_us: int) -> None:
        """Go on thinking."""

    def rest(self, now_us: int) -> None:
        """Stop thinking until `run`."""

    def look(self) -> None:
        """See whether it waits."""


class Waves:
    """The bots of one referee process that are thinking. All times are microseconds of the referee's clock."""

    def __init__(self) -> None:
        self._queues: dict[int, deque[Thinker]] = {}
        """The thinkers of each core that take turns; the first one runs."""
        self._since_us: dict[int, int] = {}
        """The times when the first thinker of each core began to run."""
        self._waiting: dict[Thinker, None] = {}
        """Those that wait, in the order in which they are looked at again. All of them run."""

    def join(self, thinker: Thinker, now_us: int) -> None:
        """Let a bot that is running think on, or rest until it is its turn."""
        if thinker.waits:
            self._waiting[thinker] = None
        else:
            self._queue(thinker, now_us)

    def leave(self, thinker: Thinker, now_us: int) -> None:
        """A bot has answered, or is not waited for any more. The next one of its core runs."""
        if thinker in self._waiting:
            del self._waiting[thinker]
        else:
            self._unqueue(thinker, now_us)

    def look(self, now_us: int) -> None:
        """Let the next one run on each core whose first one has had its slice, or waits."""
        for _ in range(min(LOOKS, len(self._waiting))):
            thinker = next(iter(self._waiting))
            del self._waiting[thinker]
            thinker.look()
            if thinker.waits:
                self._waiting[thinker] = None
            else:
                self._queue(thinker, now_us)
        for core, queue in self._queues.items():
            ran_us = now_us - self._since_us[core] if len(queue) > 1 else 0
            if ran_us < GLANCE_US:
                continue
            queue[0].look()
            if queue[0].waits:
                self._let_wait(queue, now_us)
            elif ran_us >= SLICE_US:
                queue[0].rest(now_us)
                queue.rotate(-1)
                self._run_first(core, now_us)

    def _queue(self, thinker: Thinker, now_us: int) -> None:
        queue = self._queues.setdefault(thinker.core, deque())
        queue.append(thinker)
        if len(queue) == 1:
            self._since_us[thinker.core] = now_us
        else:
            thinker.rest(now_us)

    def _let_wait(self, queue: deque[Thinker], now_us: int) -> None:
        """Take those that wait out of a queue whose first one was seen to: mostly they are processes of the same bot."""
        waiting = [thinker for thinker in queue if thinker.waits]
        for thinker in waiting:
            if thinker is not queue[0]:
                queue.remove(thinker)
                thinker.run(now_us)
            self._waiting[thinker] = None
        self._unqueue(waiting[0], now_us)

    def _unqueue(self, thinker: Thinker, now_us: int) -> None:
        queue = self._queues[thinker.core]
        ran = queue[0] is thinker
        queue.remove(thinker)
        if ran and queue:
            self._run_first(thinker.core, now_us)

    def _run_first(self, core: int, now_us: int) -> None:
        self._since_us[core] = now_us
        self._queues[core][0].run(now_us)
