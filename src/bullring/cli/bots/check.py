"""`bullring check`: check whether a bot can play."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import PATH, SandboxWish, config_option, json_option, run_option, sandbox_options, time_option
from bullring.cli.values import BOT, GAME
from bullring.errors import BOT_AT_FAULT, DONE

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.arena.cells.bots.bot import Bot
    from bullring.arena.cells.building.build import built_in_cache
    from bullring.arena.cells.building.cache import Cache
    from bullring.arena.cells.sandbox.cell import Sandbox
    from bullring.arena.cells.sandbox.identity import Owner
    from bullring.arena.cells.sandbox.temporary import temporary
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.registry import GAMES, find
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.match.checking.check import Build, check
    from bullring.arena.match.checking.result import Result, passed
    from bullring.arena.match.faults import Fault
    from bullring.arena.settings.load import load_settings
    from bullring.arena.settings.settings import Settings
    from bullring.arena.watching.display.check_steps import consequence_lines, is_consequence, step_lines, summary_lines
    from bullring.cli.signals import play
    from bullring.ladder.store.add import Arrival
    from bullring.ladder.store.home import Home
    from bullring.ladder.submit.candidate import Step, Wanted, opened, taken
    from bullring.ladder.submit.trial import trial, usual_game


@click.command(name="check")
@click.argument("bot", type=BOT)
@run_option
@click.option("--game", "games", type=GAME, multiple=True, help="Check this game only. May be repeated.")
@time_option
@config_option
@click.option(
    "--home",
    type=PATH,
    help="The ladder whose settings and names apply, as to a submission.",
)
@json_option
@sandbox_options
def command(
    bot: str,
    run: str,
    games: tuple[str, ...],
    times: tuple[str, ...],
    config: Path | None,
    home: Path | None,
    as_json: bool,
    sandbox: SandboxWish,
) -> int:
    """Check step by step whether a bot can play.

    A BOT is what `bullring submit` takes. It is copied, built and started as if it were submitted, asked every kind of question,
    gets messages in pieces, and plays a short match of each game and one against copies of itself. A failed step shows what came
    and what to do. The exit code is 3 if a step fails.
    """
    if home is not None and (config is not None or times):
        raise click.UsageError("--config and --time cannot be used with --home, whose settings apply")
    ladder = Home.find(home) if home is not None else None
    settings = ladder.settings() if ladder is not None else load_settings(config, times)
    chosen = [find(game) for game in games] or list(GAMES.values())
    told = _Told(as_json)
    wanted = Wanted(bot, run=run)

    async def main() -> None:
        with temporary("check") as folder:
            arrival = await taken(wanted, folder, settings, told.step, None if ladder is None else ladder.entered)
            candidate = arrival.bot
            async with opened(wanted, sandbox.over(settings), Owner(), told.step) as cells:

                async def copies(given: Bot) -> Fault | None:
                    return await trial(given, usual_game(chosen[0]), settings, cells)

                told.begin(candidate, cells.tier.name)
                await check(
                    candidate,
                    cells,
                    settings.limits,
                    chosen,
                    build=building(arrival, cells, settings),
                    copies=copies,
                    tell=told.tell,
                )

    interrupted = play(main)
    if interrupted:
        complain(f"interrupted after {counted(len(told.results), 'step')}")
    else:
        told.end()
    return interrupted or (DONE if passed(told.results) else BOT_AT_FAULT)


def building(arrival: Arrival, cells: Sandbox, settings: Settings) -> Build:
    """The building of a bot that was taken in."""

    async def build(given: Bot) -> Bot:
        return await built_in_cache(given, arrival.origin, cells, Cache.of_user(), settings.build)

    return build


class _Told:
    """Shows steps as they come, and collects them."""

    def __init__(self, as_json: bool) -> None:
        self.results: list[Result] = []
        self._facts: list[dict[str, Any]] = []
        self._as_json = as_json
        self._console = Console(highlight=False)
        self._bot = self._tier = ""
        self._files = Step("files", "")
        self._skipped = 0
        """Steps that were skipped because others failed, and not told yet."""

    def step(self, step: Step) -> None:
        """A step that it shares with a submission: which files were taken matters to the author."""
        if step.name == "files":
            self._files = step

    def begin(self, bot: Bot, tier: str) -> None:
        self._bot, self._tier = bot.name, tier
        if not self._as_json:
            click.echo(f"checking {harmless(bot.name, 64)} in the tier {tier}")
            click.echo(f"files: {harmless(self._files.text)}")

    def tell(self, result: Result) -> None:
        self.results.append(result)
        self._facts.append(result.facts())
        if self._as_json:
            return
        if is_consequence(self._facts[-1]):
            self._skipped += 1
            return
        self._tell_skipped(len(self.results))
        self._print(step_lines(len(self.results), self._facts[-1], self._console.width))

    def _tell_skipped(self, before: int) -> None:
        """Tell of the steps before this one that were skipped because others failed."""
        if self._skipped:
            first = before - self._skipped
            self._print(consequence_lines(first, self._facts[first - 1 : before - 1], self._console.width))
            self._skipped = 0

    def _print(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._console.print(line, soft_wrap=True)

    def end(self) -> None:
        if self._as_json:
            facts = {
                "bot": self._bot,
                "sandbox": self._tier,
                "files": self._files.facts,
                "passed": passed(self.results),
                "steps": self._facts,
            }
            click.echo(json.dumps(facts))
        elif self.results:
            self._tell_skipped(len(self.results) + 1)
            for line in summary_lines(self._facts, self._tier, self._console.width):
                click.echo(line)
