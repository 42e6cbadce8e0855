"""Waiting for a bot's message under a clock: read it when it comes, or find out why it does not.

Everything that waits for a bot uses these functions, so a bot is judged alike wherever it is asked. The referee, which steps many
matches in one loop, calls `ended`, `overdue` and `late` by itself. To wait for a single bot, call `wait`: for a hello, in
a check, and when a question of a record is asked again.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import trio

from bullring.arena.cells.sandbox.cell import Cell, heard
from bullring.arena.games.rules.game import Option
from bullring.arena.match.clock.judge import NEVER, Ruling, SeatClock
from bullring.arena.match.clock.watch import Stalls, at_once, now_us
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.seats.player import Player
from bullring.arena.settings.limits import MICRO
from bullring.errors import HostError, Unexpected
from bullring.protocol.remedies import illegal
from bullring.protocol.said import Index, Said

T = TypeVar("T")

TAKEN_WITHIN = 1.0
"""Seconds that a bot may take to make room in its pipe. After that it is asked as if it had read all of it."""


class NoAnswer(Unexpected):
    """No answer has come, and none will."""

    def __init__(
        self, kind: FaultKind, expected: str, got: str, hint: str = "", *, us: int = 0, raw: bytes = b""
    ) -> None:
        self.kind = kind
        self.us = us
        """The clock time until then."""
        super().__init__(expected, got, hint, raw=raw)


def ended(player: Player, expected: str, hint: str = "") -> NoAnswer:
    """Say why the output of a bot has ended. Raises `HostError` if the machine is to blame."""
    machine, breach = player.cell.host_fault(), player.cell.breach()
    if machine is not None:
        raise HostError(machine)
    if breach is not None:
        return NoAnswer(FaultKind(breach[0].value), "a bot within its limits", breach[1])
    return NoAnswer(FaultKind.CRASH, expected, "the end of its output", hint, raw=player.connection.rest)


def overdue(cell: Cell, clock: SeatClock, stalls: Stalls) -> tuple[Ruling, int]:
    """Rule on a bot whose clock has run out. Returns the moment of the ruling, too.

    Its pipe must be read after it: on a busy machine the bot may answer just before, while this process waits for the processor.
    """
    now, account = at_once(cell.account)
    return clock.judge(now, account, stalls.between(clock.since_us, clock.deadline_us, now)), now


def late(player: Player, clock: SeatClock, within: str, now: int, *, flushes: bool = False) -> NoAnswer:
    """Empty the bank of a bot that is late, and describe its silence; the arguments are those of `wait`."""
    got, hint = player.connection.silence()
    hint = "" if flushes and got == "nothing" else hint
    us, raw = clock.time_us(now), player.connection.rest
    clock.bank_us = 0
    return NoAnswer(FaultKind.TIMEOUT, within, got + clock.given_back(), hint, us=us, raw=raw)


async def tell(cell: Cell, data: bytes) -> None:
    """Write all of it, waiting for room in the pipe for a moment."""
    with trio.move_on_after(TAKEN_WITHIN):
        while data:
            try:
                data = data[cell.send(data) :]
            except BlockingIOError:
                await trio.lowlevel.wait_writable(cell.write_fd)
            except OSError:
                return  # the bot has closed its input: the end of its output says so


async def wait(
    player: Player,
    clock: SeatClock,
    stalls: Stalls,
    hear: Callable[[bytes], T | None],
    within: str,
    *,
    flushes: bool = False,
) -> tuple[T, int]:
    """Wait until `hear` finds what it wants in something that the bot has said. Returns that, and its clock time.

    `within` says what is expected, and the limit: "an answer within 200 ms". A bot that `flushes` has been heard before.
    Nothing voids a match here: what cannot be judged is given back. Raises `NoAnswer`, `HostError`, and what `hear` raises.
    """
    cell, late_us = player.cell, NEVER
    while True:
        if late_us == NEVER:
            with trio.move_on_at(clock.deadline_us / MICRO):
                await trio.lowlevel.wait_readable(cell.read_fd)
        data = heard(cell)
        if data is not None:
            now, account = at_once(cell.account)
            clock.look(now, account, stalls.between(clock.since_us, clock.deadline_us, now))
            if not data:
                error = ended(player, within.partition(" within ")[0])
                error.us = clock.time_us(now)
                raise error
            if (found := hear(data)) is not None:
                return found, clock.time_us(now)
        if late_us != NEVER:
            raise late(player, clock, within, late_us, flushes=flushes)
        if now_us() >= clock.deadline_us:
            _, now = overdue(cell, clock, stalls)
            if clock.deadline_us <= now:
                late_us = now


def meant(answer: Said, options: Sequence[Option]) -> Option | None:
    """The option that an answer names, or whose position it gives; None if there is none."""
    if type(answer) is Index:
        return options[answer.position] if answer.position < len(options) else None
    option = tuple(answer) if isinstance(answer, list) else answer
    return option if option in options else None  # type: ignore[return-value]  # an index was dealt with above


def chosen(answer: Said, options: Sequence[Any]) -> Option:
    """The option that an answer means, of those in a question. Raises `Unexpected` if it is none of them."""
    option = meant(answer, [tuple(each) if isinstance(each, list) else each for each in options])
    if option is None:
        raise illegal(answer, options)
    return option
