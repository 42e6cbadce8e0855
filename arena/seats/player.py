"""A player: whoever answers questions. A session of the wire, spoken through a cell, with a log."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from struct import unpack

import trio

from bullring.arena.sandbox.cell import Cell
from bullring.arena.seats.log import Log
from bullring.errors import HostError
from bullring.protocol.connection import Connection
from bullring.protocol.messages import Bye

FAREWELL = 0.25
"""Seconds a bot has to end by itself after its bye."""


def _draw_ids() -> Iterator[int]:
    while True:
        for number in unpack(">1024I", os.urandom(4096)):
            yield number >> 1


_new_id = partial(next, _draw_ids())
"""Draws an id of 31 bits that nobody can foretell."""


class Player:
    """Somebody at the table, who has said hello (or is about to, see `greeting`)."""

    def __init__(self, cell: Cell, log: Log) -> None:
        self.cell = cell
        self.connection = Connection(_new_id)
        self._log = log
        self._played = False

    def __repr__(self) -> str:
        return f"<Player in {self.cell!r}, {self.connection!r}>"

    def begin_match(self) -> None:
        """From here on the log belongs to the next match; the first one has what came at the start, too."""
        if self._played:
            self.cell.read_log()
            self._log.begin()
        self._played = True

    def log(self) -> str:
        """What came on stderr since the match began, shortened in the middle if it was too much."""
        self.cell.read_log()
        return self._log.text()

    async def close(self, reason: str = "") -> None:
        """Say bye if there is a `reason`, wait a moment, end all it started and wait until it is gone."""
        cell = self.cell
        if reason and not cell.ended():
            cell.thaw()
            try:
                cell.send(self.connection.encoder.message(Bye(reason=reason)))
            except OSError:
                pass
            else:
                cell.hang_up()
                with trio.move_on_after(FAREWELL):
                    await cell.wait()
        try:
            await cell.end()
        except HostError as error:
            # What is left is found by the next sweep; one bot that cannot be cleared away must not end all matches.
            sys.stderr.write(f"bullring: a bot could not be cleared away: {error}\n")
        self._log.too_much = None  # it points back at us, and the collector that would find that is calmed
