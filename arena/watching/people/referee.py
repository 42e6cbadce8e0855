"""The referee of a match with people, a program of its own, so that their process cannot hold what they may not see.

Reads one line with the order on stdin, tells what happens as lines of JSON on stdout, and ends with the match, or when stdin is
closed: with the process of the person, whatever has ended it. All bots end before it does.
"""

import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import trio

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.match.play import calm_the_collector
from bullring.arena.watching.people.match import Given, sit
from bullring.arena.watching.people.sitting import Sitting
from bullring.errors import BuildFailure, BullringError, first_error

MAX_ORDER = 1 << 20
"""Bytes of the longest order that is read."""

LOG_LINES = 10
"""Lines of the log of a failed build that are told."""


def main() -> int:
    """Run `python -m bullring.arena.watching.people.referee`. Returns the exit code."""
    order = json.loads(_line())
    seats = {int(seat): socket.socket(fileno=fd) for seat, fd in order["seats"].items()}
    record = Path(order["record"]) if order["record"] else None
    os.set_inheritable(order["feed"], False)
    for connection in seats.values():
        connection.set_inheritable(False)
    calm_the_collector()
    began = _Began(record)
    try:
        trio.run(_play, Given(Sitting.of(order["sitting"]), record, seats, order["feed"]), began)
    except (BaseExceptionGroup, BullringError) as raised:
        error = first_error(raised)
        if not isinstance(error, BullringError):
            raise
        _break(error, began)
        return 1
    return 0


class _Began:
    """Tells the person's process what happens, and knows whether there is a record by now."""

    def __init__(self, record: Path | None) -> None:
        self.record = str(record or "")

    def tell(self, kind: str, **facts: Any) -> None:
        """Tell it."""
        if kind == "began":
            self.record = facts["record"]
        try:
            sys.stdout.write(json.dumps({"is": kind, **facts}) + "\n")
            sys.stdout.flush()
        except OSError:
            pass  # nobody is there any more, which ends the match by itself


def _break(error: BullringError, began: _Began) -> None:
    text = harmless(error, 2000)
    if isinstance(error, BuildFailure):
        text += "".join(f"\n| {harmless(line, 200)}" for line in error.log.splitlines()[-LOG_LINES:])
    began.tell("broken", text=text, record=began.record)


async def _play(given: Given, began: _Began) -> None:
    async with trio.open_nursery() as nursery:
        leave = nursery.cancel_scope.cancel
        nursery.start_soon(_heed_signals, leave)
        nursery.start_soon(_heed_the_end, leave)
        await sit(given, began.tell, leave)
        leave()


async def _heed_signals(leave: Any) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            leave()


async def _heed_the_end(leave: Any) -> None:
    """Wait until stdin is closed: all people have left the table."""
    while True:
        await trio.lowlevel.wait_readable(0)
        if not os.read(0, 4096):
            leave()
            return


def _line() -> bytes:
    """The first line of stdin, and nothing behind it."""
    line = b""
    while not line.endswith(b"\n") and len(line) < MAX_ORDER:
        data = os.read(0, MAX_ORDER)
        if not data:
            break
        line += data
    return line


if __name__ == "__main__":
    sys.exit(main())
