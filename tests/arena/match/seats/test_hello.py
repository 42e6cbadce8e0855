"""The hello has a limit, and is judged as every answer is: no bot loses its seat because the machine stood still."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from bullring.arena.cells.text.log import Log
from bullring.arena.match.clock.watch import Stalls, now_us
from bullring.arena.match.seats.hello import greet
from bullring.arena.match.seats.player import Player
from bullring.arena.settings.limits import MICRO
from bullring.errors import StartFailure, first_error
from tests.support.scripted import HELLO, Scripted, answer_while_judged, stall

LIMIT = 2.0


Act = Callable[[Scripted, Stalls], Awaitable[None] | None]
Step = float | bytes | Act
"""Seconds in which a bot waits, bytes that it says, or something that happens."""


def greeted(*steps: Step) -> float:
    """Wait for the hello of a bot with these steps. Returns when it was accepted; raises what `greet` does."""
    bot, stalls = Scripted(), Stalls()

    async def script() -> None:
        for step in steps:
            if isinstance(step, float):
                await trio.sleep(step)
            elif isinstance(step, bytes):
                bot.say(step)
            elif (happens := step(bot, stalls)) is not None:
                await happens

    async def main() -> float:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(script)
            before = trio.current_time()
            await greet(Player(bot, Log(1 << 10)), round(LIMIT * MICRO), stalls)
            took = trio.current_time() - before
            nursery.cancel_scope.cancel()
        return took

    try:
        return trio.run(main, clock=MockClock(autojump_threshold=0))
    except BaseExceptionGroup as group:
        raise first_error(group) from None
    finally:
        bot.close()


def seen_stall(seconds: float) -> Act:
    """A stall of the machine that is noticed."""

    async def act(bot: Scripted, stalls: Stalls) -> None:
        due = now_us()
        await stall(seconds)
        stalls.beat(due, due + round(seconds * MICRO))

    return act


def wait_for_processor(bot: Scripted, stalls: Stalls) -> None:
    bot.waiting = 1.0


@pytest.mark.parametrize(
    ("steps", "accepted"),
    [
        pytest.param([1.9, HELLO[:10], 0.05, HELLO[10:]], 1.95, id="in time"),
        pytest.param([1.0, seen_stall(0.4), 0.9, HELLO], 2.3, id="a short stall is given back"),
        pytest.param([1.0, seen_stall(30.0), 0.9, HELLO], 31.9, id="a long stall is given back"),
        pytest.param([1.0, wait_for_processor, 1.9, HELLO], 2.9, id="waiting for the processor is given back"),
    ],
)
def test_in_time(steps: list[Step], accepted: float) -> None:
    assert greeted(*steps) == pytest.approx(accepted)


def test_what_lies_in_the_pipe_when_the_machine_wakes_is_in_time() -> None:
    assert greeted(1.0, HELLO, lambda bot, stalls: stall(60.0)) >= 1.0


def test_a_hello_that_comes_while_its_clock_is_judged_is_in_time() -> None:
    def meanwhile(bot: Scripted, stalls: Stalls) -> None:
        answer_while_judged(bot, LIMIT, lambda: bot.say(HELLO))

    assert greeted(meanwhile) == pytest.approx(LIMIT)


@pytest.mark.parametrize(
    ("said", "got"),
    [
        (b"", "nothing"),
        (HELLO[:-1], "only 35 bytes of an unfinished message: '\\x83\\xa4type\\xa5hello"),
    ],
    ids=["nothing", "a part"],
)
def test_too_late(said: bytes, got: str) -> None:
    with pytest.raises(StartFailure) as caught:
        greeted(said, 2.1, HELLO[len(said) :])
    assert caught.value.expected == "a hello within 2 s"
    assert caught.value.got.startswith(got)
    assert said or caught.value.got == got
    assert "Flush stdout after each message: SPEC.md#traps" in str(caught.value)
    assert caught.value.raw == said
    assert caught.value.elapsed == pytest.approx(2.0)


def test_a_program_that_ends_or_says_something_else() -> None:
    with pytest.raises(StartFailure) as caught:
        greeted(lambda bot, stalls: bot.close_output())
    assert caught.value.got == "the end of its output"
    with pytest.raises(StartFailure, match="Loading model"):
        greeted(b"Loading model...\n")
