"""`bullring gauge`: measure the strength of a bot against the house, in minutes."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from bullring.cli.late import late
from bullring.cli.options import (
    PATH,
    SandboxWish,
    TableWish,
    config_option,
    for_option,
    matches_option,
    sandbox_options,
    table_options,
    time_option,
)
from bullring.cli.values import BOT, Number
from bullring.errors import BOT_AT_FAULT, DONE, BotError, LadderError, OptionError, WriteError

with late():
    import tempfile

    from rich.console import Console
    from rich.live import Live

    from bullring.arena.cells.bots.bot import Bot, told_apart
    from bullring.arena.cells.bots.contents import check_contents
    from bullring.arena.cells.bots.load import load
    from bullring.arena.cells.building.build import built
    from bullring.arena.cells.building.cache import Cache, built_here
    from bullring.arena.cells.sandbox.cell import Sandbox
    from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
    from bullring.arena.cells.sandbox.cores import cores
    from bullring.arena.cells.sandbox.identity import Owner
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.cells.text.doing import doing, unshown
    from bullring.arena.games.rules.game import Game
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.games.simulator import COMPILED
    from bullring.arena.match.play import Report, calm_the_collector
    from bullring.arena.match.seats.inprocess import WithInProcess
    from bullring.arena.match.seats.pool import open_pool
    from bullring.arena.settings.load import load_settings
    from bullring.arena.settings.settings import Settings
    from bullring.arena.study.house.luck import warm_up
    from bullring.arena.study.house.moves import VERSION
    from bullring.cli.ladder.chosen import playing
    from bullring.cli.signals import play
    from bullring.ladder.gauge.file import Entrant, Kept
    from bullring.ladder.gauge.run import Gauge, gauge
    from bullring.ladder.gauge.score import Sample, Score, Until, comparisons
    from bullring.ladder.run.plan import rated_options
    from bullring.ladder.store.home import Home
    from bullring.ladder.watching.display.gauge import GaugePicture


TELL_EVERY = 10.0
"""Seconds between lines of progress where there is no terminal."""


@dataclass(frozen=True)
class _Company:
    """The bots of a gauge and what applies to them."""

    bots: Sequence[Bot]
    entrants: Sequence[Entrant]
    """Their keys in the file of results, in the same order."""
    settings: Settings
    kept: Kept | None
    """None if nothing is kept."""
    home: Home | None = None

    async def built(self, cells: Sandbox) -> list[Bot]:
        """The bots ready to be started. Raises `BotError`, `BuildFailure` and `HostError`."""
        limits = self.settings.build
        if self.home is None:
            return await built_here(self.bots, cells, limits)
        return [await built(bot, cells, self.home.builds, limits, cache=Cache.of_user()) for bot in self.bots]


def _from_anywhere(
    bots: Sequence[str], game: Game[Any], results: Path | None, config: Path | None, times: Sequence[str]
) -> _Company:
    """Bots as they lie: @NAMES, folders or command lines. Raises `BotError`, `SettingsError`, `LadderError`."""
    settings = load_settings(config, times)
    players = told_apart([settings.admit(load(text)) for text in bots])
    entrants = [Entrant.of(text, player) for text, player in zip(bots, players, strict=True)]
    return _Company(players, entrants, settings, None if results is None else Kept(results, game))


@contextmanager
def _of_home(path: Path, names: Sequence[str], game: Game[Any]) -> Iterator[_Company]:
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
        yield _Company(bots, entrants, home.settings(), Kept.at_home(home, game), home)


@click.command(name="gauge")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@table_options
@click.option(
    "--until-error",
    type=Number(1.0, 1000.0),
    default=15.0,
    show_default=True,
    metavar="ELO",
    help="Stop when the adjusted interval is no wider than ± ELO.",
)
@matches_option
@for_option
@click.option("--jobs", type=click.IntRange(1, 64), help="Matches played side by side. Default: one per core.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Add a line for each match to this file, and continue from the matches that it has.",
)
@click.option("--record", type=PATH, help="Write the records of the matches to this folder.")
@time_option
@click.option(
    "--home",
    type=PATH,
    help="A ladder's home whose bots play. It keeps the matches, and `ladder table` shows the result. Default: none.",
)
@config_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object per match, and one for each bot at the end.")
@sandbox_options
def command(
    bots: tuple[str, ...],
    table: TableWish,
    until_error: float,
    matches: int | None,
    seconds: float | None,
    jobs: int | None,
    results: Path | None,
    record: Path | None,
    times: tuple[str, ...],
    home: Path | None,
    config: Path | None,
    as_json: bool,
    sandbox: SandboxWish,
) -> int:
    """Measure the strength of a bot against the house.

    Each match has one BOT and, in all other seats, the arena's own players, whose moves are drawn with known probabilities. So the
    luck of these draws and of the deal can be subtracted without bias: the same certainty takes fewer matches. Results with and
    without that are shown side by side. Several bots are measured in turn and compared.

    Bots are @NAMES, folders or command lines. With --home, they are bots of that home, its limits apply, an interrupted gauge
    continues, and `bullring ladder table` has a column "house".

    The Elo cannot be compared with that of a ladder. Install bullring[fast] for the full gain.
    """
    game = _game(table)
    if home is not None and (times or config or results):
        raise LadderError(
            "--time, --config and --results cannot be used with --home, which has its own settings.toml and keeps the matches;"
            " leave them out"
        )
    until = Until(until_error, matches, seconds, jobs or len(cores()))
    title = f"{game.id}, {game.seats} seats, house {VERSION}"
    with (
        _of_home(home, bots, game) if home else nullcontext(_from_anywhere(bots, game, results, config, times))
    ) as company:
        return _Run(game, company, sandbox.over(company.settings), until, record, title, as_json).play()


class _Run:
    """A run of the command."""

    def __init__(
        self,
        game: Game[Any],
        company: _Company,
        wish: Wish,
        until: Until,
        records: Path | None,
        title: str,
        as_json: bool,
    ) -> None:
        self._game, self._company, self._settings, self._wish = game, company, company.settings, wish
        self._until, self._kept, self._records, self._as_json = until, company.kept, records, as_json
        self._scores = [
            Score(bot.name, [] if company.kept is None else company.kept.of(entrant))
            for bot, entrant in zip(company.bots, company.entrants, strict=True)
        ]
        self._picture = GaugePicture(title, self._scores, until)
        self._console = Console()
        self._live: Live | None = None
        self._told = time.monotonic()

    def play(self) -> int:
        """Play, show the result, and return the exit code."""
        calm_the_collector()
        if not COMPILED:
            click.echo(
                "without bullring[fast] the gain is smaller; install it with: pip install 'bullring[fast]'", err=True
            )
        with ExitStack() as stack:
            folder = self._folder(stack)
            interrupted = play(lambda: self._play_all(folder))
        if self._as_json:
            for score in self._scores:
                click.echo(
                    json.dumps(
                        {
                            "type": "bot",
                            "house": VERSION,
                            "game": self._game.id,
                            "options": self._game.options,
                            "seats": self._game.seats,
                            **score.facts(),
                        }
                    )
                )
            for found in comparisons(self._scores):
                click.echo(json.dumps({"type": "comparison", **found.facts()}))
        elif self._live is None:
            self._console.print(self._picture)
        if interrupted:
            played = sum(len(score.samples) for score in self._scores)
            click.echo(f"bullring: interrupted after {counted(played, 'finished match', 'finished matches')}", err=True)
            return interrupted
        return BOT_AT_FAULT if any(score.faults for score in self._scores) else DONE

    def _folder(self, stack: ExitStack) -> Path:
        if self._records is None:
            return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bullring-gauge-")))
        try:
            self._records.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise WriteError(f"{self._records} is a file; give --record a folder") from None
        except OSError as error:
            raise WriteError(f"the folder {self._records} cannot be made: {error.strerror or error}") from None
        return self._records

    async def _play_all(self, folder: Path) -> None:
        async with AsyncExitStack() as stack:
            home = self._company.home
            hidden = (folder,) if home is None else (folder, home.path)
            cells = await stack.enter_async_context(open_sandbox(self._wish, Owner(hidden=hidden)))
            click.echo(told_of(cells), err=True)
            bots = await self._company.built(cells)
            house = WithInProcess(cells)
            pool = await stack.enter_async_context(open_pool(self._settings.limits, house))
            with doing("preparing the bots"):
                for bot in bots:
                    await pool.prepare(bot)
            table = Gauge(self._game, self._settings.limits, pool, house)
            with doing("compiling the simulator"):
                warm_up(self._game)

            def record(bot: Bot, number: int) -> Path:
                at = [one.name for one in bots].index(bot.name)
                return folder / f"bot-{at + 1}-match-{number:05}.jsonl"

            if self._console.is_terminal and not self._as_json:  # not before: messages would be drawn over
                stack.enter_context(unshown())
                self._live = stack.enter_context(Live(self._picture, console=self._console, auto_refresh=False))
            await gauge(table, bots, self._scores, self._until, record, self._tell)

    def _tell(self, bot: Bot, score: Score, report: Report, sample: Sample | None) -> None:
        """Keep and show a match."""
        if self._records is None and report.record is not None:
            report.record.unlink()
        if sample is not None and self._kept is not None:
            self._kept.add(next(entrant for entrant in self._company.entrants if entrant.name == bot.name), sample)
        if self._as_json:
            own = {"type": "match", "bot": bot.name, "number": len(score.samples), "void": report.void}
            click.echo(json.dumps({**own, **({} if sample is None else sample.facts())}))
        elif self._live is not None and time.monotonic() - self._told >= 0.25:
            self._told = time.monotonic()
            self._live.refresh()
        elif self._live is None and time.monotonic() - self._told >= TELL_EVERY:
            self._told = time.monotonic()
            half = score.elo.half
            so_far = f", ± {half:.0f} Elo" if math.isfinite(half) else ""
            click.echo(f"{bot.name!r:.40}: {counted(len(score.samples), 'match', 'matches')}{so_far}", file=sys.stderr)


def _game(table: TableWish) -> Game[Any]:
    """The game, one deal unless another number is given. Raises `OptionError` if the number of deals is open."""
    kind = table.kind()
    low, high = kind.seat_range
    game = kind(table.seats or max(low, min(4, high)), rated_options(kind, table.given))
    if game.planned_deals() is None:
        raise OptionError(f"a gauge takes a fixed number of deals, not a match {game.goal()}; use: --option deals=N")
    return game
