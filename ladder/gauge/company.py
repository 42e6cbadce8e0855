"""The bots of a gauge, with what applies to them, and the whole gauge: sandbox, builds, matches, and the file that keeps them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.contents import check_contents
from bullring.arena.cells.building.build import built
from bullring.arena.cells.building.cache import Cache, built_here
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rules.game import Game
from bullring.arena.match.play import Report, calm_the_collector
from bullring.arena.match.seats.inprocess import WithInProcess
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.settings.settings import Settings
from bullring.arena.study.house.luck import warm_up
from bullring.errors import BotError, OptionError
from bullring.ladder.gauge.file import Entrant, Kept
from bullring.ladder.gauge.run import Gauge, gauge
from bullring.ladder.gauge.score import Sample, Score, Until
from bullring.ladder.run.plan import rated_options
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store

Told = Callable[[Bot, Score, Report, Sample | None], None]
"""Called after each match, which is in the score already; there is no sample of a void one."""


@dataclass(frozen=True)
class Company:
    """The bots of a gauge and what applies to them."""

    bots: Sequence[Bot]
    entrants: Sequence[Entrant]
    """Their keys in the file of results, in the same order."""
    settings: Settings
    kept: Kept | None
    """None if nothing is kept."""
    home: Home | None = None

    def scores(self) -> list[Score]:
        """The score of each bot by the matches that are kept."""
        return [
            Score(bot.name, [] if self.kept is None else self.kept.of(entrant))
            for bot, entrant in zip(self.bots, self.entrants, strict=True)
        ]

    async def built(self, cells: Sandbox) -> list[Bot]:
        """The bots ready to be started. Raises `BotError`, `BuildFailure` and `HostError`."""
        limits = self.settings.build
        if self.home is None:
            return await built_here(self.bots, cells, limits)
        return [await built(bot, cells, self.home.builds, limits, cache=Cache.of_user()) for bot in self.bots]


@contextmanager
def of_home(home: Home, chosen: Callable[[Store], Sequence[BotRow]], game: Game[Any]) -> Iterator[Company]:
    """The chosen bots of a home, which is locked meanwhile. Raises `LadderError`, `StoreError`, `BotError`, `SettingsError`."""
    with home.locked():
        with closing(home.store()) as store:
            rows = list({row.id: row for row in chosen(store)}.values())
        bots = [home.bot(row) for row in rows]
        for bot, row in zip(bots, rows, strict=True):
            try:
                check_contents(bot, replace(row.contents, built=""))
            except BotError as error:
                raise BotError(f"{row.name}: {error}") from None
        entrants = [Entrant(row.name, row.contents.hash) for row in rows]
        yield Company(bots, entrants, home.settings(), Kept.at_home(home, game), home)


def gauged_game(kind: type[Game[Any]], seats: int | None, given: dict[str, object]) -> Game[Any]:
    """The game, one deal unless another number is given. Raises `OptionError` if the number of deals is open."""
    low, high = kind.seat_range
    game = kind(seats or max(low, min(4, high)), rated_options(kind, given))
    if game.planned_deals() is None:
        raise OptionError(f"a gauge takes a fixed number of deals, not a match {game.goal()}; use: --option deals=N")
    return game


async def measure(
    company: Company,
    game: Game[Any],
    wish: Wish,
    until: Until,
    scores: Sequence[Score],
    records: Path,
    told: Told,
    *,
    say: Callable[[str], None] = lambda _: None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Play until each bot has played enough. Every match goes into its score, and to the file that keeps them.

    `records` is the folder of the records. `say` takes the line about the sandbox; `ready` is called before the first match.
    """
    calm_the_collector()
    async with AsyncExitStack() as stack:
        hidden = (records,) if company.home is None else (records, company.home.path)
        cells = await stack.enter_async_context(open_sandbox(wish, Owner(hidden=hidden)))
        say(told_of(cells))
        bots = await company.built(cells)
        house = WithInProcess(cells)
        pool = await stack.enter_async_context(open_pool(company.settings.limits, house))
        with doing("preparing the bots"):
            for bot in bots:
                await pool.prepare(bot)
        table = Gauge(game, company.settings.limits, pool, house)
        with doing("compiling the simulator"):
            warm_up(game)
        names = [bot.name for bot in bots]

        def record(bot: Bot, number: int) -> Path:
            return records / f"bot-{names.index(bot.name) + 1}-match-{number:05}.jsonl"

        def keep(bot: Bot, score: Score, report: Report, sample: Sample | None) -> None:
            if sample is not None and company.kept is not None:
                company.kept.add(company.entrants[names.index(bot.name)], sample)
            told(bot, score, report, sample)

        ready()
        await gauge(table, bots, scores, until, record, keep)
