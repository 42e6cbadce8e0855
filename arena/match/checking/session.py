"""A session with the bot that is checked: the real connection and clock, with questions that a step makes up.

Every wait is bounded, whatever the bot does.
"""

import fcntl
import os
import stat
import struct
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox, heard
from bullring.arena.games.rules.game import Game
from bullring.arena.match.checking.result import Skipped
from bullring.arena.match.checking.tap import Tapped, Traffic
from bullring.arena.match.clock.judge import SeatClock
from bullring.arena.match.clock.watch import Stalls, now_us
from bullring.arena.match.composer import Composer
from bullring.arena.match.faults import STRIKES, FaultKind
from bullring.arena.match.seats.answer import NoAnswer, chosen, ended, tell, wait
from bullring.arena.match.seats.hello import start
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import MICRO, Limits
from bullring.errors import RemoteProtocolError, Unexpected
from bullring.protocol.encoding import Plain
from bullring.protocol.remedies import EVERY, MEMORY, STDERR

FLOOD = 65536
"""Bytes that may come without an answer among them."""

TOLD_US = MICRO // 20
"""The longest limit that a bot is told of where its time does not matter, so that those that use their time are checked soon."""

PATIENCE_US = 3 * MICRO
"""Time added to a bot's real limit there."""

TAKEN_WITHIN = 0.25
"""Seconds in which a bot has taken what was written, or is given more regardless."""


class Wrong(Unexpected):
    """The bot does not do what the step asks. The texts may contain anything that it has said."""

    def __init__(self, expected: str, got: str, hint: str = "", log: str = "", exit: str = "") -> None:
        self.log = log
        """The output of a build, or the stderr of the bot until then."""
        self.exit = exit
        """The end of the process then, in words; empty if it is that at the end of the step."""
        self.traffic: list[str] = []
        """The messages until then, where it is not the end of the step."""
        super().__init__(expected, got, hint)


class Noise(Skipped):
    """The bot has printed text to stdout and the session cannot go on. The step on stdout reports it."""

    def __init__(self) -> None:
        super().__init__("it printed to stdout, so its session could not go on")


@dataclass(frozen=True)
class Question:
    """A question that a step asks, and the table at which it is asked."""

    game: Game[Any]
    kind: str
    view: Plain
    options: Sequence[Any]
    events: Sequence[Mapping[str, Any]] = ()
    more: Mapping[str, Any] | None = None
    """Further keys of the message."""


class Session:
    """One process of the bot that is checked, after its hello."""

    def __init__(self, player: Player, traffic: Traffic, limits: Limits, stalls: Stalls, *, alone: bool) -> None:
        self.player = player
        self.alone = alone
        """Whether its first match is its only one."""
        self.traffic = traffic
        self.noise: RemoteProtocolError | None = None
        """The first text on stdout that was not part of a message."""
        self.used = False
        """Whether a match was played in it."""
        self._limits = limits
        shortest: dict[str, Any] = {f"{kind}_us": min(limits.of(kind), TOLD_US) for kind in ("card", "row", "other")}
        self._told = replace(limits, **shortest)
        self._stalls = stalls
        self._last_us = 0
        self._heard = False
        """Whether it has answered a question."""
        self._seed = Seed.draw()

    @classmethod
    async def open(
        cls, bot: Bot, sandbox: Sandbox, traffic: Traffic, limits: Limits, stalls: Stalls, *, alone: bool
    ) -> "Session":
        """Start the bot and wait for its hello. Raises `StartFailure`, `HostError`."""
        player = await start(bot, Tapped(sandbox, traffic), limits.start_us, stalls)
        return cls(player, traffic, limits, stalls, alone=alone)

    async def close(self) -> None:
        """End the process."""
        await self.player.close()

    def over_and_out(self) -> bool:
        """Whether the process has ended, or is about to. Raises `Wrong`, `Noise` if it has said something meanwhile."""
        if self.player.cell.ended():
            return True
        data = heard(self.player.cell)
        if data:
            self._taken(data)
        return data == b""

    # What the referee says

    def packed(self, message: Mapping[str, Any]) -> bytes:
        """A message in the bot's dialect."""
        return self.player.connection.encoder.message(message)

    def welcome(self, asked: Question) -> Plain:
        """The welcome to the match of a question."""
        return Composer(asked.game).welcome(
            self._told.of_bots(),
            STRIKES,
            self._seed.commitment,
            seat=asked.view["seat"],
            seed=self._seed.for_bot(0),
            clock="wall" if self.player.cell.account() is None else "core",
        )

    def decide(self, asked: Question) -> Plain:
        """The message of a question. The answer to it is waited for next."""
        self.player.connection.ask()
        limit_us = self._told.of(asked.kind)
        return {
            "type": "decide",
            "kind": asked.kind,
            "view": dict(asked.view),
            "options": list(asked.options),
            "events": list(asked.events),
            "id": self.player.connection.question,
            "time": {"limit_us": limit_us, "bank_us": self._told.bank_us, "last_us": self._last_us},
            **(asked.more or {}),
        }

    @staticmethod
    def over(asked: Question) -> Plain:
        """The end of its match."""
        return {
            "type": "match_over",
            "events": [],
            "scores": [0] * asked.game.seats,
            "ranks": [1] * asked.game.seats,
            "void": False,
        }

    # Talking

    async def say(self, data: bytes, *, gently: bool = True) -> None:
        """Write, and if `gently`, wait until the bot has taken it, so that it reads it by itself."""
        cell = self.player.cell
        if cell.frozen:
            cell.thaw()
        await tell(cell, data)
        if gently:
            await trio.sleep(0.0002)  # for pipes that do not say whether it was taken
            with trio.move_on_after(TAKEN_WITHIN):
                while _waiting(cell.write_fd):
                    await trio.sleep(0.0005)

    async def ask(self, asked: Question) -> Any:
        """Ask one question of a match that has begun, and return the answer. Raises `Wrong`, `Noise`, `HostError`."""
        self.settle()
        await self.say(self.packed(self.decide(asked)), gently=False)
        return await self.answer(asked)

    async def match(self, *questions: Question) -> list[Any]:
        """A whole match of these questions of one table, one by one. Returns the answers. Raises as `ask` does."""
        await self.say(self.packed(self.welcome(questions[0])))
        answers = [await self.ask(asked) for asked in questions]
        await self.say(self.packed(self.over(questions[-1])))
        return answers

    async def answer(self, asked: Question) -> Any:
        """Wait for the answer to the pending question. Raises `Wrong`, `Noise`, `HostError`."""
        clock = SeatClock(account=self.player.cell.account())
        limit_us = self._limits.of(asked.kind) + self._limits.bank_us + PATIENCE_US
        clock.ask(now_us(), limit_us, clock.account)
        came = 0

        def hear(data: bytes) -> Any:
            nonlocal came
            came += len(data)
            if came > FLOOD:
                raise Wrong(f"an answer within {FLOOD} bytes of output", f"{came} bytes without one")
            return self._taken(data)

        within = f"an answer within {limit_us / MICRO:g} s"
        try:
            answer, self._last_us = await wait(self.player, clock, self._stalls, hear, within, flushes=self._heard)
        except NoAnswer as none:
            hint = EVERY if none.kind is FaultKind.TIMEOUT and self._heard and none.got == "nothing" else none.hint
            raise _wrong(none, hint) from None
        self._heard = True
        try:
            option = chosen(answer, asked.options)
        except Unexpected as error:
            raise Wrong(error.expected, error.got, error.hint) from None
        return list(option) if isinstance(option, tuple) else option

    def settle(self) -> None:
        """Take what has come without being asked for. Raises `Wrong`, `Noise`, `HostError`."""
        data = heard(self.player.cell)
        if data:
            self._taken(data)
        elif data is not None:
            raise _wrong(ended(self.player, "a bot that stays until its bye"))

    def _taken(self, data: bytes) -> Any:
        """The answer in what has come, if there is one."""
        connection = self.player.connection
        while True:
            try:
                answer = connection.receive(data)
            except RemoteProtocolError as error:
                if not error.hint.startswith(STDERR):
                    raise Wrong(error.expected, error.got, error.hint) from None
                self.noise = self.noise or error
                if not error.resync:
                    raise Noise from None
                data = b""
                continue
            if answer is not None and connection.more:
                self._taken(b"")
            return answer

    async def quiet(self, seconds: float) -> None:
        """Listen for a while to a bot that has nothing to say. Raises `Wrong`, `Noise`, `HostError`."""
        with trio.move_on_after(seconds):
            while True:
                await trio.lowlevel.wait_readable(self.player.cell.read_fd)
                self.settle()
                await trio.lowlevel.checkpoint()

    async def ended(self, seconds: float) -> bool:
        """Whether the process ends by itself within this time."""
        with trio.move_on_after(seconds):
            await self.player.cell.wait()
        return self.player.cell.ended()


def _wrong(none: NoAnswer, hint: str = "") -> Wrong:
    return Wrong(none.expected, none.got, MEMORY if none.kind is FaultKind.MEMORY else hint)


def _waiting(fd: int) -> bool:
    """Whether the pipe holds unread bytes; False for anything but a pipe."""
    if not stat.S_ISFIFO(os.fstat(fd).st_mode):
        return False
    try:
        return bool(struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))[0])
    except OSError:
        return False
