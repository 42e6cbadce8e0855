"""The user's own builds, of bots that play from their folders: no ladder keeps them."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.errors import HostError

if TYPE_CHECKING:
    from bullring.arena.cells.building.build import Told


def folder() -> Path:
    """The folder of the builds: ``bullring/builds`` in the user's cache folder. It may be removed while nothing is played."""
    cache = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache) if cache.startswith("/") else Path.home() / ".cache") / "bullring" / "builds"


async def built_here(
    bots: Sequence[Bot], sandbox: Sandbox, limits: BuildLimits, told: "Told" = lambda _: None
) -> list[Bot]:
    """Return the bots ready to be started, as `built` does. Raises what `built` raises."""
    if not any(bot.build for bot in bots):
        return list(bots)
    from bullring.arena.cells.building.build import built  # most matches need no build
    from bullring.arena.cells.building.shelf import prune

    builds = folder()
    await trio.to_thread.run_sync(_must_be_ours, builds)
    await trio.to_thread.run_sync(prune, builds)
    return [await built(bot, sandbox, builds, limits, told) for bot in bots]


def _must_be_ours(builds: Path) -> None:
    """Make the folder if need be. Raises `HostError` if somebody else could replace what is built there, or lead us elsewhere."""
    try:
        builds.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path in (builds, *builds.parents[:2]):
            found = path.stat()
            shared = found.st_mode & stat.S_IWOTH and not found.st_mode & stat.S_ISVTX
            if shared or found.st_uid not in (0, os.geteuid()):
                raise HostError(
                    f"others may change {path}, and could replace what is built there; "
                    "set XDG_CACHE_HOME to a folder of your own"
                )
    except OSError as error:
        raise HostError(f"{error.filename or builds} cannot be used for builds: {error.strerror or error}") from None
