"""`bullring bots show`, `log`, `retire`, `remove` and `reinstate`: the versions of a bot on a ladder."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import home_option, json_option
from bullring.cli.values import LADDER_BOT

with late():
    from bullring.arena.cells.text.harmless import harmless
    from bullring.cli.ladder.chosen import home_flag, way_back
    from bullring.ladder.store.cleanup import changing
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.rows import StoredState


bot_argument = click.argument("bot", type=LADDER_BOT)


@click.command(name="show")
@bot_argument
@home_option
@json_option
def show(bot: str, home: Path | None, as_json: bool) -> None:
    """Show all versions of a bot.

    For each one: its state and the reason, its source and date, the hash and folder of its files, the log of its build, its limits,
    and its rating. Give a label such as "mine v2" for one version, and a name for all.
    """
    from bullring.ladder.standings.versions import versions
    from bullring.ladder.watching.display.bots import version_lines

    place = Home.find(home)
    store = place.store(read_only=True)
    found = versions(place, store, {row.id for row in store.versions(bot)})
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    for number, facts in enumerate(found):
        for line in ([""] if number else []) + list(version_lines(facts)):
            click.echo(line)


@click.command(name="log")
@bot_argument
@click.option("--last", type=click.IntRange(1), default=5, show_default=True, help="The number of matches.")
@click.option("--losses", is_flag=True, help="Only matches that it did not win.")
@click.option("--match", "match", type=click.IntRange(1), metavar="ID", help="Only this match, with all of its stderr.")
@home_option
@json_option
def log(bot: str, last: int, losses: bool, match: int | None, home: Path | None, as_json: bool) -> None:
    """Print the last matches of a bot: ranks, faults, records, and its stderr.

    The newest match is the last one. Give a label such as "mine v2" for one version, and a name for all. The last lines are
    commands that show more of the newest match.
    """
    from bullring.ladder.standings.logs import logs
    from bullring.ladder.watching.display.bots import log_lines, next_lines

    place = Home.find(home)
    store = place.store(read_only=True)
    found = logs(place, store, store.versions(bot), last, lost=losses, match=match)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    if not found:
        what = "has not lost a match" if losses and match is None else "has not played such a match"
        complain(f"it {what} yet")
    for facts in found:
        for line in log_lines(facts, whole=match is not None):
            click.echo(line)
    whole = [facts for facts in found if not facts["problem"]]
    if whole:
        for line in next_lines(whole[-1], place.path):
            click.echo(line)


@click.command(name="reinstate")
@bot_argument
@home_option
def reinstate(bot: str, home: Path | None) -> None:
    """Let a benched, retired or removed bot play again.

    Its earlier faults no longer count against it. An older version waits until the newer ones are taken off.
    """
    _change(bot, home, "active")


@click.command(name="remove")
@bot_argument
@home_option
def remove(bot: str, home: Path | None) -> None:
    """Take a bot off the ladder.

    Its matches stay and keep their weight in the ratings of the others. A version is named by its label: "mine v2".
    """
    _change(bot, home, "removed")


@click.command(name="retire")
@bot_argument
@home_option
def retire(bot: str, home: Path | None) -> None:
    """Retire a bot, because there is a better version.

    Its matches and its rating stay. A version is named by its label: "mine v2".
    """
    _change(bot, home, "retired")


def _change(bot: str, home: Path | None, state: StoredState) -> None:
    """Change the state of a bot, and say how to undo it."""
    place = Home.find(home)
    with changing(place) as store:
        row = store.bot(bot)
        store.set_state(row.id, state)
        rows = store.bots()
    now = next(one for one in rows if one.id == row.id)
    undo = f"bullring bots reinstate {shlex.quote(row.name)}{home_flag(place)}"
    if now.state == "older":
        done = f"waits, {now.reason}; {way_back(place, now)}, or when the newer version is taken off"
    else:
        done = "plays again" if state == "active" else f"was {state}; undo: {undo}"
    click.echo(harmless(f'"{row.name}" {done}'))
    back = [one for one in rows if one.bot == row.bot and one.id != row.id and one.state == "active"]
    if state != "active" and row.state == "active" and back:
        click.echo(harmless(f'"{back[-1].name}" plays instead'))
