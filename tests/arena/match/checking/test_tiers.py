"""A check is the same in each tier of processes that this machine proves."""

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.program import PYTHON, Program
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rules.registry import find
from bullring.arena.match.checking.check import check
from bullring.arena.match.checking.result import Result, passed
from tests.arena.match.checking.test_check import BOTS, LIMITS, the_failure
from tests.support.tiers import LOCAL, in_each


def checked_in(tier: str, *command: str) -> list[Result]:
    async def main() -> list[Result]:
        async with open_sandbox(Wish(tier, allow_unsandboxed=True)) as sandbox:
            bot = Bot("checked", Program((PYTHON, *command), BOTS))
            return await check(bot, sandbox, LIMITS, [find("standard")])

    return trio.run(main)


@in_each(*LOCAL)
def test_a_right_bot_passes(tier: str) -> None:
    assert passed(checked_in(tier, "right.py"))


@pytest.mark.slow  # the wrong bots wait for what does not come
@in_each(*LOCAL)
def test_wrong_bots_fail_their_steps(tier: str) -> None:
    the_failure(checked_in(tier, "wrong.py", "one_read"), "pieces")
    the_failure(checked_in(tier, "wrong.py", "stays"), "end")
