"""Mistakes of bots and their cost, hidden from all other seats."""

import json
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from bullring.arena.cells.sandbox.cell import Breach
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.match.faults import FATAL, FaultKind
from bullring.arena.match.referee.turns import FLOOD, PIECE
from bullring.arena.settings.limits import Limits
from bullring.errors import StartFailure
from tests.support.scripted import HELLO, Script, Scripted, acting, first_option, referee, script_of, silent, thinks

Question = dict[str, Any]
LIMITS = Limits.seconds(card=0.2, row=0.2)


def answering(**changes: Any) -> Script:
    return acting(lambda bot, q: bot.say(msgpack.packb({"type": "choice", "id": q["id"], "option": 1} | changes)))


@pytest.mark.parametrize("option", [0, -1, 105, 2**31 - 1, "row", [1, 2]])
def test_an_option_that_is_not_offered_is_illegal(option: object) -> None:
    result, bots = referee(answering(option=option), first_option, limits=LIMITS)
    (fault,) = result.seats[0].faults
    assert fault.kind is FaultKind.ILLEGAL
    assert not fault.closed
    hand = bots[0].heard[1]["options"]
    assert str(hand[0]) in fault.expected
    assert fault.got == repr(option)
    assert bots[0].heard[2]["fault"].startswith("illegal: expected one of")


async def flood(bot: Scripted, question: Question) -> None:
    for _ in range(20):
        bot.say(b"\n" * 4096)  # white space may stand between messages, but not without end
        await trio.sleep(0.001)


async def trickle(bot: Scripted, question: Question) -> None:
    """Byte after byte costs the referee no more than a flood."""
    for _ in range(FLOOD // PIECE + 1):
        bot.say(b" ")
        await wait_all_tasks_blocked()


async def end_while_others_think(bot: Scripted, question: Question) -> None:
    bot.choose(question, question["options"][0])
    await trio.sleep(0.01)
    bot.close_output()


def twice(bot: Scripted, question: Question) -> None:
    bot.choose(question, question["options"][0])
    bot.choose(question, question["options"][1])


def eat(bot: Scripted, question: Question) -> None:
    bot.broken = Breach.MEMORY, "900 MiB of resident memory"
    bot.close_output()


def by_index(position: int) -> Script:
    return acting(lambda bot, q: bot.say(msgpack.packb({"type": "choice", "id": q["id"], "index": position})))


MISTAKES: dict[str, tuple[Script, FaultKind, str, str]] = {
    **{
        f"the option {option!s:.9}": (answering(option=option), FaultKind.PROTOCOL, "option", "")
        for option in (True, 5.0, None, 2**31, "x" * 65, {"card": 5}, [1] * 17, [True])
    },
    "a float that equals a card in Python": (
        acting(lambda bot, q: bot.choose(q, float(q["options"][0]))),
        FaultKind.PROTOCOL,
        "option",
        "without a fraction",
    ),
    "the index after the last": (
        by_index(10),
        FaultKind.ILLEGAL,
        "an index from 0 to 9, for 10 options",
        "the index 10 (the first option has the index 0)",
    ),
    "a large index": (by_index(2**31 - 1), FaultKind.ILLEGAL, "an index from 0 to 9", "the index 2147483647"),
    "a wrong id": (answering(id=5), FaultKind.PROTOCOL, "a choice with the id", "the id 5"),
    "two answers": (acting(twice), FaultKind.PROTOCOL, "nothing, because", "a choice with the id"),
    "text on stdout": (
        acting(lambda bot, q: bot.say(b"thinking about it...\n")),
        FaultKind.PROTOCOL,
        "",
        "thinking about it...\\n' (a bot's stdout belongs to the protocol: print to stderr",
    ),
    "the end of its output": (
        acting(lambda bot, q: bot.close_output()),
        FaultKind.CRASH,
        "an answer",
        "the end of its",
    ),
    "its end while others think": (
        script_of(end_while_others_think),
        FaultKind.CRASH,
        "a bot that stays",
        "the end of its",
    ),
    "a flood": (script_of(flood), FaultKind.OUTPUT, f"at most {FLOOD} bytes", ""),
    "a trickle": (script_of(trickle), FaultKind.OUTPUT, f"at most {FLOOD} bytes", ""),
    "a breach, which goes before the crash that it causes": (
        acting(eat),
        FaultKind.MEMORY,
        "a bot within its limits",
        "900 MiB of resident memory",
    ),
}
"""Bots that make one mistake at their first question, with its kind, and parts of what was expected and what came."""

BETWEEN = ("two answers", "its end while others think")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_in_words_and_costs_a_strike_or_the_seat(name: str) -> None:
    script, kind, expected, got = MISTAKES[name]
    result, bots = referee(script, thinks(0.1), first_option, limits=LIMITS)
    (fault,) = result.seats[0].faults
    assert fault.kind is kind
    assert expected in fault.expected
    assert got in fault.got
    assert not result.seats[1].faults
    assert not result.seats[2].faults
    assert fault.closed == (kind in FATAL or "stderr" in fault.got), "nothing can be read after text in msgpack"
    assert bots[0].killed == fault.closed
    if fault.closed:
        assert result.seats[0].rank == 3
    else:
        assert bots[0].heard[2]["fault"] == f"{kind}: expected {fault.expected}; got {fault.got}"
    assert fault.decision == f"deal 1, turn 1, {'between its decisions' if name in BETWEEN else 'card'}"


@pytest.mark.parametrize("game", GAMES)
def test_answers_by_index_make_the_same_record_as_the_options(game: str, tmp_path: Path) -> None:
    async def last_index(bot: Scripted) -> None:
        while True:
            question = await bot.question()
            position = len(question["options"]) - 1
            bot.say(msgpack.packb({"type": "choice", "id": question["id"], "index": position}))

    async def last_option(bot: Scripted) -> None:
        while True:
            question = await bot.question()
            bot.choose(question, question["options"][-1])

    def answers(script: Script) -> list[Any]:
        seats = [script] * find(game).seat_range[0]
        result, _ = referee(*seats, game=game, options={}, record=tmp_path / "match.jsonl")
        assert not any(seat.faults for seat in result.seats)
        lines = (tmp_path / "match.jsonl").read_text().splitlines()
        return [line["answers"] for line in map(json.loads, lines) if "answers" in line]

    assert answers(last_index) == answers(last_option)


def test_the_first_bytes_of_what_came_are_in_the_record(tmp_path: Path) -> None:
    said = b"thinking about \xfc and 'it' and \"that\"...\n" + b"x" * 1000
    referee(acting(lambda bot, q: bot.say(said)), first_option, limits=LIMITS, record=tmp_path / "m.jsonl")
    lines = map(json.loads, (tmp_path / "m.jsonl").read_text().splitlines())
    (fault,) = [line["fault"] for line in lines if "fault" in line]
    assert fault["bytes"].encode("ascii").decode("unicode_escape").encode("latin-1") == said[:500]


def test_only_a_bot_that_was_never_heard_is_told_to_flush() -> None:
    async def falls_silent(bot: Scripted) -> None:
        question = await bot.question()
        bot.choose(question, question["options"][0])
        await silent(bot)

    result, _ = referee(silent, falls_silent, limits=LIMITS)
    never, later = (seat.faults for seat in result.seats)
    assert never[0].got.startswith("nothing (did it flush? Flush stdout after each message")
    assert later[0].got == "nothing"


def test_half_an_answer_is_shown() -> None:
    result, _ = referee(acting(lambda bot, q: bot.say(b"\x83\xa4type\xa6choice")), first_option, limits=LIMITS)
    fault = result.seats[0].faults[0]
    assert fault.got.startswith("only 13 bytes of an unfinished message: '\\x83\\xa4type\\xa6choice'")
    assert fault.raw == b"\x83\xa4type\xa6choice"


def test_a_bad_line_of_json_is_a_strike_for_the_next_line_can_be_found() -> None:
    hello = json.dumps({"type": "hello", "protocol": 1, "name": "j"}).encode() + b"\n"
    heard: list[dict[str, Any]] = []

    async def sloppy(bot: Scripted) -> None:
        text = b""
        while True:
            await trio.lowlevel.wait_readable(bot.bot_in)
            text += bot.hear()
            *lines, text = text.split(b"\n")
            for message in map(json.loads, lines):
                heard.append(message)
                if message["type"] == "decide":
                    if len(heard) == 2:
                        bot.say(b"debug: hello\n")
                    else:
                        answer = {"type": "choice", "id": message["id"], "option": message["options"][0]}
                        bot.say(json.dumps(answer).encode() + b"\n")

    result, _ = referee(sloppy, first_option, limits=LIMITS, hellos=[hello, HELLO])
    (fault,) = result.seats[0].faults
    assert fault.kind is FaultKind.PROTOCOL
    assert not fault.closed
    assert "stderr" in fault.got
    assert "debug: hello" in heard[2]["fault"]


def test_a_bot_that_did_not_start_ranks_last_and_its_seat_is_played() -> None:
    failure = StartFailure("a hello within 10 s", "nothing", elapsed=10.0)
    result, _ = referee(failure, first_option, first_option, limits=LIMITS)
    (fault,) = result.seats[0].faults
    assert fault.kind is FaultKind.START
    assert fault.closed
    assert fault.elapsed_us == 10_000_000
    assert result.seats[0].rank == 3
    assert not result.seats[0].times_us


def test_a_match_of_nobody_but_the_referee_comes_to_its_end() -> None:
    failure = StartFailure("a hello", "nothing")
    result, _ = referee(failure, failure, failure, options={"target": 66})
    assert max(seat.score for seat in result.seats) > 66
    assert {seat.rank for seat in result.seats} == {1}, "all share the last place"


def test_a_bot_that_does_not_read_blocks_nobody() -> None:
    async def deaf(bot: Scripted) -> None:
        await trio.sleep_forever()

    result, _ = referee(deaf, first_option, options={"deals": 3}, limits=LIMITS)
    assert [fault.kind for fault in result.seats[0].faults] == [FaultKind.TIMEOUT] * 3
    assert not result.seats[1].faults


def polite_fallback(bot_heard: list[dict[str, Any]]) -> Script:
    """A bot that makes the moves the referee would make for it, taken from an earlier match with a silent bot."""

    async def script(bot: Scripted) -> None:
        moves = list(fallback_cards)
        while True:
            question = await bot.question()
            bot.choose(question, moves.pop(0) if question["kind"] == "card" else fallback_row(question["view"]))

    fallback_cards = [
        event["cards"][0] for message in bot_heard for event in message.get("events", ()) if event["type"] == "play"
    ]
    return script


async def always_illegal(bot: Scripted) -> None:
    while True:
        bot.choose(await bot.question(), 0)


def fallback_row(view: dict[str, Any]) -> int:
    return int(view["row_heads"].index(min(view["row_heads"]))) + 1


@pytest.mark.parametrize("hostile", [silent, acting(lambda bot, q: bot.say(b"\xc1" * 100)), always_illegal])
def test_rivals_see_just_what_a_polite_bot_with_the_same_moves_would_have_shown_them(hostile: Script) -> None:
    _, bots = referee(hostile, first_option, first_option, limits=LIMITS)
    rival = bots[1].heard
    _, again = referee(polite_fallback(rival), first_option, first_option, limits=LIMITS)
    for heard in (rival, again[1].heard):
        heard[-1].pop("ranks")  # a closed seat ranks last
    assert rival == again[1].heard
    assert len(rival) > 10
