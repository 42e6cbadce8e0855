"""Questions of a record put to a bot again: what counts as an answer, and when it ends. Time is virtual."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.ask import Reply, ask
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.wire import Wire
from bullring.arena.settings.limits import Limits
from tests.support.scripted import HELLO, Script, Scripted, acting, first_option, referee, script_of, silent

Question = dict[str, Any]
LIMITS = Limits.seconds(card=1, row=1, bank=2)


class _House:
    """A sandbox with one script."""

    freeze = counts = False

    def __init__(self, script: Script, nursery: trio.Nursery) -> None:
        self.cell = Scripted()
        self._script, self._nursery = script, nursery

    async def start(self, program: Program, on_log: object) -> Scripted:
        self.cell.say(HELLO)
        self._nursery.start_soon(self._script, self.cell)
        return self.cell


def replies_of(script: Script, tmp_path: Path, recorded: Script = first_option) -> tuple[list[Reply], Scripted]:
    """Put all questions of a match to a script."""
    record = tmp_path / "m.jsonl"
    referee(recorded, first_option, limits=LIMITS, record=record)
    wire = Wire(read_lines(record), 0)
    houses = []

    async def main() -> list[Reply]:
        async with trio.open_nursery() as nursery:
            houses.append(_House(script, nursery))
            house: Any = houses[0]
            replies = await ask(Bot("scripted", Program(("x",), Path())), house, list(wire), wire.limits)
            nursery.cancel_scope.cancel()
        return replies

    with ExitStack() as stack:
        replies = trio.run(main, clock=MockClock(autojump_threshold=0))
        stack.callback(houses[0].cell.close)
        houses[0].cell.has_message()
        return replies, houses[0].cell


def test_a_polite_bot_gives_the_answers_of_the_record_and_hears_the_same(tmp_path: Path) -> None:
    replies, bot = replies_of(first_option, tmp_path)
    assert len(replies) >= 10
    assert not any(reply.differs or reply.fault for reply in replies)
    kinds = [message["type"] for message in bot.heard]
    assert kinds == ["welcome", *["decide"] * len(replies), "bye"]
    assert json.dumps(replies[0].facts())


@pytest.mark.parametrize("key", ["option", "index"])
def test_an_answer_may_be_an_index(tmp_path: Path, key: str) -> None:
    import msgpack

    def act(bot: Scripted, question: Question) -> None:
        value = question["options"][1] if key == "option" else 1
        bot.say(msgpack.packb({"type": "choice", "id": question["id"], key: value}))

    replies, bot = replies_of(acting(act), tmp_path)
    assert replies[0].option == bot.heard[1]["options"][1]
    assert [reply.differs for reply in replies] == [True] + [False] * (len(replies) - 1)


def test_what_is_no_option_is_a_fault_and_it_is_asked_on(tmp_path: Path) -> None:
    replies, _ = replies_of(acting(lambda bot, question: bot.choose(question, 777)), tmp_path)
    assert replies[0].fault is FaultKind.ILLEGAL
    assert replies[0].got == "777"
    assert len(replies) > 3
    assert not any(reply.fault for reply in replies[1:])


def test_the_bank_counts_as_in_the_match_and_three_faults_end_it(tmp_path: Path) -> None:
    replies, _ = replies_of(silent, tmp_path)
    assert [reply.fault for reply in replies] == [FaultKind.TIMEOUT] * 3
    assert [reply.us for reply in replies] == [3_000_000] * 3
    assert replies[0].expected == "an answer within 3000 ms"


def test_a_late_answer_is_dropped_and_the_next_question_has_its_own(tmp_path: Path) -> None:
    async def late(bot: Scripted, question: Question) -> None:
        await trio.sleep(3.5)
        bot.choose(question, question["options"][1])

    replies, _ = replies_of(script_of(late), tmp_path)
    assert [reply.fault for reply in replies[:2]] == [FaultKind.TIMEOUT, None]
    assert replies[1].option == replies[1].exchange.option


def test_the_end_of_its_output_ends_it(tmp_path: Path) -> None:
    replies, _ = replies_of(acting(lambda bot, question: bot.close_output()), tmp_path)
    (reply,) = replies
    assert reply.fault is FaultKind.CRASH
    assert reply.exit == "ended by the arena"
    assert reply.facts()["fault"]["exit"] == "ended by the arena"


def test_garbage_in_msgpack_ends_it(tmp_path: Path) -> None:
    replies, _ = replies_of(acting(lambda bot, question: bot.say(b"thinking ...\n")), tmp_path)
    assert [reply.fault for reply in replies] == [FaultKind.PROTOCOL]
