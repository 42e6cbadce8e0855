"""Putting questions of a recorded match to a bot: the session of one seat, with a real process and the limits of the match.

A question is asked again after all that came before it: with another memory and other random numbers, the answer would explain
nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.games.rules.game import Option
from bullring.arena.match.clock.judge import SeatClock
from bullring.arena.match.clock.watch import Watch, now_us, queued_us, ran_us
from bullring.arena.match.faults import FATAL, STRIKES, FaultKind
from bullring.arena.match.records.wire import Body, Exchange, Passed, Wired
from bullring.arena.match.seats.answer import NoAnswer, chosen, tell, wait
from bullring.arena.match.seats.hello import start
from bullring.arena.match.seats.player import Player
from bullring.arena.settings.limits import Limits
from bullring.errors import RemoteProtocolError, Unexpected
from bullring.protocol.said import Said

_FAREWELL = "no more questions"


@dataclass
class Reply:
    """The reply of a bot to a question."""

    exchange: Exchange
    """The question, and what the record tells of it."""
    option: Option | None = None
    """Its answer; None after a fault."""
    us: int = 0
    """Its clock time."""
    fault: FaultKind | None = None
    expected: str = ""
    got: str = ""
    exit: str = ""
    """The end of its process in words, if the fault ended the session."""
    log: str = ""
    """Its stderr from the question on until the next one, or until its end."""

    @property
    def differs(self) -> bool:
        """Whether it gave another answer than the player in the record. A move of the referee is not compared."""
        return self.fault is None and self.exchange.by in ("bot", "human") and self.option != self.exchange.option

    def facts(self) -> dict[str, Any]:
        """The object that `bullring ask --json` prints."""
        exchange = self.exchange
        fault = {"kind": self.fault.value, "expected": self.expected, "got": self.got} if self.fault else None
        if fault is not None and self.exit:
            fault["exit"] = self.exit
        return {
            "line": exchange.answered_in or exchange.asked_in,
            "deal": exchange.deal,
            "turn": exchange.turn,
            "kind": exchange.kind,
            "view": exchange.question["view"],
            "options": exchange.question["options"],
            "allowed_us": exchange.allowed_us,
            "answer": self.option,
            "us": self.us,
            "fault": fault,
            "record": {
                "answer": exchange.option,
                "by": exchange.by or None,
                "us": exchange.us,
                "fault": exchange.fault and exchange.fault["kind"],
            },
            "differs": self.differs,
            "stderr": self.log,
        }


async def ask(
    bot: Bot,
    sandbox: Sandbox,
    session: Sequence[Wired],
    limits: Limits,
    tell: Callable[[int], None] = lambda answered: None,
) -> list[Reply]:
    """Start a bot and put the questions of a `session` to it, one after another, after its welcome.

    `tell` is called with the number of questions that are answered, and with 0 when the bot has said its hello.
    Ends early when a fault costs the seat, or after `STRIKES` faults. Raises `StartFailure`, `HostError`.
    """
    watch = Watch(queued_us, ran_us)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch.run)
        player = await start(bot, sandbox, limits.judged(limits.start_us), watch.stalls)
        talk = Talk(player, watch, limits)
        tell(0)
        try:
            for wired in session:
                match wired:
                    case Passed(by_bot=False, body=body) if body["type"] == "welcome":
                        player.begin_match()
                        await talk.send(body)
                    case Exchange():
                        await talk.ask(wired)
                        tell(len(talk.replies))
                        if talk.over:
                            break
        finally:
            with trio.CancelScope(shield=True):
                await player.close("" if talk.over else _FAREWELL)
        talk.note_end()
        nursery.cancel_scope.cancel()
    return talk.replies


class Talk:
    """The session with a bot that has said hello: questions one after another, each under its limit."""

    def __init__(self, player: Player, watch: Watch, limits: Limits) -> None:
        self.replies: list[Reply] = []
        self.over = False
        """Whether the seat would be closed."""
        self._player = player
        self._watch = watch
        self._limits = limits

    async def send(self, body: Body) -> None:
        """Send a message."""
        await tell(self._player.cell, self._player.connection.encoder.message(body))

    def note_log(self) -> None:
        """Give what it has written to the last question."""
        if self.replies:
            self.replies[-1].log = self._player.log()

    def note_end(self) -> None:
        """The bot has ended."""
        self.note_log()
        if self.over and self.replies:
            self.replies[-1].exit = self._player.cell.exit_text()

    async def ask(self, exchange: Exchange) -> Reply:
        """Put one question, and wait for the answer. Raises `HostError`."""
        self.note_log()
        if self.replies:
            self._player.new_log()
        cell, connection = self._player.cell, self._player.connection
        connection.ask()
        time = exchange.question["time"]
        clock = SeatClock(time["bank_us"])
        flushes = any(one.option is not None for one in self.replies)
        reply = Reply(exchange)
        self.replies.append(reply)
        account = cell.account()
        cell.thaw()
        await self.send({**exchange.question, "id": connection.question})
        clock.ask(now_us(), self._limits.judged(time["limit_us"]), account)
        within = f"an answer within {clock.allowed_us / 1000:g} ms"
        answer: Said
        try:
            stalls, hear = self._watch.stalls, connection.receive
            answer, reply.us = await wait(self._player, clock, stalls, hear, within, flushes=flushes)
            reply.option = chosen(answer, exchange.question["options"])
        except Unexpected as wrong:
            reply.expected, reply.got = wrong.expected, wrong.came
            match wrong:
                case RemoteProtocolError():
                    self.over = not wrong.resync
                    reply.fault, reply.us = FaultKind.PROTOCOL, clock.time_us(now_us())
                case NoAnswer():
                    reply.fault, reply.us = wrong.kind, wrong.us
                case _:
                    reply.fault = FaultKind.ILLEGAL
        cell.freeze()
        connection.give_up()
        faults = [one.fault for one in self.replies if one.fault is not None]
        self.over = self.over or len(faults) >= STRIKES or reply.fault in FATAL
        return reply
