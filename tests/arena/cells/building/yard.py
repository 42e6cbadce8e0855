"""Folders of bots that are built in tests, in real cells."""

from pathlib import Path

import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.sandbox.caps import MIB
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
        self.builds = place / "builds"
        self.said: list[str] = []
        self.folder.mkdir()
        self.write("bot.toml", 'name = "bot"\nrun = ["./made"]\nbuild = ["{python}", "build.py"]\n')

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def build(self, program: str | None = None, limits: BuildLimits = LIMITS, times: int = 1) -> Bot:
        """Build the bot by this program, if one is given, in as many tasks. Raises what `built` raises."""
        if program is not None:
            self.write("build.py", program)
        bots: list[Bot] = []

        async def main() -> None:
            wish = Wish(self.tier, allow_unsandboxed=True, proven=False)
            async with open_sandbox(wish) as sandbox, trio.open_nursery() as nursery:

                async def build() -> None:
                    bots.append(await built(load(str(self.folder)), sandbox, self.builds, limits, self.said.append))

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
