"""Start a program and wait for its hello."""

from collections.abc import Callable
from functools import partial

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Breach, Cell, Sandbox
from bullring.arena.cells.text.log import Log
from bullring.arena.match.clock.judge import SeatClock
from bullring.arena.match.clock.watch import Stalls, at_once, now_us
from bullring.arena.match.seats.player import Player
from bullring.arena.settings.limits import MICRO
from bullring.errors import CellError, HostError, RemoteProtocolError, StartFailure
from bullring.protocol.remedies import MEMORY, no_shell, program_said, quote


async def start(
    bot: Bot, sandbox: Sandbox, limit_us: int, stalls: Stalls, heard: Callable[[bytes], None] | None = None
) -> Player:
    """Start a bot and wait for its hello. Raises `StartFailure`, or `HostError` if the machine failed.

    `heard` is called with what it writes to stderr, at once.
    """
    log = Log(bot.program.caps.output, heard=heard)
    try:
        cell = await sandbox.start(bot.program, log.write)
    except CellError as error:
        raise StartFailure("a program that starts", str(error)) from None
    log.too_much = partial(cell.condemn, Breach.OUTPUT, f"more than {bot.program.caps.output >> 20} MiB on stderr")
    player = Player(cell, log)
    try:
        await greet(player, limit_us, stalls)
    except StartFailure as failure:
        machine, breach = cell.host_fault(), cell.breach()
        await player.close()
        if machine is not None:
            raise HostError(machine) from None
        failure.log = player.log()
        failure.exit = cell.exit_text()
        words = failure.log.strip().rpartition("\n")[2][:120]
        failure.got = breach[1] if breach else failure.got + (f"; its last words: {words}" if words else "")
        if breach:
            failure.hint = MEMORY if breach[0] is Breach.MEMORY else ""
        else:
            said = failure.hint or program_said(failure.log, failure.exit)
            failure.hint = no_shell("run", bot.program.command) or said
        raise
    except BaseException:
        with trio.CancelScope(shield=True):
            await player.close()
        raise
    return player


async def greet(player: Player, limit_us: int, stalls: Stalls) -> None:
    """Wait for the hello. Raises `StartFailure`.

    The hello is judged like any answer (`clock.judge`), except that nothing voids a match: what cannot be judged is given back.
    """
    clock = SeatClock(account=player.cell.account())
    clock.ask(now_us(), limit_us, clock.account)
    if not await until(player.cell, clock, stalls, lambda: _hear(player, clock)):
        got, hint = player.connection.silence()
        raise _failure(clock, got + clock.given_back(), hint=hint, raw=player.connection.rest)


async def until(cell: Cell, clock: SeatClock, stalls: Stalls, heard: Callable[[], bool]) -> bool:
    """Wait until `heard`, which is called whenever there may be output, returns True. Returns False once the clock has run out."""
    while True:
        with trio.move_on_at(clock.deadline_us / MICRO):
            await trio.lowlevel.wait_readable(cell.read_fd)
        if heard():
            return True
        if now_us() < clock.deadline_us:
            continue
        now, account = at_once(cell.account)
        clock.judge(now, account, stalls.between(clock.asked_us, clock.deadline_us, now))
        if clock.deadline_us <= now:
            return False


def _hear(player: Player, clock: SeatClock) -> bool:
    """Whether the hello has arrived. Raises `StartFailure` if something else has."""
    try:
        data = player.cell.recv()
    except BlockingIOError:
        return False
    except ConnectionError:
        data = b""
    if not data:
        rest = player.connection.rest
        got = f"the end of its output after {len(rest)} bytes: {quote(rest)}" if rest else "the end of its output"
        raise _failure(clock, got, raw=rest)
    try:
        return player.connection.receive_hello(data) is not None
    except RemoteProtocolError as error:
        raise _failure(clock, error.got, error.expected, error.hint, error.raw) from None


def _failure(clock: SeatClock, got: str, expected: str = "", hint: str = "", raw: bytes = b"") -> StartFailure:
    elapsed = (now_us() - clock.asked_us) / MICRO
    expected = expected or f"a hello within {clock.limit_us / MICRO:g} s"
    return StartFailure(expected, got, hint=hint, raw=raw, elapsed=elapsed)
