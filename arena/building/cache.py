"""The user's own builds, of bots that play from their folders: no ladder keeps them."""

import os
from collections.abc import Sequence
from pathlib import Path

import trio

from bullring.arena.bots.bot import Bot
from bullring.arena.building.build import Told, built
from bullring.arena.building.limits import BuildLimits
from bullring.arena.building.shelf import prune
from bullring.arena.sandbox.cell import Sandbox


def folder() -> Path:
    """Where they are: ``bullring/builds`` in the user's cache folder. It may be removed at any time while nothing is played."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path.home() / ".cache") / "bullring" / "builds"


async def built_here(
    bots: Sequence[Bot], sandbox: Sandbox, limits: BuildLimits, told: Told = lambda _: None
) -> list[Bot]:
    """Return the bots ready to be started, as `built` does. Raises what `built` raises."""
    if not any(bot.build for bot in bots):
        return list(bots)
    await trio.to_thread.run_sync(prune, folder())
    return [await built(bot, sandbox, folder(), limits, told) for bot in bots]
