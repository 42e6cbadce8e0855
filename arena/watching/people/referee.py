"""The referee of a match with people, a program of its own, so that their process cannot hold what they may not see.

It is told the sitting in one message, tells what happens, and ends with the match or with the process of the person, whatever has
ended that. All bots end before it does.
"""

import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.processes.frames import Ear, tell
from bullring.arena.cells.processes.inside import ends
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.match.play import calm_the_collector
from bullring.arena.watching.people.match import Given, sit
from bullring.arena.watching.people.sitting import Sitting
from bullring.errors import BuildFailure, BullringError, first_error

LOG_LINES = 10
"""Lines of the log of a failed build that are told."""


def main() -> int:
    """Run `python -m bullring.arena.watching.people.referee`. Returns the exit code."""
    source, sink = ends()
    for _, order in Ear(source):
        return _sit(order, source, sink)
    return 0


def _sit(order: dict[str, Any], source: int, sink: int) -> int:
    seats = {seat: socket.socket(fileno=fd) for seat, fd in order["seats"].items()}
    record = Path(order["record"]) if order["record"] else None
    os.set_inheritable(order["feed"], False)
    for connection in seats.values():
        connection.set_inheritable(False)
    calm_the_collector()
    told = _Told(sink, order["record"])
    try:
        trio.run(_play, Given(Sitting.of(order["sitting"]), record, seats, order["feed"]), told, source)
    except (BaseExceptionGroup, BullringError) as raised:
        error = first_error(raised)
        if not isinstance(error, BullringError):
            raise
        _break(error, told)
        return 1
    return 0


class _Told:
    """Tells the person's process what happens, and knows whether there is a record by now."""

    def __init__(self, sink: int, record: str) -> None:
        self.record = record
        self._sink = sink

    def tell(self, kind: str, **facts: Any) -> None:
        """Send a message."""
        if kind == "began":
            self.record = facts["record"]
        with suppress(OSError):  # the person has left, which ends the match by itself
            tell(self._sink, kind, facts)


def _break(error: BullringError, told: _Told) -> None:
    text = harmless(error, 2000)
    if isinstance(error, BuildFailure):
        text += "".join(f"\n| {harmless(line, 200)}" for line in error.log.splitlines()[-LOG_LINES:])
    told.tell("broken", text=text, record=told.record)


async def _play(given: Given, told: _Told, source: int) -> None:
    async with trio.open_nursery() as nursery:
        leave = nursery.cancel_scope.cancel
        nursery.start_soon(_heed_signals, leave)
        nursery.start_soon(_heed_the_end, source, leave)
        await sit(given, told.tell, leave)
        leave()


async def _heed_signals(leave: Any) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            leave()


async def _heed_the_end(source: int, leave: Any) -> None:
    """Wait until the person's process closes the pipe: it has left the table."""
    await trio.lowlevel.wait_readable(source)
    leave()


if __name__ == "__main__":
    sys.exit(main())
