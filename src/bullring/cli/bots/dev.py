"""`bullring dev`: the loop of an author. On each save: build, check, play, and say what has changed."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import SandboxWish, config_option, sandbox_options, time_option
from bullring.cli.values import BOT, GAME
from bullring.errors import DONE, BotError, LadderError, UsageError

with late():
    from rich.console import Console

    from bullring.arena.cells.bots.bot import Bot
    from bullring.arena.cells.bots.load import folder_of, load
    from bullring.arena.cells.bots.saves import looking, on_each_save
    from bullring.arena.cells.building.cache import built_here
    from bullring.arena.cells.sandbox.cell import Sandbox
    from bullring.arena.cells.sandbox.choice import open_sandbox
    from bullring.arena.cells.sandbox.temporary import temporary
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.registry import find
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.match.checking.check import check
    from bullring.arena.match.checking.result import Result
    from bullring.arena.match.cost import timing
    from bullring.arena.match.short_matches import Played, play_short
    from bullring.arena.settings.load import load_settings
    from bullring.arena.settings.settings import Settings
    from bullring.arena.watching.display.check_steps import is_consequence, step_lines
    from bullring.arena.watching.display.text import fault_lines
    from bullring.cli.bots.check import building
    from bullring.cli.signals import play
    from bullring.ladder.submit.candidate import Wanted, taken


@click.command(name="dev")
@click.argument("bot", type=BOT)
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    type=BOT,
    default=("@greedy", "@random"),
    show_default=True,
    help="An opponent. May be repeated.",
)
@click.option("--game", type=GAME, default="standard", show_default=True, help="The game that it is for.")
@time_option
@config_option
@sandbox_options
def command(
    bot: str, against: tuple[str, ...], game: str, times: tuple[str, ...], config: Path | None, sandbox: SandboxWish
) -> int:
    """Check a bot and let it play, again on each save.

    Whenever a file of the bot is saved, it is built, checked as by `bullring check` in one game, and plays a few short matches,
    always of the same deals. Its heads, times and faults are shown beside those of the save before. A bot or build that fails
    shows why, and the next save is waited for. Ctrl-C ends it.
    """
    folder = folder_of(bot)
    if folder is None:
        raise UsageError(f"dev waits for changes of a folder with a bot.toml, and {bot[:40]!r} is none")
    settings = load_settings(config, times)
    opponents = [settings.admit(load(text)) for text in against]
    rounds = _Rounds(bot, game, settings)

    async def main() -> None:
        async with open_sandbox(sandbox.over(settings)) as cells:
            rounds.opponents = await built_here(opponents, cells, settings.build)
            await on_each_save(looking(folder, settings.build.folder), lambda: rounds.play(cells))

    play(main)
    again = f"submit it with: bullring submit {shlex.quote(bot)}" if rounds.passed else "it does not pass yet"
    click.echo(f"ended after {counted(rounds.count, 'round')}; {again}")
    return DONE


@dataclass
class _Rounds:
    """The rounds, one for each save."""

    bot: str
    game: str
    settings: Settings
    opponents: Sequence[Bot] = ()
    count: int = 0
    """Rounds that have come to their end."""
    passed: bool = False
    """Whether the last one found nothing wrong."""
    before: Played | None = None
    """What came of the matches of the last round that had some."""
    _console: Console = field(default_factory=lambda: Console(highlight=False))

    async def play(self, cells: Sandbox) -> None:
        """Play one round and show it. Raises `HostError`, `SandboxError`."""
        self.passed = False
        began = time.monotonic()
        click.echo(f"{time.strftime('%H:%M:%S')}  {harmless(self.bot, 80)}")
        try:
            with temporary("dev") as folder:
                arrival = await taken(Wanted(self.bot), folder, self.settings, lambda step: None)
                build = building(arrival, cells, self.settings)
                kind = find(self.game)
                results = await check(arrival.bot, cells, self.settings.limits, [kind], build=build)
                if self._failed(results):
                    return
                ready = await build(arrival.bot)
                with doing("playing short matches"):
                    played = await play_short(ready, self.opponents, kind, self.settings.limits, cells)
        except (BotError, LadderError) as error:
            self._say(f"bullring: {error}")
            return
        finally:
            self.count += 1
        self._say(f"{counted(len(results), 'step')} of the check, none failed")
        for line in _lines(played, self.before, arrival.bot.name):
            self._say(line)
        self._say(f"took {time.monotonic() - began:.1f} s; waiting for the next save, Ctrl-C ends")
        self.passed = not played.faults
        self.before = played

    def _failed(self, results: Sequence[Result]) -> bool:
        """Show the steps that failed. Returns whether there are any."""
        failed = False
        for number, result in enumerate(results, 1):
            if result.failed and not is_consequence(result.facts()):
                failed = True
                for line in step_lines(number, result.facts(), self._console.width):
                    self._console.print(line, soft_wrap=True)
        if failed:
            self._say("waiting for the next save, Ctrl-C ends")
        return failed

    def _say(self, text: str) -> None:
        click.echo(f"          {harmless(text)}")


def _lines(played: Played, before: Played | None, name: str) -> Iterator[str]:
    """What came of the matches, beside what came of those of before."""
    if played.void:
        yield f"a match was void, so nothing is told of it: {played.void}"
    if played.heads:
        same = 0 if before is None else min(len(played.heads), len(before.heads))
        was = ""
        if before is not None and same:
            was = f"; in the first {same} {_mean(played.heads[:same])}, before {_mean(before.heads[:same])}"
        yield f"heads     {_mean(played.heads)} a match in {counted(len(played.heads), 'match', 'matches')}{was}"
        then = f"; before {_times(before)}" if before is not None and before.times_us else ""
        yield f"time      {_times(played)}{then}"
    had = f"; before {len(before.faults)}" if before is not None and before.faults else ""
    yield f"faults    {len(played.faults) or 'none'}{had}"
    if played.faults:
        yield from fault_lines(name, played.faults[0].facts())


def _mean(heads: Sequence[int]) -> str:
    return f"{sum(heads) / len(heads):.1f}"


def _times(played: Played) -> str:
    times = timing(played.times_us)
    return f"{times['median_ms']:.3g} ms a decision, the longest {times['max_ms']:.3g} ms"
