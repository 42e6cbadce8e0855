"""Bots that have nothing to decide are frozen, and turns may be told by a clock."""

import random
from collections.abc import Callable
from math import isclose
from typing import Any

import pytest
import trio

from bullring.arena.match.clock.judge import SLOW_US
from bullring.arena.settings.limits import MICRO, Limits
from tests.support.scripted import Script, Scripted, fails, first_option, referee, script_of, thinks

Question = dict[str, Any]


def test_who_has_answered_is_frozen_while_others_think_and_thawed_for_the_next_question() -> None:
    result, (quick, slow) = referee(first_option, thinks(0.3), freeze=True)
    assert not any(seat.faults for seat in result.seats)
    times = [time for time, change in quick.changes if change == "frozen"]
    assert len(times) >= 9, "at every card but the last, which is nobody's choice"
    assert [change for _, change in quick.changes][:4] == ["frozen", "thawed"] * 2
    (first, _), (second, _) = quick.changes[:2]
    assert isclose(second - first, 0.3 - SLOW_US / MICRO, abs_tol=1e-6), (
        "from the moment the turn was slow until the next question"
    )
    # The slow one is frozen only while a row is chosen by the other.
    assert all(change in ("frozen", "thawed") for _, change in slow.changes)


def test_nobody_is_frozen_who_does_not_freeze() -> None:
    _, bots = referee(first_option, thinks(0.3))
    assert not any(bot.changes for bot in bots)


def test_bots_that_answer_at_once_are_spared_it() -> None:
    _, bots = referee(first_option, first_option, first_option, freeze=True)
    assert not any(bot.changes for bot in bots)


def test_turns_that_are_told_by_a_clock_say_nothing_of_how_long_others_thought() -> None:
    def heard(seconds: float) -> list[float]:
        times: list[float] = []

        async def listens(bot: Scripted) -> None:
            while True:
                question = await bot.question()
                times.append(trio.current_time())
                bot.choose(question, question["options"][0])

        result, _ = referee(thinks(seconds), listens, limits=Limits.seconds(tick=0.25), patient=True)
        assert not any(seat.faults for seat in result.seats)
        return [time - times[0] for time in times]

    quick, slow = heard(0.001), heard(0.2)
    assert len(quick) > 9
    assert quick == slow
    assert all(isclose(time % 0.25, 0, abs_tol=1e-6) or isclose(time % 0.25, 0.25, abs_tol=1e-6) for time in quick)


def starved(before: float, waiting: float, after: float) -> Script:
    """A bot that runs, wants to run and cannot, and answers its first question with the last option."""

    async def step(bot: Scripted, question: Question) -> None:
        await trio.sleep(before)
        bot.waiting += waiting
        await trio.sleep(after)
        bot.choose(question, question["options"][-1])

    return script_of(step)


HALF_A_SECOND = Limits.seconds(card=0.5, row=0.5)


@pytest.mark.parametrize(
    ("before", "waiting", "after", "took_us"),
    [(0.15, 0.3, 0.6, 450_000), (0.2, 0.4, 0.6, 400_000), (0.2, 8.0, 8.2, 400_000)],
    ids=["some", "all", "for long"],
)
def test_a_bot_that_wanted_to_run_and_could_not_gets_that_time_back(
    before: float, waiting: float, after: float, took_us: int
) -> None:
    result, bots = referee(starved(before, waiting, after), first_option, limits=HALF_A_SECOND)
    assert not result.seats[0].faults
    assert result.seats[0].times_us[0] == took_us
    played = next(event for event in bots[0].heard[2]["events"] if event["type"] == "play")
    assert played["cards"][0] == bots[0].heard[1]["options"][-1]


def test_but_a_bot_is_late_when_it_has_used_its_time() -> None:
    result, _ = referee(starved(0.2, 2.0, 60), first_option, limits=HALF_A_SECOND)
    fault = result.seats[0].faults[0]
    assert fault.kind == "timeout"
    assert "not counting 2000 ms in which others had its core" in fault.got
    assert fault.elapsed_us == 500_000


def test_a_core_that_others_have_for_ever_voids_the_match() -> None:
    async def starved_for_ever(bot: Scripted, question: Question) -> None:
        while True:
            await trio.sleep(0.1)
            bot.waiting += 0.1

    result, _ = referee(script_of(starved_for_ever), first_option, limits=HALF_A_SECOND)
    assert result.void is not None
    assert "others had its core" in result.void
    assert not result.seats[0].faults


def test_slow_bots_think_one_after_another_and_their_clocks_stand_meanwhile() -> None:
    thawed_at_once: list[int] = []

    def needs(seconds: float) -> Any:
        async def script(bot: Scripted) -> None:
            while True:
                question = await bot.question()
                for _ in range(round(seconds * 1000)):  # a millisecond of work at a time, whenever it may run
                    await trio.sleep(0.001)
                    while bot.frozen:
                        await trio.sleep(0.001)
                    bot.used = bot.used[0] + 0.001, 0
                    thawed_at_once.append(sum(not other.frozen for other in bots))
                bot.choose(question, question["options"][0])

        return script

    bots: list[Scripted] = []
    limits = Limits.seconds(card=0.2, row=0.2)
    result, _ = referee(
        needs(0.15), needs(0.15), needs(0.15), freeze=True, limits=limits, on=bots, stalls=trio.sleep_forever
    )
    assert not any(seat.faults for seat in result.seats)
    for seat in result.seats:
        assert all(us < 160_000 for us in seat.times_us)
    beginning = sum(number > 1 for number in thawed_at_once)
    assert beginning <= 10 * 3 * 4, "only until the turn is slow"


def test_bots_that_wait_do_so_side_by_side() -> None:
    result, bots = referee(
        *[thinks(0.2)] * 4, freeze=True, limits=Limits.seconds(card=1.0, row=1.0), stalls=trio.sleep_forever
    )
    assert not any(seat.faults for seat in result.seats)
    for seat, bot in zip(result.seats, bots, strict=True):
        assert seat.times_us[-1] == 200_000
        assert sum(change == "frozen" for _, change in bot.changes) < 5, (
            "once it is known to wait, it need not wait its turn"
        )


def test_a_failure_of_the_machine_voids_the_match_and_is_nobody_s_fault() -> None:
    result, bots = referee(script_of(fails), first_option)
    assert result.void == "the machine failed seat 0: the engine is gone"
    assert not any(seat.faults for seat in result.seats)
    assert bots[1].heard[-1]["void"] is True


def test_a_bot_that_counts_plain_time_is_told_from_one_that_does_not() -> None:
    def thinks_until(done: Callable[[float, float], bool]) -> Script:
        async def script(bot: Scripted) -> None:
            while True:
                question = await bot.question()
                began, before = trio.current_time(), bot.used[0]
                while not done(trio.current_time() - began, bot.used[0] - before):
                    await trio.sleep(0.001)
                    while bot.frozen:
                        await trio.sleep(0.001)
                    bot.used = bot.used[0] + 0.001, 0
                bot.choose(question, question["options"][0])

        return script

    draw = random.Random(5)
    plain = thinks_until(lambda time, used: time > 0.15)
    steady = thinks_until(lambda time, used: used > 0.15)
    varied = thinks_until(lambda time, used: draw.random() < 0.02)
    result, _ = referee(
        *(plain, steady, varied),
        options={"deals": 4},
        freeze=True,
        limits=Limits.seconds(card=1, row=1),
        stalls=trio.sleep_forever,
    )
    shrank, grew = zip(*((seat.shrank, seat.grew) for seat in result.seats), strict=True)
    assert shrank[0] > 2
    assert (grew[0], shrank[1], grew[1]) == (0, 0, 0)
