"""Start a program and wait for its hello."""

from collections.abc import Callable
from functools import partial

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Breach, Sandbox
from bullring.arena.cells.text.log import Log
from bullring.arena.match.clock.judge import SeatClock
from bullring.arena.match.clock.watch import Stalls, now_us
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.seats.answer import NoAnswer, wait
from bullring.arena.match.seats.player import Player
from bullring.arena.settings.limits import MICRO
from bullring.errors import CellError, RemoteProtocolError, StartFailure
from bullring.protocol.remedies import MEMORY, last_words, no_shell, program_said, quote


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
        breach = cell.breach()
        await player.close()
        failure.log = player.log()
        failure.exit = cell.exit_text()
        words = last_words(failure.log)[:120]
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
    """Wait for the hello. Raises `StartFailure`, `HostError`."""
    connection = player.connection
    clock = SeatClock(account=player.cell.account())
    clock.ask(now_us(), limit_us, clock.account)
    within = f"a hello within {limit_us / MICRO:g} s"
    try:
        await wait(player, clock, stalls, connection.receive_hello, within)
    except (RemoteProtocolError, NoAnswer) as error:
        expected, got, raw = error.expected, error.got, error.raw
        if isinstance(error, NoAnswer):
            expected = within
            if raw and error.kind is FaultKind.CRASH:
                got += f" after {len(raw)} bytes: {quote(raw)}"
        elapsed = (now_us() - clock.asked_us) / MICRO
        raise StartFailure(expected, got, error.hint, raw=raw, elapsed=elapsed) from None
