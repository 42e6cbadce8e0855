"""Matches that share one loop: what befalls one of them is no matter of the others."""

import gc
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import msgpack
import pytest
import trio
from trio.testing import MockClock

from bullring.arena.games.rules.variants.standard import Standard
from bullring.arena.match.clock.judge import SLOW_US
from bullring.arena.match.clock.watch import Watch
from bullring.arena.match.composer import Composer
from bullring.arena.match.records.writer import Recorder
from bullring.arena.match.referee.place import Place
from bullring.arena.match.referee.spec import MatchResult, MatchSpec
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import MICRO, Limits
from tests.support.scripted import HELLO, Script, Scripted, first_option, referee, thinks

LIMITS = Limits.seconds(card=1000.0, row=1000.0)
SLOW = thinks(1.0)


async def match(cells: Sequence[Scripted], limits: Limits = LIMITS) -> MatchResult:
    spec = MatchSpec(
        Standard(len(cells), {"deals": 1}), [f"bot {at}" for at in range(len(cells))], Seed.given("7"), limits
    )
    return await play(spec, [cell.player(HELLO) for cell in cells], Recorder(), Watch())


class Table:
    """Two bots by their scripts; without one they hang. What came of the match, and when."""

    def __init__(self, script: object = None) -> None:
        self.script = script
        self.cells = [Scripted(), Scripted()]
        self.result: MatchResult | None = None
        self.ended = -1.0
        self.scope = trio.CancelScope()

    async def run(self) -> None:
        with self.scope:
            async with trio.open_nursery() as nursery:
                for cell in self.cells:
                    if self.script is not None:
                        nursery.start_soon(self.script, cell)  # type: ignore[arg-type]
                self.result = await match(self.cells)
                self.ended = trio.current_time()
                nursery.cancel_scope.cancel()

    def check(self, seconds: float) -> None:
        """It went as if it had been alone."""
        assert self.result is not None
        assert self.result.void is None
        assert not any(seat.faults for seat in self.result.seats)
        assert {us for seat in self.result.seats for us in seat.times_us} == {round(seconds * 1e6)}


@contextmanager
def tables(*scripts: object) -> Iterator[list[Table]]:
    with ExitStack() as stack:
        made = [Table(script) for script in scripts]
        for table in made:
            for cell in table.cells:
                stack.callback(cell.close)
        yield made


def run(*parts: Callable[[], Awaitable[None]]) -> None:
    """Run all of it at once, under a clock that jumps over all waiting."""

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for part in parts:
                nursery.start_soon(part)

    trio.run(main, clock=MockClock(autojump_threshold=0))


@pytest.mark.parametrize("ended", range(3))
def test_a_match_that_is_cancelled_leaves_the_others_going(ended: int) -> None:
    with tables(None, SLOW, SLOW) as made:

        async def cancel() -> None:
            await trio.sleep(2.5)
            made[ended].scope.cancel()
            await trio.sleep(30.0)
            made[0].scope.cancel()

        run(*(table.run for table in made), cancel)
        for at in {1, 2} - {ended}:
            made[at].check(1.0)
        assert made[0].result is None
        assert made[ended].result is None


@pytest.mark.parametrize("broken", range(3))
def test_what_breaks_one_match_does_not_break_the_others(broken: int) -> None:
    with tables(SLOW, SLOW, SLOW) as made:

        def fail() -> bytes:
            raise RuntimeError("of a player in this process")

        async def broken_table() -> None:
            with pytest.raises(ExceptionGroup):
                await made[broken].run()

        made[broken].cells[0].recv = fail
        run(*(broken_table if at == broken else table.run for at, table in enumerate(made)))
        for at in {0, 1, 2} - {broken}:
            made[at].check(1.0)


def test_a_match_that_begins_while_all_others_wait_is_played_at_once() -> None:
    with tables(None, first_option) as (waiting, quick):

        async def later() -> None:
            await trio.sleep(5.0)
            began = trio.current_time()
            await quick.run()
            assert quick.ended == began
            waiting.scope.cancel()

        run(waiting.run, later)
        quick.check(0.0)


def test_matches_end_in_the_order_of_what_their_bots_take_and_leave_the_loop_to_the_rest() -> None:
    with tables(first_option, SLOW, first_option, SLOW) as made:
        run(*(table.run for table in made))
        for table, seconds in zip(made, (0.0, 1.0, 0.0, 1.0), strict=True):
            table.check(seconds)
        assert made[0].ended == made[2].ended == 0.0
        assert made[1].ended == made[3].ended >= 10.0


def test_a_hung_bot_is_noticed_while_many_matches_begin_at_once() -> None:
    limits = Limits.seconds(card=0.04, row=0.04)

    class Welcomed(Scripted):
        """A bot whose welcome takes the referee a millisecond. It never answers."""

        def __init__(self) -> None:
            super().__init__()
            self.send = self._welcome

        def _welcome(self, data: bytes) -> int:
            clock = trio.lowlevel.current_clock()
            assert isinstance(clock, MockClock)
            clock.jump(0.001)
            return len(data)

    with tables(*[None] * 21) as made:
        for table in made[1:]:
            for cell in table.cells:
                cell.close()
            table.cells = [Welcomed() for _ in range(4)]
        results = []

        async def main() -> None:
            async with trio.open_nursery() as nursery:

                async def first() -> None:
                    results.append(await match(made[0].cells, limits))
                    nursery.cancel_scope.cancel()

                nursery.start_soon(first)
                await trio.sleep(0.02)
                for table in made[1:]:
                    nursery.start_soon(table.run)

        trio.run(main, clock=MockClock(autojump_threshold=0))
    late = [fault.elapsed_us for seat in results[0].seats for fault in seat.faults]
    # The welcomes of one match, and the questions of the others, which are asked in one pass.
    assert 40_000 <= late[0] <= 45_000


def test_a_bot_is_woken_once_for_its_welcome_and_its_first_question() -> None:
    woken = []

    async def script(bot: Scripted) -> None:
        await trio.lowlevel.wait_readable(bot.bot_in)
        pieces = msgpack.Unpacker()
        pieces.feed(bot.hear())
        woken.append([message["type"] for message in pieces])
        await first_option(bot)

    referee(script, script)
    assert woken == [["welcome", "decide"]] * 2


def test_a_match_leaves_nothing_to_the_garbage_collector() -> None:
    def of_matches() -> list[object]:
        return [kept for kept in gc.get_objects() if isinstance(kept, Place | MatchSpec | Composer)]

    with tables(first_option, first_option) as made:
        gc.collect()
        gc.disable()
        try:
            # Other tests' fixtures may hold matches of their own.
            before = of_matches()
            run(*(table.run for table in made))
            known = set(map(id, before))
            left = [kept for kept in of_matches() if id(kept) not in known]
        finally:
            gc.enable()
        for table in made:
            table.check(0.0)
        assert left == []


def asked(*seconds: float) -> list[list[float]]:
    """The times at which each of these bots, who think so long, was asked for its first cards in a patient hall."""
    times: list[list[float]] = [[] for _ in seconds]

    def noting(at: int) -> Script:
        async def script(bot: Scripted) -> None:
            while True:
                question = await bot.question("card")
                times[at].append(trio.current_time())
                await trio.sleep(seconds[at])
                bot.choose(question, question["options"][0])

        return script

    result, _ = referee(*map(noting, range(len(seconds))), patient=True)
    assert not any(seat.faults for seat in result.seats)
    return [each[:2] for each in times]


def test_quick_bots_are_asked_one_after_another() -> None:
    (one, _), (two, _), (three, next_turn) = asked(0.001, 0.0005, 0.0)
    assert (one, two, three) == pytest.approx((0.0, 0.001, 0.0015))
    assert next_turn == pytest.approx(two + 0.0005 + 0.001 + 0.0005)


def test_behind_a_bot_that_thinks_longer_all_others_are_asked_at_once() -> None:
    (one, _), (two, _), (three, _) = asked(0.3, 0.0, 0.0)
    assert (one, two, three) == pytest.approx((0.0, SLOW_US / MICRO, SLOW_US / MICRO))
