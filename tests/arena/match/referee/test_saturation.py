"""A referee that is never idle: what its clocks say of those who are slow, among tables that always have something to do.

Time is counted in questions, not in seconds: each question to an instant bot moves the clock a little, and nothing else does while
they play. So what is found here does not depend on the machine, and a loop that looks at no clock while it is busy is found out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import trio
from trio.testing import MockClock

from bullring.arena.games.rules.variants.standard import Standard
from bullring.arena.match.clock.watch import Watch, now_us
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.records.writer import Recorder
from bullring.arena.match.referee.spec import MatchResult, MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from tests.support.scripted import HELLO, Scripted

SEATS = 4
TABLES = 24
QUESTION_US = 50
"""Microseconds by which the clock moves with each question to an instant bot."""
LIMIT_US = 40_000
TURN_US = TABLES * SEATS * QUESTION_US
"""Microseconds by which it moves while every busy table plays a turn."""
MOST_MATCHES = 20
"""Matches after which a busy table ends in any case: many times what the limits take."""

LIMITS = Limits.seconds(card=LIMIT_US / 1e6, row=LIMIT_US / 1e6)


class Slow(Scripted):
    """A bot that takes the same time for each answer. Without a time it hangs."""

    def __init__(self, us: int | None = None) -> None:
        super().__init__()
        self._us = us
        self._question: dict[str, Any] = {}
        self._due_us: int | None = None
        self.send = self._begin

    def _begin(self, data: bytes) -> int:
        self._unpacker.feed(data)
        for message in self._unpacker:
            if message["type"] == "decide" and self._us is not None:
                self._question, self._due_us = message, now_us() + self._us
        return len(data)

    def think(self) -> None:
        """Answer, if it is time."""
        if self._due_us is not None and now_us() >= self._due_us:
            self._due_us = None
            self.choose(self._question, self._question["options"][0])


class Quick(Scripted):
    """A bot that has answered by the time its question is written. Time passes with its questions, also for the slow bots."""

    def __init__(self, slow: Sequence[Slow]) -> None:
        super().__init__()
        self._slow = slow
        self.send = self._answer

    def _answer(self, data: bytes) -> int:
        self._unpacker.feed(data)
        for message in self._unpacker:
            if message["type"] == "decide":
                clock = trio.lowlevel.current_clock()
                assert isinstance(clock, MockClock)
                clock.jump(QUESTION_US / 1e6)
                for bot in self._slow:
                    bot.think()
                self.choose(message, message["options"][0])
        return len(data)


@dataclass
class Evening:
    """Busy tables, and one for each slow bot, in one process."""

    slow: Sequence[Slow]
    watched: list[MatchResult] = field(default_factory=list)
    """The matches of the slow bots, on their last seats."""
    faults: int = 0
    """Of the instant bots at the busy tables."""
    watch: Watch = field(default_factory=Watch)

    async def match(self, cells: Sequence[Scripted], number: int) -> MatchResult:
        game = Standard(SEATS, {"deals": 1})
        spec = MatchSpec(game, [f"bot {seat}" for seat in range(SEATS)], Seed.given(f"{number}"), LIMITS)
        return await play(spec, [cell.player(HELLO) for cell in cells], Recorder(), self.watch)

    async def busy(self, table: int) -> None:
        """Match after match, until those of the slow bots are over."""
        cells = [Quick(self.slow) for _ in range(SEATS)]
        for number in range(MOST_MATCHES):
            result = await self.match(cells, table * MOST_MATCHES + number)
            self.faults += sum(len(seat.faults) for seat in result.seats)
            if len(self.watched) == len(self.slow):
                break
        for cell in cells:
            cell.close()

    async def with_slow(self, bot: Slow, number: int) -> None:
        """A match whose last seat is a slow one."""
        cells = [*[Quick(self.slow) for _ in range(SEATS - 1)], bot]
        self.watched.append(await self.match(cells, number))
        for cell in cells:
            cell.close()

    async def run(self) -> None:
        async with trio.open_nursery() as nursery:
            for table in range(TABLES):
                nursery.start_soon(self.busy, table)
            for number, bot in enumerate(self.slow):
                nursery.start_soon(self.with_slow, bot, -number)


def played(*slow: Slow) -> Sequence[MatchResult]:
    """The matches of the slow bots among busy tables, whose bots are not blamed for anything."""
    evening = Evening(slow)
    trio.run(evening.run, clock=MockClock(autojump_threshold=0))
    assert evening.faults == 0
    for result in evening.watched:
        assert result.void is None
        assert not any(seat.faults for seat in result.seats[:-1])
    return evening.watched


def check_hung(result: MatchResult) -> None:
    """Three time losses, each noticed before the other tables have played another turn, and never early."""
    hung = result.seats[-1]
    assert [fault.kind for fault in hung.faults] == [FaultKind.TIMEOUT] * 3
    assert all(0 <= fault.elapsed_us - LIMIT_US <= TURN_US for fault in hung.faults)


def test_several_hung_bots_are_noticed_each_by_itself() -> None:
    results = played(*[Slow() for _ in range(6)])
    assert len(results) == 6
    for result in results:
        check_hung(result)


def test_a_slow_bot_has_its_whole_limit() -> None:
    """An answer that is there when the limit is over is in time, whenever the referee looks."""
    took_us = LIMIT_US - QUESTION_US
    (result,) = played(Slow(took_us))
    slow = result.seats[-1]
    assert not slow.faults
    assert all(0 <= us - took_us <= TURN_US for us in slow.times_us)


def test_a_bot_that_needs_longer_than_its_limit_is_late_and_its_answer_is_dropped() -> None:
    (result,) = played(Slow(LIMIT_US + 2 * TURN_US))
    check_hung(result)
