"""A bot without a process: the far ends of its pipes are held by a script, and time is virtual."""

import os
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from io import FileIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgpack
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cell import Breach
from bullring.arena.cells.sandbox.pipes import READ_SIZE
from bullring.arena.cells.text.log import Log
from bullring.arena.games.rules.registry import find
from bullring.arena.match.clock.watch import Watch
from bullring.arena.match.play import close_record
from bullring.arena.match.records.prefix import read_prefix
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.signatures import Signer
from bullring.arena.match.records.verification import verify
from bullring.arena.match.records.writer import Recorder, extend
from bullring.arena.match.referee.hall import PATIENCE_US, the_hall
from bullring.arena.match.referee.spec import MatchResult, MatchSpec, Pulse
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.errors import StartFailure
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder
from tests.support.record import NONCE, sent_in

PIPE = 65536
"""The capacity of a pipe."""

HELLO = msgpack.packb({"type": "hello", "protocol": 1, "name": "scripted"})


class Scripted:
    """A cell whose program is a script: `Cell` on the referee's side, `read` and `say` on the program's."""

    def __init__(self, *, freezes: bool = False) -> None:
        self.read_fd, self._bot_out = os.pipe()
        self.bot_in, self.write_fd = os.pipe()
        for fd in (self.read_fd, self._bot_out, self.bot_in, self.write_fd):
            os.set_blocking(fd, False)
        self.recv: Callable[[], bytes] = partial(os.read, self.read_fd, READ_SIZE)
        self.send: Callable[[bytes], int] = partial(os.write, self.write_fd)
        self.killed = False
        self.freezes = freezes
        self.frozen = False
        self.changes: list[tuple[float, str]] = []
        """The times at which it was frozen and thawed."""
        self.waiting = 0.0
        """Seconds it wanted to run and could not, because others had its core."""
        self.core = 0
        self.used = 0.0, 0
        """Seconds of processor time, and bytes of memory."""
        self.machine_failed: str | None = None
        self.broken: tuple[Breach, str] | None = None
        self.heard: list[dict[str, Any]] = []
        """All messages the bot has read."""
        self.raw = b""
        """All bytes the bot has read."""
        self.encoder: Encoder = ENCODERS[Dialect.MSGPACK]
        self._unpacker = msgpack.Unpacker()
        self._open = {self.read_fd, self._bot_out, self.bot_in, self.write_fd}

    def player(self, hello: bytes) -> Player:
        """The player of this cell, which has sent its hello."""
        player = Player(self, Log(1 << 20))
        player.connection.receive_hello(hello)
        self.encoder = player.connection.encoder
        return player

    def condemn(self, breach: Breach, evidence: str) -> None:
        self.broken = breach, evidence

    def breach(self) -> tuple[Breach, str] | None:
        return self.broken

    def host_fault(self) -> str | None:
        return self.machine_failed

    def account(self, *, closely: bool = True) -> Account:
        return Account(round(self.waiting * 1e6), used_us=round(self.used[0] * 1e6))

    def usage(self) -> tuple[float, int]:
        return self.used

    def freeze(self) -> None:
        if self.freezes and not self.frozen:
            self.frozen = True
            self.changes.append((trio.current_time(), "frozen"))

    def thaw(self) -> None:
        self.frozen = False
        self.changes.append((trio.current_time(), "thawed"))

    def ended(self) -> bool:
        return self.killed

    def exit_text(self) -> str:
        return "ended by the arena" if self.killed else "still running"

    def read_log(self) -> None:
        pass

    def hang_up(self) -> None:
        self._close(self.write_fd)

    def kill(self) -> None:
        self.killed = True

    async def wait(self) -> None:
        await trio.lowlevel.checkpoint()

    async def end(self) -> None:
        self.kill()

    def has_message(self) -> bool:
        """Whether the referee has said something that the bot has not read."""
        try:
            self.hear()
        except BlockingIOError:
            return False
        return True

    def hear(self) -> bytes:
        """Read what is in its stdin. Raises `BlockingIOError`."""
        data = os.read(self.bot_in, READ_SIZE)
        self.raw += data
        self._unpacker.feed(data)
        return data

    async def read(self) -> dict[str, Any]:
        """The referee's next message."""
        while True:
            for message in self._unpacker:
                self.heard.append(message)
                return dict(message)
            await trio.lowlevel.wait_readable(self.bot_in)
            self.hear()

    async def question(self, kind: str | None = None) -> dict[str, Any]:
        """The next decide; others of another kind are answered with their first option meanwhile."""
        while True:
            message = await self.read()
            if message["type"] == "decide":
                if kind in (None, message["kind"]):
                    return message
                self.choose(message, message["options"][0])

    def check_wire(self, record: Path, seat: int, *, going_on: bool = False) -> None:
        """The wire recomputed from the record is what came, byte for byte; what did not fit into the pipe may be missing.

        With `going_on`, it came since the match went on.
        """
        with suppress(OSError, ValueError):
            while self.has_message():
                pass
        told = b"".join(sent_in(read_lines(record), seat, self.encoder))
        if going_on:
            told = told[told.rfind(self.raw[:20]) :] if self.raw else b""
        if len(self.raw) < PIPE and len(told) < PIPE:
            assert self.raw == told
        else:
            assert told.startswith(self.raw)

    def say(self, data: bytes) -> None:
        """Write bytes to stdout."""
        os.write(self._bot_out, data)

    def choose(self, question: Mapping[str, Any], option: Any) -> None:
        """Answer."""
        self.say(msgpack.packb({"type": "choice", "id": question["id"], "option": option}))

    def close_output(self) -> None:
        """End of stdout, as when the process ends."""
        self._close(self._bot_out)

    def close(self) -> None:
        for fd in list(self._open):
            self._close(fd)

    def _close(self, fd: int) -> None:
        if fd in self._open:
            self._open.remove(fd)
            os.close(fd)


Script = Callable[[Scripted], Awaitable[None]]


async def first_option(bot: Scripted) -> None:
    """A polite bot: answers at once with the first option, to the end."""
    while True:
        question = await bot.question()
        bot.choose(question, question["options"][0])


async def silent(bot: Scripted) -> None:
    """Reads everything and never answers."""
    while True:
        await bot.read()


DEFAULT = Limits()


def referee(
    *scripts: Script | StartFailure,
    game: str = "standard",
    options: Mapping[str, object] | None = None,
    limits: Limits = DEFAULT,
    record: Path | None = None,
    seed: str = "7",
    pulse: Pulse | None = None,
    stalls: "Stalls | None" = None,
    hellos: Sequence[bytes] | None = None,
    freeze: bool = False,
    signer: Signer | None = None,
    on: list[Scripted] | None = None,
    notes: Mapping[str, Any] | None = None,
    people: Sequence[int] = (),
    going_on: Path | None = None,
    patient: bool = False,
) -> tuple[MatchResult, list[Scripted]]:
    """Play a match of scripts under a virtual clock that jumps over all waiting. Whatever happens in it, its record verifies.

    With `going_on`, the match of that record, which was left, goes on to its end.
    """
    prefix = read_prefix(going_on) if going_on is not None else None
    with_options = {"deals": 1} if options is None and game != "online" else options
    spec = MatchSpec(
        game=find(game)(len(scripts), with_options),
        names=[f"bot {seat}" for seat in range(len(scripts))],
        seed=Seed.given(seed, NONCE),
        limits=limits,
        pulse=pulse,
        notes=notes or {},
        people=people,
    )
    record = record or going_on
    bots = [] if on is None else on
    bots += [Scripted(freezes=freeze) for _ in scripts]

    async def main(path: Path) -> MatchResult:
        watch = Watch()
        the_hall().patience_us = PATIENCE_US if patient else 0
        async with trio.open_nursery() as nursery:
            if stalls is not None:
                nursery.start_soon(watch.run)
                nursery.start_soon(stalls)
            players: list[Player | StartFailure | None] = []
            for seat, (bot, script) in enumerate(zip(bots, scripts, strict=True)):
                hello = (hellos or [HELLO] * len(bots))[seat]
                if prefix is not None and prefix.seats[seat].closed:
                    players.append(None)
                elif isinstance(script, StartFailure):
                    players.append(script)
                else:
                    players.append(bot.player(hello))
                    nursery.start_soon(script, bot)
            with FileIO(path, "w") if prefix is None else extend(path, len(prefix.data)) as file:
                recorder = Recorder(file, every=0.0, before=b"" if prefix is None else prefix.data)
                # Questions are numbered, so that what was said can be compared.
                result = await play(spec, players, recorder, watch, prefix, new_id=partial(next, count(1)))
                close_record(recorder, spec, result, ["some\nlines"] + [""] * (len(scripts) - 1), signer=signer)
            await wait_all_tasks_blocked()  # the bots hear the last message
            nursery.cancel_scope.cancel()
        return result

    try:
        with TemporaryDirectory() as folder:
            path = record or Path(folder, "match.jsonl")
            result = trio.run(main, path, clock=MockClock(autojump_threshold=0))
            assert verify(read_lines(path)).difference is None
            for seat, bot in enumerate(bots):
                bot.check_wire(path, seat, going_on=prefix is not None)
        return result, bots
    finally:
        for bot in bots:
            bot.close()


Stalls = Callable[[], Awaitable[None]]


async def stall(seconds: float) -> None:
    """The whole process stands still for a while, as a busy or sleeping machine makes it."""
    clock = trio.lowlevel.current_clock()
    assert isinstance(clock, MockClock)
    clock.jump(seconds)


def script_of(*steps: Callable[[Scripted, dict[str, Any]], Awaitable[None]]) -> Script:
    """A bot that meets its first questions with these steps, one each, and is polite from then on."""

    async def script(bot: Scripted) -> None:
        todo = deque(steps)
        while True:
            question = await bot.question()
            if todo:
                await todo.popleft()(bot, question)
            else:
                bot.choose(question, question["options"][0])

    return script


def acting(act: Callable[[Scripted, dict[str, Any]], object]) -> Script:
    """A bot that does `act` at its first question instead of answering, and is polite from then on."""

    async def step(bot: Scripted, question: dict[str, Any]) -> None:
        act(bot, question)

    return script_of(step)


def thinks(seconds: float) -> Script:
    """A polite bot that takes so long for each answer."""

    async def script(bot: Scripted) -> None:
        while True:
            question = await bot.question()
            assert not bot.frozen
            await trio.sleep(seconds)
            bot.choose(question, question["options"][0])

    return script


async def illegal(bot: Scripted, question: dict[str, Any]) -> None:
    """A step: an answer that is not among the options."""
    bot.choose(question, 999)


async def late(bot: Scripted, question: dict[str, Any]) -> None:
    """A step: the time passes."""


def answer_while_judged(bot: Scripted, limit: float, answer: Callable[[], None]) -> None:
    """Answer once the referee reads the account after so many seconds: it had lost the processor since it read the pipe."""
    account, until = bot.account, trio.current_time() + limit

    def meanwhile(*, closely: bool = True) -> Account:
        if trio.current_time() >= until:
            bot.account = account  # type: ignore[method-assign]
            answer()
        return account(closely=closely)

    bot.account = meanwhile  # type: ignore[method-assign]


async def fails(bot: Scripted, question: dict[str, Any]) -> None:
    """A step: the machine fails."""
    bot.machine_failed = "the engine is gone"
    bot.close_output()
