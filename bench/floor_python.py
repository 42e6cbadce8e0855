"""The floor in Python: one epoll loop, the pipes registered once, one write and one read per decision.

No rules, no clocks, no checks except the length of the answers. Prints one line of JSON.
"""

import os
import select
from collections.abc import Sequence

import trio

from bench.cost import PARTS, measured, parsed, parser
from bench.frames import typical
from bench.pipes import READ_SIZE, Pipes, bots
from bench.programs import instant_bot


class Loop:
    """The loop over all matches: ask all bots of a table, and ask again once all have answered."""

    def __init__(self, pipes: Sequence[Pipes], seats: int) -> None:
        self._seats = seats
        self._tables = [pipes[at : at + seats] for at in range(0, len(pipes), seats)]
        self._frames = typical(seats)
        self._table_of = {pipe.read_fd: at for at, table in enumerate(self._tables) for pipe in table}
        self._epoll = select.epoll()
        for fd in self._table_of:
            self._epoll.register(fd, select.EPOLLIN)
        self._answer = 0

    def play(self, turns: int) -> int:
        """Play this many turns at every table. Returns the number of decisions."""
        left, missing = [turns] * len(self._tables), [0] * len(self._tables)
        playing, poll, read, table_of = len(self._tables), self._epoll.poll, os.read, self._table_of
        for at in range(len(self._tables)):
            missing[at] = self._ask(at)
        while playing:
            ready = poll(5.0)
            if not ready:
                raise RuntimeError("no bot answers")
            for fd, _ in ready:
                data = read(fd, READ_SIZE)
                if len(data) != self._answer:
                    self._first(data)
                at = table_of[fd]
                missing[at] -= 1
                if not missing[at]:
                    left[at] -= 1
                    if left[at]:
                        missing[at] = self._ask(at)
                    else:
                        playing -= 1
        return turns * len(self._tables) * self._seats

    def _ask(self, at: int) -> int:
        write = os.write
        for (_, fd), frame in zip(self._tables[at], self._frames, strict=True):
            write(fd, frame)
        return self._seats

    def _first(self, data: bytes) -> None:
        """Note the length of the first answer, which all others must have. Raises `RuntimeError` if one differs."""
        if self._answer:
            raise RuntimeError(f"expected an answer of {self._answer} bytes, got {data!r}")
        self._answer = len(data)


def main() -> None:
    """Measure and print the figures."""
    given = parsed(parser(__doc__))
    turns = max(1, given.decisions // (given.matches * given.seats * PARTS))
    with bots([instant_bot()] * (given.matches * given.seats)) as pipes:
        loop = Loop(pipes, given.seats)

        async def part() -> int:
            return loop.play(turns)

        trio.run(measured, part)


if __name__ == "__main__":
    main()
