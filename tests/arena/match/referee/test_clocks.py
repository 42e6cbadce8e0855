"""Deadlines, each seat under its own, in virtual time."""

from dataclasses import replace
from typing import Any

import trio
from trio.testing import MockClock

from bullring.arena.match.faults import FaultKind
from bullring.arena.settings.limits import NO_CLOCK, Limits
from tests.support.scripted import Scripted, answer_while_judged, first_option, late, referee, script_of, silent, thinks

Question = dict[str, Any]


def test_a_silent_bot_gets_three_strikes_and_is_played_by_the_referee() -> None:
    result, bots = referee(first_option, silent, first_option, limits=Limits.seconds(card=0.2, row=0.2))
    seat = result.seats[1]
    assert [fault.kind for fault in seat.faults] == [FaultKind.TIMEOUT] * 3
    assert [fault.closed for fault in seat.faults] == [False, False, True]
    assert [fault.elapsed_us for fault in seat.faults] == [200_000] * 3
    assert seat.faults[0].decision == "deal 1, turn 1, card"
    assert seat.rank == 3
    assert bots[1].killed
    assert len(seat.times_us) == 3, "a closed seat is not asked any more"
    assert not result.seats[0].faults
    assert not result.seats[2].faults
    assert not bots[0].killed


def test_what_others_used_of_the_processor_is_not_taken_from_the_bank() -> None:
    """A limit of 1 s and a bank of 5 s: 0.5 s of thinking and 1 s in which others had the processor leave the whole bank."""

    async def kept_waiting(bot: Scripted, question: Question) -> None:
        await trio.sleep(0.5)
        bot.waiting += 1.0
        await trio.sleep(1.0)
        bot.choose(question, question["options"][0])

    limits = Limits.seconds(card=1.0, row=1.0, bank=5.0)
    _, bots = referee(script_of(kept_waiting), first_option, limits=limits)
    banks = [message["time"]["bank_us"] for message in bots[0].heard if message["type"] == "decide"]
    assert set(banks) == {5_000_000}


def test_everybody_has_a_time_of_his_own() -> None:
    result, _ = referee(thinks(0.5), thinks(0.01), thinks(0.2))
    for seat, seconds in zip(result.seats, (0.5, 0.01, 0.2), strict=True):
        assert seat.times_us
        assert set(seat.times_us) == {round(seconds * 1e6)}
        assert not seat.faults


def test_an_answer_that_lies_in_the_pipe_when_the_deadline_passes_is_in_time() -> None:
    async def at_the_last_moment(bot: Scripted, question: Question) -> None:
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)
        bot.choose(question, question["options"][-1])
        clock.jump(0.03)  # the referee comes to look only when the deadline has passed

    result, bots = referee(script_of(at_the_last_moment), script_of(late), limits=Limits.seconds(card=0.01, row=1.0))
    assert not result.seats[0].faults
    hand = bots[0].heard[1]["view"]["hand"]
    played = next(event for event in bots[0].heard[2]["events"] if event["type"] == "play")
    assert played["cards"][0] == hand[-1]


def test_an_answer_that_comes_while_its_clock_is_judged_is_in_time() -> None:
    async def meanwhile(bot: Scripted, question: Question) -> None:
        answer_while_judged(bot, 0.2, lambda: bot.choose(question, question["options"][-1]))

    result, _ = referee(script_of(meanwhile), script_of(late), limits=Limits.seconds(card=0.2, row=1.0))
    assert [len(seat.faults) for seat in result.seats] == [0, 1]


def test_a_late_answer_is_dropped_and_the_bot_plays_on() -> None:
    async def too_late(bot: Scripted, question: Question) -> None:
        await trio.sleep(0.25)
        bot.choose(question, question["options"][-1])

    result, bots = referee(script_of(too_late), first_option, limits=Limits.seconds(card=0.2, row=0.2))
    assert [fault.kind for fault in result.seats[0].faults] == [FaultKind.TIMEOUT]
    first = bots[0].heard[1]
    played = next(event for event in bots[0].heard[2]["events"] if event["type"] == "play")
    assert played["cards"][0] != first["view"]["hand"][-1]
    assert "timeout" in bots[0].heard[2]["fault"]
    assert all("fault" not in message for message in bots[0].heard[3:])


def test_card_and_row_have_limits_of_their_own() -> None:
    async def slow_rows(bot: Scripted) -> None:
        while True:
            question = await bot.question()
            await trio.sleep(0.3 if question["kind"] == "row" else 0.0)
            bot.choose(question, question["options"][0])

    limits = Limits.seconds(card=0.1, row=0.5)
    result, bots = referee(slow_rows, slow_rows, limits=limits)
    assert not any(seat.faults for seat in result.seats)
    asked = [message["time"] for bot in bots for message in bot.heard if message.get("kind") == "row"]
    assert asked
    assert {time["limit_us"] for time in asked} == {500_000}
    result, _ = referee(slow_rows, slow_rows, limits=Limits.seconds(card=0.5, row=0.1))
    assert {fault.kind for seat in result.seats for fault in seat.faults} == {FaultKind.TIMEOUT}


def test_what_exceeds_a_limit_is_taken_from_the_bank() -> None:
    result, bots = referee(thinks(0.31), first_option, limits=Limits.seconds(card=0.1, row=0.1, bank=1.0))
    questions = [message for message in bots[0].heard if message["type"] == "decide"]
    banks = [question["time"]["bank_us"] for question in questions]
    assert banks[:5] == [1_000_000, 790_000, 580_000, 370_000, 160_000]
    faults = result.seats[0].faults
    assert faults
    assert faults[0].elapsed_us == 260_000, "the limit and what was left of the bank"
    assert min(banks) == 0


def test_a_time_loss_empties_the_bank() -> None:
    _, bots = referee(script_of(late), first_option, limits=Limits.seconds(card=0.2, row=0.2, bank=0.3))
    banks = [message["time"]["bank_us"] for message in bots[0].heard if message["type"] == "decide"]
    assert banks[:2] == [300_000, 0]


def test_a_bot_learns_its_own_last_time() -> None:
    _, bots = referee(thinks(0.02), thinks(0.05))
    questions = [message for message in bots[1].heard if message["type"] == "decide"]
    assert questions[0]["time"]["last_us"] == 0
    assert {question["time"]["last_us"] for question in questions[1:]} == {50_000}


def test_the_shorter_of_two_deadlines_is_noticed_while_the_longer_one_runs() -> None:
    """With a bank, seats of one turn have different deadlines."""

    async def spend(bot: Scripted, question: Question) -> None:
        await trio.sleep(0.9)
        bot.choose(question, question["options"][0])

    limits = Limits.seconds(card=0.1, row=0.1, bank=1.0)
    result, _ = referee(script_of(spend, late), script_of(late, late), limits=limits)
    assert [fault.elapsed_us for fault in result.seats[0].faults] == [300_000], "0.2 s of the bank were left"
    assert [fault.elapsed_us for fault in result.seats[1].faults] == [1_100_000, 100_000], "a timeout empties the bank"


def test_people_are_told_who_still_thinks_and_nothing_where_everybody_is_quick() -> None:
    told: list[tuple[int, tuple[int, ...]]] = []
    limits = Limits.seconds(card=1, row=1)
    referee(thinks(0.01), thinks(0.03), first_option, limits=limits, pulse=lambda *news: told.append(news))
    assert told[:2] == [(1, (0, 1)), (1, (1,))], "seat 2 has answered at once"
    assert len(set(told)) == len(told), "only changes are told"
    told.clear()
    referee(first_option, first_option, limits=limits, pulse=lambda *news: told.append(news))
    assert told == []


def test_without_a_clock_nobody_is_late_and_the_bank_stays() -> None:
    async def breakpoint_(bot: Scripted, question: Question) -> None:
        await trio.sleep(3600)
        bot.choose(question, question["options"][0])

    limits = replace(Limits.seconds(card=0.1, row=0.1, bank=1), binding=False)
    result, bots = referee(script_of(breakpoint_), first_option, limits=limits, notes={"clock": NO_CLOCK})
    assert not result.seats[0].faults
    assert result.seats[0].times_us[0] == 3600 * 1_000_000
    asked = [message["time"] for message in bots[0].heard if message["type"] == "decide"]
    assert {(time["limit_us"], time["bank_us"]) for time in asked} == {(100_000, 1_000_000)}
    assert asked[1]["last_us"] == 3600 * 1_000_000
