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
from tests.support.scripted import HELLO, Scripted, stall

LIMIT = 2.0


def greeted(script: Callable[[Scripted, Stalls], Awaitable[None]]) -> float:
    """Wait for the hello of a script. Returns when it was accepted; raises what `greet` does."""
    bot, stalls = Scripted(), Stalls()

    async def main() -> float:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(script, bot, stalls)
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


def test_in_time() -> None:
    async def script(bot: Scripted, stalls: Stalls) -> None:
        await trio.sleep(1.9)
        bot.say(HELLO[:10])
        await trio.sleep(0.05)
        bot.say(HELLO[10:])

    assert greeted(script) == pytest.approx(1.95)


@pytest.mark.parametrize("said", [b"", HELLO[:-1]], ids=["nothing", "a part"])
def test_too_late(said: bytes) -> None:
    async def script(bot: Scripted, stalls: Stalls) -> None:
        if said:
            bot.say(said)
        await trio.sleep(2.1)
        bot.say(HELLO[len(said) :])

    with pytest.raises(StartFailure) as caught:
        greeted(script)
    assert caught.value.expected == "a hello within 2 s"
    if said:
        assert caught.value.got.startswith("only 35 bytes of an unfinished message: '\\x83\\xa4type\\xa5hello")
    else:
        assert caught.value.got == "nothing"
    assert "Flush stdout after each message: SPEC.md#traps" in str(caught.value)
    assert caught.value.raw == said
    assert caught.value.elapsed == pytest.approx(2.0)


def test_what_lies_in_the_pipe_when_the_machine_wakes_is_in_time() -> None:
    async def script(bot: Scripted, stalls: Stalls) -> None:
        await trio.sleep(1.0)
        bot.say(HELLO)
        await stall(60.0)

    assert greeted(script) >= 1.0


@pytest.mark.parametrize("seconds", [0.4, 30.0])
def test_a_stall_is_given_back_however_long_it_was(seconds: float) -> None:
    async def script(bot: Scripted, stalls: Stalls) -> None:
        await trio.sleep(1.0)
        due = now_us()
        await stall(seconds)
        stalls.beat(due, due + round(seconds * MICRO))
        await trio.sleep(0.9)
        bot.say(HELLO)

    assert greeted(script) == pytest.approx(1.9 + seconds)


def test_waiting_for_the_processor_is_given_back() -> None:
    async def script(bot: Scripted, stalls: Stalls) -> None:
        await trio.sleep(1.0)
        bot.waiting = 1.0
        await trio.sleep(1.9)
        bot.say(HELLO)

    assert greeted(script) == pytest.approx(2.9)


def test_a_program_that_ends_or_says_something_else() -> None:
    async def ends(bot: Scripted, stalls: Stalls) -> None:
        bot.close_output()

    async def prints(bot: Scripted, stalls: Stalls) -> None:
        bot.say(b"Loading model...\n")

    with pytest.raises(StartFailure) as caught:
        greeted(ends)
    assert caught.value.got == "the end of its output"
    with pytest.raises(StartFailure, match="Loading model"):
        greeted(prints)
