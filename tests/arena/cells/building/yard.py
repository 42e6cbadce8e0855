"""Folders of bots that are built in tests, in real cells."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built, built_in_cache
from bullring.arena.cells.building.cache import Cache
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.caps import MIB
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import first_error
from tests.support.patience import PATIENCE

LIMITS = BuildLimits(time=PATIENCE, disk=64 * MIB)


class Yard:
    """A place with one bot, whose build is a Python program, and the builds."""

    def __init__(self, place: Path, tier: str = "bwrap") -> None:
        self.tier = tier
        self.folder = place / "bot"
        self.cache = Cache(place / "cache" / "bullring")
        self.builds = place / "builds"
        self.said: list[str] = []
        self.folder.mkdir()
        self.write("bot.toml", 'name = "bot"\nrun = ["./made"]\nbuild = ["{python}", "build.py"]\n')

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def build(self, program: str | None = None, limits: BuildLimits = LIMITS, times: int = 1) -> Bot:
        """Build the bot by this program, if one is given, in as many tasks, as a home does. Raises what `built` raises."""
        if program is not None:
            self.write("build.py", program)
        return self._build(lambda bot, sandbox: built(bot, sandbox, self.builds, limits, self.said.append), times)

    def check(self, program: str | None = None, limits: BuildLimits = LIMITS, times: int = 1) -> Bot:
        """The same, as commands do that play bots from their folders."""
        if program is not None:
            self.write("build.py", program)
        return self._build(
            lambda bot, sandbox: built_in_cache(bot, self.folder, sandbox, self.cache, limits, self.said.append), times
        )

    def submit(self, home: Path, *, by_archive: bool = False) -> Bot:
        """The same, as a home does that takes what the cache has."""
        origin = None if by_archive else self.folder
        return self._build(
            lambda bot, sandbox: built(bot, sandbox, home, LIMITS, self.said.append, self.cache, origin), 1
        )

    def _build(self, how: Callable[[Bot, Sandbox], Awaitable[Bot]], times: int) -> Bot:
        bots: list[Bot] = []

        async def main() -> None:
            wish = Wish(self.tier, allow_unsandboxed=True, proven=False)
            async with open_sandbox(wish) as sandbox, trio.open_nursery() as nursery:

                async def build() -> None:
                    bots.append(await how(load(str(self.folder)), sandbox))

                for _ in range(times):
                    nursery.start_soon(build)

        try:
            trio.run(main)
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        return bots[0]

    def left(self) -> set[str]:
        """The names on the shelves."""
        return {path.name for shelf in self.builds.iterdir() for path in shelf.iterdir()}
