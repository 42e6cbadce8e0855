"""A player at the table: a protocol connection through a cell, with a log."""

import os
import sys
from dataclasses import dataclass
from struct import unpack

import trio

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cell import Cell
from bullring.arena.cells.text.log import Log
from bullring.arena.match.clock.judge import NEVER
from bullring.arena.match.clock.plain_time import Pairs
from bullring.arena.match.cost import Cost
from bullring.arena.settings.limits import MICRO
from bullring.errors import HostError, StartFailure
from bullring.protocol.connection import Connection
from bullring.protocol.encoding import farewell

FAREWELL = 0.25
"""Seconds that a bot has to exit after its bye."""


_ids: list[int] = []


def new_id() -> int:
    """Draw an unpredictable 31-bit id, in any thread. Nothing sent before a question can carry it, so no pipe is emptied before."""
    while True:
        try:
            return _ids.pop()
        except IndexError:
            _ids.extend([number >> 1 for number in unpack(">1024I", os.urandom(4096))])


class LeftToReferee(Exception):
    """A person leaves a decision to the referee. Raised by the `recv` of their cell."""


@dataclass
class Habit:
    """How a bot takes its time."""

    waits: bool = False
    """Whether it was last seen to wait, mostly, for something else than the core."""
    long: bool = False
    """Whether a decision of its last match took so long that people want to follow it."""
    pairs: Pairs | None = None
    """Pairs of its decisions, by which one that counts plain time is noticed; None until it has thought for a while."""


class Player:
    """A player at the table that has said hello, or is about to (`hello`)."""

    def __init__(self, cell: Cell, log: Log) -> None:
        self.cell = cell
        self.connection = Connection(new_id)
        self.cost = Cost()
        """Its cost in its present match (`Pool`)."""
        self.matches = 0
        """The number of matches that it has begun."""
        self.habit = Habit()
        """That of its bot, shared with its other processes (`Pool`)."""
        self._log = log
        self._account: Account | None = None
        self._account_us = -NEVER
        """The time of that account."""

    def __repr__(self) -> str:
        return f"<Player in {self.cell!r}, {self.connection!r}>"

    def begin_match(self) -> None:
        """Start the log of the next match. The log of the first one includes output from the start of the program."""
        if self.matches:
            self.new_log()
        self.matches += 1

    def recent_account(self, now_us: int, age_us: int) -> Account | None:
        """An account of its program that is at most so old. To read one anew takes as long as a decision of a quick bot."""
        if now_us - self._account_us > age_us:
            self._account, self._account_us = self.cell.account(closely=False), now_us
        return self._account

    def new_log(self) -> None:
        """Start an empty log; what the bot has written so far belongs to the one before."""
        self.cell.read_log()
        self._log.begin()

    def log(self) -> str:
        """Return the stderr of this match, shortened in the middle if it is too long."""
        self.cell.read_log()
        return self._log.text()

    async def close(self, reason: str = "") -> None:
        """End the bot with everything it started, and wait until all is gone. With a `reason`, say bye first and wait a moment."""
        cell = self.cell
        if reason and not cell.ended():
            cell.thaw()
            try:
                cell.send(self.connection.encoder.message(farewell(reason)))
            except OSError:
                pass
            else:
                cell.hang_up()
                with trio.move_on_after(FAREWELL):
                    await cell.wait()
        try:
            await cell.end()
        except HostError as error:
            # The next sweep finds what is left; one bot that cannot be removed must not end all matches.
            sys.stderr.write(f"bullring: a bot could not be removed; the next run tries again: {error}\n")
        self._log.too_much = None  # breaks a reference cycle, which the calmed garbage collector would find late


def cost_of(player: Player | StartFailure) -> Cost:
    """The cost of a player in its present match. A bot that did not start has made its start necessary itself."""
    if isinstance(player, StartFailure):
        return Cost(starts=1, start_us=round(player.elapsed * MICRO), asked=True)
    return player.cost
