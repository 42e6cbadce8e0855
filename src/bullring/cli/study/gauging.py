"""Who is gauged, and where the matches are kept: bots from where they lie, or those of a home."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.bot import Bot, told_apart
from bullring.arena.cells.bots.contents import check_contents
from bullring.arena.cells.bots.load import load
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.cache import built_here
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.games.rules.game import Game
from bullring.arena.settings.load import load_settings
from bullring.arena.settings.settings import Settings
from bullring.cli.bots.builds import tell_of_build
from bullring.cli.ladder.chosen import playing
from bullring.errors import BotError
from bullring.ladder.gauge.file import Entrant, Kept
from bullring.ladder.store.home import Home


@dataclass(frozen=True)
class Company:
    """The bots of a gauge and what applies to them."""

    bots: Sequence[Bot]
    entrants: Sequence[Entrant]
    """Who they are in the file, in the same order."""
    settings: Settings
    kept: Kept | None
    """None if nothing is kept."""
    home: Home | None = None

    async def built(self, cells: Sandbox) -> list[Bot]:
        """The bots ready to be started. Raises `BotError`, `BuildFailure` and `HostError`."""
        limits = self.settings.build
        if self.home is None:
            return await built_here(self.bots, cells, limits, tell_of_build)
        return [await built(bot, cells, self.home.builds, limits, tell_of_build) for bot in self.bots]


def from_anywhere(
    bots: Sequence[str], game: Game[Any], results: Path | None, config: Path | None, times: Sequence[str]
) -> Company:
    """Bots as they lie: @NAMES, folders or command lines. Raises `BotError`, `SettingsError`, `LadderError`."""
    settings = load_settings(config, times)
    players = told_apart([settings.admit(load(text)) for text in bots])
    entrants = [Entrant.of(text, player) for text, player in zip(bots, players, strict=True)]
    return Company(players, entrants, settings, None if results is None else Kept(results, game))


@contextmanager
def of_home(path: Path, names: Sequence[str], game: Game[Any]) -> Iterator[Company]:
    """Bots of a home, which is locked meanwhile. Raises `LadderError`, `StoreError`, `BotError`, `SettingsError`."""
    home = Home.find(path)
    with home.locked():
        with closing(home.store()) as store:
            rows = list({row.id: row for row in (playing(home, store, name) for name in names)}.values())
        bots = [home.bot(row) for row in rows]
        for bot, row in zip(bots, rows, strict=True):
            try:
                check_contents(bot, replace(row.contents, built=""))
            except BotError as error:
                raise BotError(f"{row.name}: {error}") from None
        entrants = [Entrant(row.name, row.contents.hash) for row in rows]
        yield Company(bots, entrants, home.settings(), Kept.at_home(home, game), home)
