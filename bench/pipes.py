"""Bots for the floors: bare processes and their pipes, without the arena."""

import contextlib
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench.programs import Command

READ_SIZE = 65536
ENDING = 5.0
"""Seconds bots get to end once their stdin is closed."""


class Pipes(NamedTuple):
    """The referee's ends of one bot."""

    read_fd: int
    write_fd: int


@contextlib.contextmanager
def bots(commands: Sequence[Command]) -> Iterator[list[Pipes]]:
    """Run bots within the block. Yields their non-blocking pipes once all have said hello."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for command in commands:
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0))
        yield [_greeted(process) for process in processes]
    finally:
        for process in processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in processes:
            try:
                process.wait(ENDING)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _greeted(process: "subprocess.Popen[bytes]") -> Pipes:
    assert process.stdin is not None
    assert process.stdout is not None
    pipes = Pipes(process.stdout.fileno(), process.stdin.fileno())
    if not os.read(pipes.read_fd, READ_SIZE):
        raise RuntimeError("a bot said nothing")
    for fd in pipes:
        os.set_blocking(fd, False)
    return pipes
