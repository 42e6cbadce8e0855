"""`bullring gauge`: measure the strength of a bot against the house, in minutes."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
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
from bullring.errors import BOT_AT_FAULT, DONE, LadderError, WriteError

with late():
    import tempfile

    from rich.console import Console
    from rich.live import Live

    from bullring.arena.cells.bots.bot import Bot, told_apart
    from bullring.arena.cells.bots.load import load
    from bullring.arena.cells.sandbox.cores import cores
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.cells.text.doing import unshown
    from bullring.arena.games.rules.game import Game
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.games.simulator import COMPILED
    from bullring.arena.match.play import Report
    from bullring.arena.settings.load import load_settings
    from bullring.arena.study.house.moves import VERSION
    from bullring.cli.ladder.chosen import playing
    from bullring.cli.signals import play
    from bullring.ladder.gauge.company import Company, gauged_game, measure, of_home
    from bullring.ladder.gauge.file import Entrant, Kept
    from bullring.ladder.gauge.score import Sample, Score, Until, comparisons
    from bullring.ladder.store.home import Home
    from bullring.ladder.watching.display.gauge import GaugePicture


TELL_EVERY = 10.0
"""Seconds between lines of progress where there is no terminal."""


def _from_anywhere(
    bots: Sequence[str], game: Game[Any], results: Path | None, config: Path | None, times: Sequence[str]
) -> Company:
    """Bots as they lie: @NAMES, folders or command lines. Raises `BotError`, `SettingsError`, `LadderError`."""
    settings = load_settings(config, times)
    players = told_apart([settings.admit(load(text)) for text in bots])
    entrants = [Entrant.of(text, player) for text, player in zip(bots, players, strict=True)]
    return Company(players, entrants, settings, None if results is None else Kept(results, game))


def _of_home(path: Path, names: Sequence[str], game: Game[Any]) -> AbstractContextManager[Company]:
    home = Home.find(path)
    return of_home(home, lambda store: [playing(home, store, name) for name in names], game)


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
    game = gauged_game(table.kind(), table.seats, table.given)
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
        company: Company,
        wish: Wish,
        until: Until,
        records: Path | None,
        title: str,
        as_json: bool,
    ) -> None:
        self._game, self._company, self._wish = game, company, wish
        self._until, self._records, self._as_json = until, records, as_json
        self._scores = company.scores()
        self._picture = GaugePicture(title, self._scores, until)
        self._console = Console()
        self._live: Live | None = None
        self._told = time.monotonic()

    def play(self) -> int:
        """Play, show the result, and return the exit code."""
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
            complain(f"interrupted after {counted(played, 'finished match', 'finished matches')}")
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
        with ExitStack() as stack:

            def draw() -> None:  # not before: messages would be drawn over
                if self._console.is_terminal and not self._as_json:
                    stack.enter_context(unshown())
                    self._live = stack.enter_context(Live(self._picture, console=self._console, auto_refresh=False))

            wanted = (self._company, self._game, self._wish, self._until, self._scores, folder, self._tell)
            await measure(*wanted, say=lambda text: click.echo(text, err=True), ready=draw)

    def _tell(self, bot: Bot, score: Score, report: Report, sample: Sample | None) -> None:
        """Show a match."""
        if self._records is None and report.record is not None:
            report.record.unlink()
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
