"""The command `bullring`: arguments in, text or JSON out. What it calls knows nothing of terminals.

Exit codes: 0 done, 1 failed (a record does not verify, a match is void), 2 bad usage or unreadable input, 3 a bot was at
fault, 130 interrupted. JSON goes to stdout, progress and complaints to stderr.
"""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console

from arena import __version__
from arena.bots.manifest import Bot, BotError, load
from arena.cli_match import MatchPlan, run_plan
from arena.cli_sandbox import doctor, sandbox_options, wish_of
from arena.clock import DurationError, parse_duration
from arena.replay import RecordError, happenings, read_lines, verify
from arena.rulebook.book import LANGUAGES, book
from arena.rules.game import Game, RulesError
from arena.rules.options import OptionError
from arena.rules.registry import GAMES, find
from arena.sandbox.cell import HostError
from arena.sandbox.choice import SandboxError
from arena.seeds import Seed, SeedError
from arena.settings import SettingsError, load_settings
from arena.view.plain import Story, harmless
from arena.view.result import games_table
from arena.view.rulebook import RulebookView

FAILED, USAGE = 1, 2


class Complaint(click.ClickException):
    """A mistake of the user, or input that cannot be used: one clear line."""

    exit_code = USAGE

    def show(self, file: Any = None) -> None:
        """The line, on stderr."""
        click.echo(f"bullring: {harmless(self.format_message())}", err=True)


class Failure(Complaint):
    """Something went wrong that is no mistake of the user."""

    exit_code = FAILED


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="bullring")
def cli() -> None:
    """An arena for programs that play 6 nimmt! and its family."""


cli.add_command(doctor)


@cli.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT...")
@click.option("--game", default="standard", show_default=True, help="The game; `bullring games` lists them.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game; may be repeated.")
@click.option("--deals", metavar="N", help="Play N deals; short for --option deals=N.")
@click.option("--target", metavar="N", help="Play until N heads are passed; short for --option target=N.")
@click.option("--seed", metavar="TEXT", help="Make the deals from this text, always the same. Default: drawn anew.")
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="[KIND=]DURATION",
    help="Time limit of each decision (200ms), or of one KIND: start, card, row, other (all other decisions), bank, tick.",
)
@click.option(
    "--config", type=click.Path(path_type=Path), help="A TOML file with [time], [bots] and [sandbox] settings."
)
@click.option("--record", type=click.Path(path_type=Path), help="Write the record here (a folder with --matches).")
@click.option(
    "--matches", type=click.IntRange(1, 1_000_000), default=1, help="Play so many matches, the seats rotating."
)
@click.option("--watch", is_flag=True, help="Show the table while it is played.")
@click.option("--pace", metavar="DURATION", help="Pause after each move, for people. Default with --watch: 300ms.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each match.")
@sandbox_options
def match(
    bots: tuple[str, ...],
    game: str,
    options: tuple[str, ...],
    deals: str | None,
    target: str | None,
    seed: str | None,
    times: tuple[str, ...],
    config: Path | None,
    record: Path | None,
    matches: int,
    watch: bool,
    pace: str | None,
    as_json: bool,
    tier: str | None,
    allow_unsandboxed: bool,
    freeze: bool | None,
) -> None:
    """Play a match between bots, in the order of their seats.

    A BOT is a folder with a bot.toml, or a command line in quotes.
    """
    try:
        settings = load_settings(config, times)
        table = _game(game, len(bots), options, deals, target)
        entrants = [settings.admit(load(text)) for text in bots]
        if seed is not None:
            Seed.given(seed)
        plan = MatchPlan(
            game=table,
            bots=_with_names(entrants),
            seed=seed,
            settings=settings,
            wish=wish_of(settings, tier, allow_unsandboxed, freeze, usually_frozen=False),
            record=record,
            matches=matches,
            watch=watch,
            pace=_pace(pace, watch),
            as_json=as_json,
        )
        code = run_plan(plan)
    except (RulesError, OptionError, BotError, SettingsError, SeedError, RecordError, SandboxError) as error:
        raise Complaint(str(error)) from None
    except HostError as error:
        raise Failure(f"the machine cannot run bots: {error}") from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise Failure(f"the record cannot be written: {where}{error.strerror or error}") from None
    sys.exit(code)


def _game(name: str, seats: int, options: Sequence[str], deals: str | None, target: str | None) -> Game[Any]:
    given = options_of(options)
    for key, short in (("deals", deals), ("target", target)):
        if short is not None:
            if key in given:
                raise OptionError(f"{key} is given twice")
            given[key] = short
    if "deals" in given and "target" in given:
        raise OptionError("a match ends after a number of deals or at a target: give one of them")
    return find(name)(seats, given)


def options_of(texts: Sequence[str]) -> dict[str, object]:
    """``--option KEY=VALUE`` as a map. Raises `OptionError`."""
    given: dict[str, object] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise OptionError(f"--option is KEY=VALUE, not {text[:40]!r}")
        given[key] = value
    return given


def _with_names(bots: Sequence[Bot]) -> list[Bot]:
    """Bots of one name are told apart by a number."""
    names = [bot.name for bot in bots]
    return [
        replace(bot, name=f"{bot.name} #{names[: i + 1].count(bot.name)}") if names.count(bot.name) > 1 else bot
        for i, bot in enumerate(bots)
    ]


def _pace(text: str | None, watch: bool) -> float:
    if text is None:
        return 0.3 if watch and sys.stdout.isatty() else 0.0
    try:
        return parse_duration(text if text != "0" else "0s")
    except DurationError as error:
        raise SettingsError(f"--pace: {error}") from None


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one event a line, as JSON.")
@click.option(
    "--stderr", "stderr_of", type=int, metavar="SEAT", help="Print what the bot of this seat wrote to stderr."
)
def replay(file: Path, as_json: bool, stderr_of: int | None) -> None:
    """Show a recorded match, turn by turn."""
    try:
        lines = read_lines(file)
        story = Story()
        for number, event in happenings(lines):
            if stderr_of is not None:
                if event["type"] == "stderr" and event["seat"] == stderr_of:
                    for line in event["text"].splitlines():
                        click.echo(harmless(line))
            elif as_json:
                click.echo(json.dumps({"line": number, **event}))
            else:
                for line in story.lines(event):
                    click.echo(line)
    except RecordError as error:
        raise Complaint(f"{file}: {error}") from None
    if not lines.finished:
        torn = f" (its last {lines.torn} bytes are part of a line)" if lines.torn else ""
        click.echo(f"bullring: {harmless(file)} ends before its match does{torn}", err=True)


@cli.command(name="verify")
@click.argument("file", type=click.Path(path_type=Path))
def verify_command(file: Path) -> None:
    """Recompute a recorded match and say the first thing that differs.

    Exit code 1 if something differs or the record is not finished.
    """
    try:
        verdict = verify(read_lines(file))
    except RecordError as error:
        raise Complaint(f"{file}: {error}") from None
    name = harmless(file)
    if verdict.difference is not None:
        click.echo(f"{name}: does not verify: {harmless(verdict.difference)}")
        sys.exit(1)
    done = f"{verdict.deals} deals and {verdict.answers} answers"
    if not verdict.finished:
        click.echo(
            f"{name}: unfinished: {done} fit together; without its end, the deals cannot be held against the seed"
        )
        sys.exit(1)
    click.echo(f"{name}: verified: {done}, placements, scores, seed and commitment")


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def games(as_json: bool) -> None:
    """List the games and their options."""
    if as_json:
        click.echo(json.dumps([_game_facts(game) for game in GAMES.values()], indent=2))
    else:
        Console().print(games_table(GAMES.values()))


@cli.command()
@click.argument("game")
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    help="The language. Default: de where LC_ALL, LC_MESSAGES or LANG says so, else en.",
)
def rules(game: str, lang: str | None) -> None:
    """Print the rules of a game in plain words.

    `bullring games` lists the games; any of their names will do.
    """
    try:
        found = find(game)
    except RulesError as error:
        raise Complaint(str(error)) from None
    Console().print(RulebookView(book(found, lang or _language())))


def _language() -> str:
    """That of the user, as the locale tells: the first of these variables that is set counts."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    code = locale[:2].lower()
    return code if code in LANGUAGES and not locale[2:3].isalpha() else "en"


def _game_facts(game: type[Game[Any]]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "aliases": list(game.aliases),
        "seats": list(game.seat_range),
        "options": {spec.name: spec.facts() for spec in game.option_specs},
        "decisions": list(game.decisions),
        "summary": game.summary,
        "source": game.source,
    }


def main(command: click.Command = cli) -> NoReturn:
    """Run a command as a program."""
    try:
        command.main(standalone_mode=True)
    except BrokenPipeError:
        # Whoever read our output has gone; nobody is left to tell.
        sys.stderr.close()
    sys.exit(0)
