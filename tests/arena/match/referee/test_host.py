"""A stall of the host is never blamed on a bot."""

from typing import Any

import trio

from bullring.arena.settings.limits import Limits
from tests.support.scripted import Scripted, first_option, late, referee, script_of, silent, stall, thinks


def at(seconds: float, length: float) -> Any:
    async def stalls() -> None:
        await trio.sleep(seconds)
        await stall(length)

    return stalls


def test_a_time_loss_over_a_stall_voids_the_match() -> None:
    result, bots = referee(silent, first_option, limits=Limits.seconds(card=0.5), stalls=at(0.2, 0.2))
    assert result.void is not None
    assert "machine stood still" in result.void
    assert not result.seats[0].faults
    assert {seat.rank for seat in result.seats} == {0}
    assert bots[1].heard[-1]["type"] == "match_over"
    assert bots[1].heard[-1]["void"] is True
    assert bots[1].heard[-1]["ranks"] == []
    assert [seat.times_us for seat in result.seats] == [[], []], "the turn is not complete, so it is in no record"


def test_a_stall_over_the_deadline_itself_voids_the_match() -> None:
    result, _ = referee(silent, first_option, limits=Limits.seconds(card=0.5), stalls=at(0.45, 0.3))
    assert result.void is not None


def test_what_a_short_stall_cost_is_given_back() -> None:
    async def just_in_time(bot: Scripted, question: dict[str, Any]) -> None:
        await trio.sleep(0.52)
        bot.choose(question, question["options"][-1])

    result, bots = referee(
        script_of(just_in_time), first_option, limits=Limits.seconds(card=0.5, row=0.5), stalls=at(0.2, 0.08)
    )
    assert result.void is None
    assert not result.seats[0].faults
    played = next(event for event in bots[0].heard[2]["events"] if event["type"] == "play")
    assert played["cards"][0] == bots[0].heard[1]["options"][-1]


def test_but_a_bot_that_needs_more_than_that_is_late_by_its_own_fault() -> None:
    result, _ = referee(silent, first_option, limits=Limits.seconds(card=0.5, row=0.5), stalls=at(0.2, 0.08))
    assert result.void is None
    fault = result.seats[0].faults[0]
    assert fault.elapsed_us == 500_000
    assert "in which the machine stood still" in fault.got
    assert [other.elapsed_us for other in result.seats[0].faults[1:]] == [500_000, 500_000]


def test_a_stall_that_costs_nobody_his_time_is_no_matter() -> None:
    result, _ = referee(thinks(0.3), first_option, limits=Limits.seconds(card=1.0), stalls=at(0.1, 0.2))
    assert result.void is None
    assert not any(seat.faults for seat in result.seats)


def test_a_stall_before_the_question_excuses_nobody() -> None:
    async def later(bot: Scripted, question: dict[str, Any]) -> None:
        await trio.sleep(0.4)
        bot.choose(question, question["options"][0])

    result, _ = referee(
        script_of(later, late), first_option, limits=Limits.seconds(card=0.5, row=0.5), stalls=at(0.1, 0.2)
    )
    assert result.void is None
    assert len(result.seats[0].faults) == 1
