"""Check a bot, step by step."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.checking.result import Result, Verdict
from bullring.arena.checking.session import Session
from bullring.arena.checking.tap import Traffic
from bullring.arena.clock.limits import Limits
from bullring.arena.clock.watch import Watch, queued_us
from bullring.arena.rules.game import Game
from bullring.arena.rules.registry import GAMES
from bullring.arena.sandbox.cell import Sandbox
from bullring.errors import StartFailure

Tell = Callable[[Result], None]
Build = Callable[[Bot], Awaitable[Bot]]


async def check(
    bot: Bot,
    sandbox: Sandbox,
    limits: Limits,
    games: Sequence[type[Game[Any]]] = tuple(GAMES.values()),
    *,
    build: Build | None = None,
    tell: Tell = lambda result: None,
) -> list[Result]:
    """Check a bot that is admitted (`Settings.admit`) in this sandbox, with these limits and games.

    `build` makes the bot that is run of the one given, or raises `BotError`; without it the bot counts as built. `tell` gets each
    result as soon as it is there. Raises `HostError` if the machine fails.
    """
    results: list[Result] = []
    async with trio.open_nursery() as nursery:
        watch = Watch(queued_us)
        nursery.start_soon(watch.run)
        traffic = Traffic()
        try:
            session = await Session.open(bot, sandbox, traffic, limits, watch.stalls)
        except StartFailure as failure:
            results.append(Result("hello", "says hello", Verdict.FAIL, str(failure), failure.hint))
        else:
            results.append(Result("hello", "says hello"))
            await session.close()
        for result in results:
            tell(result)
        nursery.cancel_scope.cancel()
    return results
