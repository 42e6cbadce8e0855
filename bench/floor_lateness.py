"""The floor of lateness: the Python epoll loop with deadlines, 32 busy matches and one hung bot. Prints one line of JSON.

All limits are equal, so the deadlines are checked only when the earliest one at the previous check is due.
"""

import argparse
import json
import os
import select
import time
from collections.abc import Sequence

from bench.figures import lateness
from bench.frames import typical
from bench.pipes import READ_SIZE, Pipes, bots
from bench.programs import hung_bot, instant_bot

LIMIT = 0.05
SEATS = 4
WARM_UP = 0.5


class Loop:
    """The loop over all matches; the hung bot is at the last table."""

    def __init__(self, pipes: Sequence[Pipes]) -> None:
        self._tables = [pipes[at : at + SEATS] for at in range(0, len(pipes), SEATS)]
        self._frames = typical(SEATS)
        self._missing = [0] * len(self._tables)
        self._deadlines = [0.0] * len(self._tables)
        self.late: list[float] = []
        self.innocent = 0
        self.decisions = 0

    def play(self, seconds: float) -> None:
        """Ask, and ask again once all have answered or the limit has passed. Results during the warm-up are discarded."""
        table_of = {pipe.read_fd: at for at, table in enumerate(self._tables) for pipe in table}
        missing, now, read = self._missing, time.perf_counter, os.read
        with select.epoll() as epoll:
            for fd in table_of:
                epoll.register(fd, select.EPOLLIN)
            for at in range(len(self._tables)):
                self._ask(at)
            look, warm = min(self._deadlines), now() + WARM_UP
            while (time_now := now()) < warm + seconds:
                if time_now < warm:
                    self.late, self.innocent, self.decisions = [], 0, 0
                if time_now >= look:
                    self._judge()
                    look = min(self._deadlines)
                for fd, _ in epoll.poll(max(0.0, look - now())):
                    read(fd, READ_SIZE)
                    at = table_of[fd]
                    missing[at] -= 1
                    if not missing[at]:
                        self.decisions += SEATS
                        self._ask(at)

    def _ask(self, at: int) -> None:
        for (_, fd), frame in zip(self._tables[at], self._frames, strict=True):
            os.write(fd, frame)
        self._deadlines[at] = time.perf_counter() + LIMIT
        self._missing[at] = SEATS

    def _judge(self) -> None:
        now, hung = time.perf_counter(), len(self._tables) - 1
        for at, deadline in enumerate(self._deadlines):
            if deadline <= now:
                if at == hung:
                    self.late.append(now - deadline)
                else:
                    self.innocent += 1
                self._ask(at)


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=32, help="number of simultaneous busy matches")
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    commands = [instant_bot()] * (given.matches * SEATS) + [instant_bot()] * (SEATS - 1) + [hung_bot()]
    with bots(commands) as pipes:
        loop = Loop(pipes)
        loop.play(given.seconds)
    facts = lateness([seconds * 1e6 for seconds in loop.late])
    facts |= {"innocent": loop.innocent, "decisions": loop.decisions, "seconds": given.seconds}
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
