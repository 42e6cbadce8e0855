"""The builds of a user: of bots that play from their folders, and the source from which homes of ladders take theirs.

Here a build is kept by its toolchain, too, so that authors see what their compiler of today makes of a bot. And here bots have
stocks (`stock`), so that a build after a small change does not begin with nothing.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.building.room import unwritable
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.python import cache_folder, others_may_change
from bullring.errors import HostError

if TYPE_CHECKING:
    from bullring.arena.cells.building.build import Told
    from bullring.arena.cells.building.shelf import Kept

MOST = 4 << 30
"""Bytes of everything together, above which what was used least recently is removed."""


@dataclass(frozen=True)
class Cache:
    """The cache of a user."""

    folder: Path

    @classmethod
    def of_user(cls) -> "Cache":
        """``bullring`` in the user's cache folder. It may be removed while nothing is played."""
        return cls(cache_folder())

    @property
    def builds(self) -> Path:
        """The folder of the builds."""
        return self.folder / "builds"

    @property
    def stocks(self) -> Path:
        """The folder of the stocks."""
        return self.folder / "stocks"

    def open(self) -> None:
        """Make it if need be, and make room. Raises `HostError` if others could replace what is kept, or lead us elsewhere."""
        from bullring.arena.cells.building.shelf import prune

        try:
            for inner in (self.builds, self.stocks):
                inner.mkdir(parents=True, exist_ok=True, mode=0o700)
            for path in (self.builds, self.stocks, self.folder, self.folder.parent):
                if others_may_change(path):
                    raise HostError(
                        f"others may change {path}, and could replace what is built there; "
                        "set XDG_CACHE_HOME to a folder of your own"
                    )
        except OSError as error:
            raise unwritable(error, self.folder) from None
        prune(self.kept(), MOST)

    def kept(self) -> "list[Kept]":
        """All that is kept."""
        from bullring.arena.cells.building.shelf import Shelf
        from bullring.arena.cells.building.stock import Stock

        return [*map(Shelf, _within(self.builds)), *map(Stock, _within(self.stocks))]


async def built_here(
    bots: Sequence[Bot],
    sandbox: Sandbox,
    limits: BuildLimits,
    told: "Told" = lambda _: None,
) -> list[Bot]:
    """Return the bots ready to be started, as `build.built_in_cache` does. Raises what that raises."""
    if not any(bot.build for bot in bots):
        return list(bots)
    from bullring.arena.cells.building.build import built_in_cache  # most matches need no build

    cache = Cache.of_user()
    return [await built_in_cache(bot, bot.program.folder, sandbox, cache, limits, told) for bot in bots]


def _within(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.is_dir()]
    return []
