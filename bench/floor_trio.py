"""A bare pattern in trio that a referee may have, without rules, wire and record.

One task and one epoll per match; for each turn one write and one reading of the clock per seat, one checkpoint, and a read that
is tried before waiting. The deadline of the cancel scope is moved only if there is something to wait for. Prints one line of JSON.
"""

import os
import select
from collections.abc import Sequence
from functools import partial

import trio

from bench.cost import PARTS, measured, parsed, parser
from bench.frames import typical
from bench.pipes import READ_SIZE, Pipes, bots
from bench.programs import instant_bot

LIMIT = 10.0


async def match(table: Sequence[Pipes], frames: Sequence[bytes], turns: int) -> None:
    """Play this many turns at one table."""
    read, write, now = os.read, os.write, trio.lowlevel.current_clock().current_time
    with select.epoll() as epoll, trio.CancelScope() as scope:
        for fd, _ in table:
            epoll.register(fd, select.EPOLLIN)
        for _ in range(turns):
            for (_, fd), frame in zip(table, frames, strict=True):
                write(fd, frame)
                asked = now()
            await trio.lowlevel.cancel_shielded_checkpoint()
            waiting = set()
            for fd, _ in table:
                try:
                    read(fd, READ_SIZE)
                except BlockingIOError:
                    waiting.add(fd)
            while waiting:
                scope.deadline = asked + LIMIT
                await trio.lowlevel.wait_readable(epoll.fileno())
                for fd, _ in epoll.poll(0):
                    read(fd, READ_SIZE)
                    waiting.remove(fd)
    if scope.cancelled_caught:
        raise RuntimeError("no bot answers")


async def play(pipes: Sequence[Pipes], seats: int, turns: int) -> int:
    """Play this many turns at every table. Returns the number of decisions."""
    frames = typical(seats)
    async with trio.open_nursery() as nursery:
        for at in range(0, len(pipes), seats):
            nursery.start_soon(match, pipes[at : at + seats], frames, turns)
    return turns * len(pipes)


async def measure(matches: int, seats: int, decisions: int) -> None:
    """Warm up, then measure."""
    turns = max(1, decisions // (matches * seats * PARTS))
    with bots([instant_bot()] * (matches * seats)) as pipes:
        await measured(partial(play, pipes, seats, turns))


def main() -> None:
    """Measure and print the figures."""
    given = parsed(parser(__doc__))
    trio.run(measure, given.matches, given.seats, given.decisions)


if __name__ == "__main__":
    main()
