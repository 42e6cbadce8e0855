"""Scripted people at a real table: the real client, the real referee process, and bots without a sandbox."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.messages import Broken, News, Over, Question
from bullring.arena.watching.people.sitting import Chair, Sitting
from tests.support.games import DIFFERENT
from tests.support.patience import PATIENCE

ANNA, BEN, RANDOM = Chair("Anna"), Chair("Ben"), Chair(bot="@random")

some_games = pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=name, marks=() if name in DIFFERENT else pytest.mark.slow) for name, kind in GAMES.items()],
)
"""Runs a test for these games, which it gets as `kind`; slowly, for all."""

Act = Callable[[Table, Question], Any]
"""The reaction of a person to a question; a coroutine is awaited."""


def sitting(folder: Path, *chairs: Chair, **more: Any) -> Sitting:
    """A sitting without a sandbox, with limits that no busy machine exceeds."""
    times = ("60s", "start=60s")
    return Sitting(chairs, folder=str(folder), tier="none", allow_unsandboxed=True, times=times, **more)


async def first_option(table: Table, question: Question) -> None:
    await table.answer(question.seat, question.id, question.options[0])


async def heard(table: Table, act: Act = first_option) -> list[News]:
    """Play until there is no more news. Returns it."""
    news = []
    async with asyncio.timeout(PATIENCE), table:
        async for one in table:
            news.append(one)
            if isinstance(one, Question):
                table.start_clock()
                await act(table, one)
    return news


def play(table: Table, act: Act = first_option) -> list[News]:
    """The same, in a loop of its own."""

    async def main() -> list[News]:
        return await heard(table, act)

    return asyncio.run(main())


def facts(news: list[News]) -> Mapping[str, Any]:
    """The result."""
    over = news[-1]
    assert isinstance(over, Over), over.text if isinstance(over, Broken) else over
    return over.facts
