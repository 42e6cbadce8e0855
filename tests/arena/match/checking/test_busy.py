"""A bot that counts plain time is told so, and no other: by what the kernel says that it used."""

import shlex
from pathlib import Path

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.kits.kit import kits
from bullring.arena.cells.kits.language import kit_of
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.arena.match.checking.busy import shrinks
from bullring.arena.match.checking.check import check
from bullring.arena.match.checking.result import Result, passed
from tests.arena.match.checking.test_check import BOTS, LIMITS
from tests.support.tiers import need


@pytest.mark.parametrize(
    ("alone", "held", "verdict"),
    [
        ([25, 25, 26, 25, 25], [12, 13, 13, 12, 12], True),
        ([25, 12, 26, 25, 25], [12, 13, 13, 12, 12], True),  # others had the core once when it was alone
        ([25, 12, 26, 14, 25], [12, 13, 13, 12, 12], False),
        ([67, 40, 55, 70, 61], [33, 21, 30, 35, 28], True),  # on a busy machine
        ([25, 25, 26, 25, 25], [25, 25, 24, 26, 25], False),
        ([25, 25, 26, 25, 25], [12, 13, 28, 12, 22], False),
        ([2, 2, 2, 2, 2], [1, 1, 1, 1, 1], False),  # it does not use its time
        ([10, 30, 20, 15, 40], [12, 22, 18, 30, 11], False),  # its work differs from answer to answer
        ([25], [12], True),
    ],
)
def test_the_difference_must_be_beyond_doubt(alone: list[int], held: list[int], verdict: bool) -> None:
    assert shrinks([1000 * ms for ms in alone], [1000 * ms for ms in held]) == verdict


def the_step(mode: str) -> Result:
    need("bwrap")

    async def main() -> list[Result]:
        async with open_sandbox(Wish("bwrap", freeze=True)) as sandbox:
            bot = Bot("thinks", Program((PYTHON, "thinks.py", mode), BOTS))
            return await check(bot, sandbox, LIMITS, [find("standard")])

    results = trio.run(main)
    assert passed(results), [result.found for result in results if result.failed]
    return next(result for result in results if result.step == "clock")


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["core", "work"])
def test_nobody_else_is_advised(mode: str) -> None:
    assert the_step(mode).remedy == ""


@pytest.mark.slow
def test_who_counts_plain_time_is_told_what_to_call() -> None:
    step = the_step("wall")
    if step.verdict == "skipped":
        pytest.skip(step.found)
    # Where others have the core meanwhile, the difference may be hidden.
    assert not step.remedy or ("time.process_time()" in step.remedy and "instead of" in step.found)


@pytest.mark.parametrize("language", kits())
def test_the_language_of_a_new_bot_is_known(language: str) -> None:
    declared = kits()[language]
    kit = declared.kit
    assert kit_of(Bot("new", Program(tuple(kit.run), declared.folder), build=tuple(kit.build))) is kit


def test_a_command_line_names_its_language(tmp_path: Path) -> None:
    assert kit_of(Bot("bot", Program(tuple(shlex.split("node bot.js")), tmp_path))) is kits()["javascript"].kit
    assert kit_of(Bot("bot", Program(("./bot",), tmp_path))) is None
