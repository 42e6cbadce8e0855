"""`bullring play`: play at a table."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click
from click.core import ParameterSource

from bullring.arena.games.rulebook.language import say, speak, spoken
from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import (
    SandboxWish,
    TableWish,
    config_option,
    deals_option,
    home_option,
    json_option,
    language_option,
    option_option,
    sandbox_options,
    seed_option,
    target_option,
    together,
)
from bullring.cli.values import GAME, WHO, Duration
from bullring.errors import (
    DONE,
    FAILED,
    INTERRUPTED,
    LadderError,
    UsageError,
)

with late():
    import asyncio

    from rich.console import Console
    from rich.text import Text

    from bullring.arena.cells.bots.load import load
    from bullring.arena.cells.text.doing import unshown
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.registry import find
    from bullring.arena.settings.load import load_settings
    from bullring.arena.watching.display.afterwards import lately
    from bullring.arena.watching.display.people import left_line, opponents_table, result_lines, stats_tables
    from bullring.arena.watching.people import history
    from bullring.arena.watching.people.client import Table
    from bullring.arena.watching.people.how import How
    from bullring.arena.watching.people.invitation import Invitation, Remembered
    from bullring.arena.watching.people.messages import Broken, Over
    from bullring.arena.watching.people.opponents import Opponent, built_in, looks_like_bot, refuse_slip
    from bullring.arena.watching.people.plain import Plain
    from bullring.arena.watching.people.sending import Send
    from bullring.arena.watching.people.sitting import Chair, Sitting, played
    from bullring.arena.watching.people.unfinished import Left, left
    from bullring.arena.watching.screens.evening import Evening
    from bullring.arena.watching.screens.person import Statistics
    from bullring.arena.watching.screens.result import MATCHES
    from bullring.arena.watching.screens.terminal import full_screen, only_lines


ANY = ""
"""The value of --resume and --stats where none is given."""

SHORT = "bullring play --resume"


@click.command(name="play")
@click.argument("who", nargs=-1, metavar="[NAME]... [BOT]...", type=WHO)
@together(
    "table",
    TableWish,
    click.option(
        "--game",
        type=GAME,
        help="The game; `bullring games` lists them.  [default: online at four seats, else standard]",
    ),
    click.option(
        "--seats", type=click.IntRange(2, 10), help="The number of seats; empty ones are taken by built-in bots."
    ),
    option_option,
)
@click.option(
    "--tactics", is_flag=True, help="Play with as many cards as are needed, so that all are known: 1 to 44 for four."
)
@deals_option
@target_option
@click.option("--time", type=Duration(), help="Time limit of people for each decision, such as 30s. Default: none.")
@click.option("--fall-back", is_flag=True, help="Let the referee move for a person whose time is over.")
@click.option(
    "--send",
    type=click.Choice(["held", "confirmed", "at-once"]),
    metavar="WHEN",
    help="When a choice is sent, and can no longer be taken back: held for 1.5 seconds, confirmed, or at-once.",
)
@click.option("--hint/--no-hint", default=None, help="Show how the strongest built-in bot rates each choice.")
@click.option("--teach/--no-teach", default=None, help="Explain each turn in a sentence by the rule that decided it.")
@click.option("--pace", type=Duration(zero=True), help="The time of one step; 0 shows it at once.")
@language_option
@seed_option
@click.option("--plain", is_flag=True, help="Play in lines of text, and type the answers.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=ANY,
    metavar="[NUMBER|FILE]",
    help="Resume a match that was left: the only one, or the one with this number in the list, or of this record.",
)
@click.option(
    "--stats", is_flag=False, flag_value=ANY, metavar="[NAME]", help="Show the statistics of a person, or of everybody."
)
@click.option(
    "--list", "listing", is_flag=True, help="List the opponents: the built-in bots, and those of the home's ladder."
)
@config_option
@home_option
@json_option
@sandbox_options
def command(
    who: tuple[str, ...],
    table: TableWish,
    tactics: bool,
    deals: str | None,
    target: str | None,
    time: float | None,
    fall_back: bool,
    send: str | None,
    hint: bool | None,
    teach: bool | None,
    pace: float | None,
    seed: str | None,
    plain: bool,
    resume: str | None,
    stats: str | None,
    listing: bool,
    config: Path | None,
    home: Path | None,
    as_json: bool,
    sandbox: SandboxWish,
) -> int:
    """Play at a table, against bots or other people.

    `bullring play Ann` plays the online game of the rulebooks: Ann and three programs. Several NAMEs take turns at this machine. A
    BOT is @NAME for a built-in one or one of the home's ladder, a folder with a bot.toml (with a slash, as in ./mine), or a
    command line in quotes; every other word is the name of a person. Without either, a start page asks for everything.

    Records are kept in $XDG_DATA_HOME/bullring/played (~/.local/share/bullring/played). Matches with people are not rated.
    """
    if as_json and not listing and stats is None:
        raise click.UsageError("--json goes with --list or --stats")
    if listing:
        _list(_opponents(home), as_json=as_json)
        return DONE
    if stats is not None:
        return _stats(stats, as_json=as_json)
    plain = plain or only_lines()
    last = Remembered.read()
    how = How(
        _language(last.how),
        last.how.hint if hint is None else hint,
        last.how.teach if teach is None else teach,
        last.how.send if send is None else Send(send),
        last.how.pace if pace is None else pace,
    )
    settings = Sitting(
        (Chair("nobody"),),
        seed=seed or "",
        config=str(config.resolve()) if config else "",
        tier=sandbox.tier or "",
        allow_unsandboxed=sandbox.allow_unsandboxed,
        freeze=sandbox.freeze,
    )

    def settle(sitting: Sitting) -> Sitting:
        """The chosen table with the other options of the command line."""
        return replace(
            settings,
            chairs=sitting.chairs,
            game=sitting.game,
            options=sitting.options,
            limit=sitting.limit,
            falls_back=sitting.falls_back,
        )

    begin: Table | Remembered
    if resume is not None:
        if who:
            raise UsageError(say("screens.refusals.names_left"))
        chosen = _left(resume)
        if chosen is None:
            return DONE
        begin = chosen.resume()
    else:
        given = table.lasting(deals=deals, target=target)
        if table.game is not None:
            find(table.game)
        if home is not None:
            _of_home(home)
        people, bots = _who(who, home)
        invitation = Invitation(people or (last.person,), bots, table.game, given, table.seats, tactics)
        sitting = replace(invitation.settled(), limit=time, falls_back=fall_back)
        _admit(settle(sitting))
        if who or plain:
            begin = Table.begin(settle(sitting))
        else:
            said = table.game or given or table.seats or tactics
            begin = replace(Remembered.of(sitting, how) if said else last, how=how)
            if time is not None:
                begin = replace(begin, limit=time, falls_back=fall_back)
    if plain:
        assert isinstance(begin, Table)
        return _plain(begin, how)
    if not (full_screen() and full_screen(sys.stderr)):  # Textual draws on stderr
        raise UsageError(say("screens.refusals.no_screen"))
    return _evening(Evening(how, lambda: _opponents(home), settle, begin))


def _language(last: How) -> str:
    """The language that was given, or else the one of the last time, which is spoken from now on; empty if there is neither."""
    if click.get_current_context().get_parameter_source("lang") is not ParameterSource.DEFAULT:
        return spoken().code
    if last.language:
        speak(last.language)
    return last.language


def _who(who: Sequence[str], home: Path | None) -> tuple[tuple[str, ...], tuple[Chair, ...]]:
    """People and bots among the words. Raises `BotError`, `LadderError`."""
    people, bots = [], []
    ladder: list[Opponent] | None = None
    for text in who:
        if not looks_like_bot(text):
            refuse_slip(text)
            people.append(text)
            continue
        known = built_in()
        if text.startswith("@") and text not in {one.bot for one in known}:
            ladder = _of_home(home) if ladder is None else ladder
            found = next((one for one in ladder if one.name == text[1:]), None)
            if found is not None:
                bots.append(Chair(found.name, found.bot))
                continue
        load(text)
        bots.append(Chair(bot=text))
    return tuple(people), tuple(bots)


def _opponents(home: Path | None) -> list[Opponent]:
    return [*built_in(), *_of_home(home)]


def _of_home(home: Path | None) -> list[Opponent]:
    """The bots of the ladder's home; none where there is no home and none was named. Raises `LadderError`."""
    from bullring.ladder.standings.opponents import opponents
    from bullring.ladder.store.home import Home

    try:
        place = Home.find(home)
    except LadderError:
        if home is not None:
            raise
        return []
    return opponents(place)


def _admit(sitting: Sitting) -> None:
    """Find out before anything is started whether all bots can play with these settings. Raises `BotError`, `SettingsError`."""
    settings = load_settings(Path(sitting.config) if sitting.config else None, sitting.times)
    for chair in sitting.chairs:
        if not chair.person:
            settings.admit(load(chair.bot))


def _left(text: str) -> Left | None:
    """The match to resume; None if one of several must be chosen first. Raises `UsageError`."""
    found = left()
    if text and not text.isdecimal():
        path = Path(text)
        at = next((one for one in left(path.parent) if one.record.name == path.name), None)
        if at is None:
            raise UsageError(say("screens.refusals.not_left", record=path))
        return at
    if not found:
        raise UsageError(say("screens.refusals.none_left"))
    if text:
        if not 1 <= int(text) <= len(found):
            raise UsageError(say("screens.refusals.no_such_left", most=len(found), given=text, command=SHORT))
        return found[int(text) - 1]
    if len(found) == 1:
        return found[0]
    for number, one in enumerate(found, 1):
        names = [chair.name or chair.bot for chair in one.sitting.chairs]
        click.echo(left_line(number, one.began, one.sitting.game, names, str(one.record)))
    click.echo(say("tables.people.resume", command=f"{SHORT} NUMBER"))
    return None


def _evening(evening: Evening) -> int:
    """Run the screen, and print the results afterwards. Returns the exit code."""
    with unshown():
        code = evening.run()
    code = code or evening.return_code or DONE
    if evening.over is not None:
        for line in result_lines(evening.over.facts):
            click.echo(line)
    if evening.broken:
        complain(evening.broken, 2000)
    if evening.left:
        click.echo(_going_on(evening.left), err=True)
    return code


def _plain(table: Table, how: How) -> int:
    """Play in lines of text. Returns the exit code."""

    Remembered.of(table.sitting, how).keep()

    async def play() -> Over | Broken | None:
        return await Plain(table, send=how.send, teach=how.teach, hint=how.hint).play()

    try:
        end = asyncio.run(play())
    except KeyboardInterrupt:
        _tell_how_to_go_on(table)
        return INTERRUPTED
    if end is None:
        _tell_how_to_go_on(table)
        return DONE
    if isinstance(end, Broken):
        complain(end.text, 2000)
        if end.record:
            _tell_how_to_go_on(table)
        return FAILED
    for line in result_lines(end.facts):
        click.echo(line)
    return DONE


def _tell_how_to_go_on(table: Table) -> None:
    if table.record:
        click.echo(f"\n{_going_on(table.record)}", err=True)


def _going_on(record: str) -> str:
    """The command that resumes this match; it names the record if other matches were left, too."""
    which = f" {shlex.quote(record)}" if len(left()) > 1 else ""
    return harmless(say("tables.people.goes_on", command=SHORT + which), 1000)


def _list(found: Sequence[Opponent], *, as_json: bool) -> None:
    facts = [{**asdict(one), "lacks": one.lacks} for one in found]
    if as_json:
        click.echo(json.dumps(facts, indent=2))
    else:
        Console().print(opponents_table(facts))


def _stats(name: str, *, as_json: bool) -> int:
    found = [one for one in history.stats() if name in (ANY, one["name"])]
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return DONE
    if not found:
        raise UsageError(say(f"screens.refusals.no_stats{'_of' if name else ''}", name=harmless(name)))
    if full_screen() and full_screen(sys.stderr):
        return Statistics(found).run() or DONE
    console = Console(highlight=False)
    if len(found) == 1:
        console.print(
            Text(harmless(found[0]["name"]), "bold cyan"),
            *lately(found[0]["trend"][-MATCHES:], console.width),
            sep="\n",
        )
    for table in stats_tables(found):
        console.print(table)
    if len(found) == 1:
        folder = say("tables.people.folder", folder=harmless(played(), 1000))
        console.print(folder, markup=False, soft_wrap=True)
    return DONE
