"""The adviser, with real processes: the bot montecarlo, as without a compiler there is no other."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from bullring.arena.games.rules.variants.standard import Standard
from bullring.arena.study.hints.adviser import Adviser
from bullring.errors import HostError
from tests.arena.games.rules.playing import GameType, every_game
from tests.arena.study.hints.asked import asked, questions
from tests.support.patience import PATIENCE


@asynccontextmanager
async def advising(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Adviser]:
    monkeypatch.setenv("BULLRING_COMPILE", "0")
    adviser = Adviser()
    await adviser.start()
    try:
        yield adviser
    finally:
        await adviser.stop()


def test_it_thinks_is_cancelled_is_asked_again_and_notices_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    card, row = questions(Standard)

    async def main() -> None:
        async with advising(monkeypatch) as adviser:
            thoughts = await adviser.thoughts(card.welcome, card.question, 0.01)
            assert thoughts.by == "@montecarlo"
            assert [thought.option for thought in thoughts.options] == card.question["options"]
            assert thoughts.best in card.question["options"]

            first = asyncio.create_task(adviser.thoughts(card.welcome, card.question, PATIENCE))
            await asyncio.sleep(0)
            first.cancel()
            # The thinking about the first question ends as another one comes.
            again = await asyncio.wait_for(adviser.thoughts(row.welcome, row.question, 0.01), PATIENCE / 2)
            assert [thought.option for thought in again.options] == [1, 2, 3, 4]
            with pytest.raises(asyncio.CancelledError):
                await first

            unknown = await adviser.thoughts({**card.welcome, "game": "toy"}, card.question, 0.01)
            assert (unknown.options, unknown.best) == ((), None)

            assert adviser._child is not None
            os.kill(adviser._child.pid, signal.SIGKILL)
            with pytest.raises(HostError, match="no hints"):
                await adviser.thoughts(card.welcome, card.question, PATIENCE)

    asyncio.run(main())


@every_game
def test_it_is_told_what_the_seat_knows_and_nothing_else(kind: GameType) -> None:
    for one in questions(kind):
        other = one.game.resample(one.state, one.seat, Random(5).shuffle)
        same = asked(one.game, other)
        assert json.dumps([same.welcome, same.question]) == json.dumps([one.welcome, one.question])
        assert {*one.question} == {"type", "id", "kind", "options", "view"}
