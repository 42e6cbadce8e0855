"""A bot at the table: its session, its log and its faults outside the protocol. The cell it runs in is not known here."""

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from struct import unpack

import trio

from arena.bots.manifest import Bot
from arena.faults import FaultKind
from arena.sandbox import identity
from arena.sandbox.cell import Cell, CellError, HostError
from arena.sandbox.sandbox import Sandbox
from arena.seats.player import Log, StartFailure, greet
from protocol.connection import Connection
from protocol.messages import Bye

FAREWELL = 0.25
"""Seconds a bot has to end by itself after its bye."""


def _draw_ids() -> Iterator[int]:
    while True:
        for number in unpack(">1024I", os.urandom(4096)):
            yield number >> 1


new_id = partial(next, _draw_ids())
"""Draws an id of 31 bits that nobody can foretell."""


class BotSeat:
    """A running bot. Made by `start`, ended by `close`."""

    def __init__(self, bot: Bot, cell: Cell, log: "_Output", *, freezes: bool) -> None:
        self.bot = bot
        self.cell = cell
        self.connection = Connection(new_id)
        self.read_fd, self.write_fd = cell.read_fd, cell.write_fd
        self.recv, self.send = cell.recv, cell.send
        self.stopped = False
        self.freezes = freezes and cell.freezes
        self.frozen = False
        self.seen: set[str] = set()
        """Which deals it has seen, as whoever seats it names them."""
        self.idle_since = 0.0
        self._output = log
        self._played = False
        self._verdict: tuple[FaultKind, str] | None = None
        log.too_much = partial(self.condemn, FaultKind.OUTPUT, f"more than {bot.caps.output >> 20} MiB on stderr")

    def __repr__(self) -> str:
        return f"<BotSeat {self.bot.name!r} in {self.cell!r}>"

    @classmethod
    async def start(
        cls, bot: Bot, sandbox: Sandbox, limit: float, mark: str = "", mask: Sequence[Path] = ()
    ) -> "BotSeat":
        """Start the program and wait for its hello. Raises `StartFailure`, `HostError`.

        Its mark, by which all it starts is found, begins with `mark`; it never sees what is to `mask`.
        """
        output = _Output(bot.caps.output)
        try:
            cell = await sandbox.start(bot.launch(f"{mark}~{identity.me()}~{secrets.token_hex(8)}", mask), output.write)
        except CellError as error:
            raise StartFailure("a program that starts", str(error)) from None
        self = cls(bot, cell, output, freezes=sandbox.freeze)
        try:
            await greet(self, limit)
        except StartFailure as failure:
            machine = cell.host_fault()
            breach = cell.breach()
            await self.close()
            if machine is not None:
                raise HostError(machine) from None
            failure.log = self.log()
            words = failure.log.strip().rpartition("\n")[2][:120]
            failure.got = breach[1] if breach else failure.got + (f"; its last words: {words}" if words else "")
            failure.exit = self.exit_text()
            raise
        except BaseException:
            with trio.CancelScope(shield=True):
                await self.close()
            raise
        return self

    def freeze(self) -> None:
        """Let it not think until it is asked, if bots are frozen here."""
        if self.freezes and not self.frozen and not self.stopped:
            self.frozen = True
            self.cell.freeze()

    def thaw(self) -> None:
        """Let it think."""
        if self.frozen:
            self.frozen = False
            self.cell.thaw()

    def begin_match(self) -> None:
        """From here on stderr belongs to the next match; the first one has what came at the start, too."""
        if self._played:
            self.cell.read_log()
            self._output.begin()
        self._played = True

    def log(self) -> str:
        """What came on stderr since the match began."""
        self.cell.read_log()
        return self._output.text()

    def verdict(self) -> tuple[FaultKind, str] | None:
        """Why it was ended from outside."""
        if self._verdict is None and (breach := self.cell.breach()) is not None:
            self._verdict = FaultKind(breach[0].value), breach[1]
        return self._verdict

    def host_fault(self) -> str | None:
        """What of the machine failed, if that ended it."""
        return self.cell.host_fault()

    def waited(self) -> float:
        """Seconds it wanted to run and could not."""
        return self.cell.waited()

    def kept_waiting(self, since: float) -> float:
        """Seconds it wanted to run and could not since an earlier `waited`."""
        return self.cell.kept_waiting(since)

    def ended(self) -> bool:
        """Whether it can play no more."""
        return self.stopped or self.cell.ended()

    def exit_text(self) -> str:
        """How its program ended."""
        return self.cell.exit_text()

    def condemn(self, kind: FaultKind, got: str) -> None:
        """End the bot for what it did outside the protocol; the referee sees the end of its output and asks for the verdict."""
        if self._verdict is None and not self.stopped:
            self._verdict = kind, got
            self.stop()

    def stop(self) -> None:
        """Kill it at once with what it started. The rest goes when it is closed."""
        self.stopped = True
        self.cell.kill()

    async def close(self, reason: str = "") -> None:
        """Say bye if there is a `reason`, wait a moment, end all it started and wait until it is gone."""
        if reason and not self.ended():
            self.thaw()
            try:
                self.send(self.connection.encoder.message(Bye(reason=reason)))
            except OSError:
                pass
            else:
                self.cell.hang_up()
                with trio.move_on_after(FAREWELL):
                    await self.cell.wait()
        try:
            await self.cell.end()
        except HostError as error:
            # What is left is found by the next sweep; one bot that cannot be cleared away is not to end all matches.
            sys.stderr.write(f"bullring: a bot could not be cleared away: {error}\n")
        self._output.too_much = lambda: None  # it points back at us, and the collector that would find that is calmed


class _Output:
    """What a bot writes to stderr: kept for the match it belongs to, counted, and stopped when it is too much."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._log = Log()
        self.too_much: Callable[[], None] = lambda: None

    def begin(self) -> None:
        self._log = Log()

    def write(self, data: bytes) -> None:
        self._log.write(data)
        if self._log.total > self._limit:
            self.too_much()

    def text(self) -> str:
        return self._log.text()
