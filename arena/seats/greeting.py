"""Start a program and wait for its hello."""

from functools import partial

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.clock.judge import SeatClock
from bullring.arena.clock.limits import MICRO
from bullring.arena.clock.watch import Stalls, now_us
from bullring.arena.sandbox.cell import Breach, Sandbox
from bullring.arena.seats.log import Log
from bullring.arena.seats.player import Player
from bullring.errors import CellError, HostError, RemoteProtocolError, StartFailure


async def start(bot: Bot, sandbox: Sandbox, limit_us: int, stalls: Stalls) -> Player:
    """Start a bot and wait for its hello. Raises `StartFailure`, or `HostError` if the machine failed."""
    log = Log(bot.program.caps.output)
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
        words = failure.log.strip().rpartition("\n")[2][:120]
        failure.got = breach[1] if breach else failure.got + (f"; its last words: {words}" if words else "")
        failure.exit = cell.exit_text()
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
    cell = player.cell
    clock = SeatClock(account=cell.account())
    clock.ask(now_us(), limit_us, clock.account)
    while True:
        with trio.move_on_at(clock.deadline_us / MICRO):
            await trio.lowlevel.wait_readable(cell.read_fd)
        if _hear(player, clock):
            return
        now = now_us()
        if now < clock.deadline_us:
            continue
        clock.judge(now, cell.account(), stalls.between(clock.asked_us, clock.deadline_us, now))
        if clock.deadline_us <= now:
            raise _failure(clock, "nothing, or only a part of it" + clock.given_back())


def _hear(player: Player, clock: SeatClock) -> bool:
    """Whether the hello has arrived. Raises `StartFailure` if something else has."""
    try:
        data = player.cell.recv()
    except BlockingIOError:
        return False
    except ConnectionError:
        data = b""
    if not data:
        raise _failure(clock, "the end of its output")
    try:
        return player.connection.receive_hello(data) is not None
    except RemoteProtocolError as error:
        raise _failure(clock, error.came, error.expected) from None


def _failure(clock: SeatClock, got: str, expected: str = "") -> StartFailure:
    elapsed = (now_us() - clock.asked_us) / MICRO
    return StartFailure(expected or f"a hello within {clock.limit_us / MICRO:g} s", got, elapsed=elapsed)
