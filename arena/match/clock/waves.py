"""Turns at thinking: at most one bot on each core, one after another.

Bots that answer at once never come here. The others take turns: a bot that joins while its core is taken rests (is frozen,
and its clock stands) until it is next. A bot that thinks long makes room for the others after each `SLICE_US`, so that a hung bot
of one table does not hold up the other tables of this referee.
"""

from collections import deque
from typing import Protocol

SLICE_US = 50_000
"""Time after which a thinking bot makes room for the next one, in microseconds."""


class Thinker(Protocol):
    """A bot that has a question to answer."""

    core: int
    """The core that it thinks on."""

    def run(self, now_us: int) -> None:
        """Go on thinking."""

    def rest(self, now_us: int) -> None:
        """Stop thinking until `run`."""


class Waves:
    """The bots of one referee process that are thinking. All times are microseconds of the referee's clock."""

    def __init__(self) -> None:
        self._queues: dict[int, deque[Thinker]] = {}
        """The thinkers of each core; the first one runs."""
        self._since_us: dict[int, int] = {}
        """The times when the first thinker of each core began to run."""

    def join(self, thinker: Thinker, now_us: int) -> None:
        """Let a bot that is running think on, or rest until it is its turn."""
        queue = self._queues.setdefault(thinker.core, deque())
        queue.append(thinker)
        if len(queue) == 1:
            self._since_us[thinker.core] = now_us
        else:
            thinker.rest(now_us)

    def leave(self, thinker: Thinker, now_us: int) -> None:
        """A bot has answered, or is not waited for any more. The next one of its core runs."""
        queue = self._queues[thinker.core]
        ran = queue[0] is thinker
        queue.remove(thinker)
        if ran and queue:
            self._run_first(thinker.core, now_us)

    def look(self, now_us: int) -> None:
        """Let the next one run on each core whose first one has had its slice."""
        for core, queue in self._queues.items():
            if len(queue) > 1 and now_us - self._since_us[core] >= SLICE_US:
                queue[0].rest(now_us)
                queue.rotate(-1)
                self._run_first(core, now_us)

    def _run_first(self, core: int, now_us: int) -> None:
        self._since_us[core] = now_us
        self._queues[core][0].run(now_us)
