"""`bullring bots log`: print the last matches of a bot."""

import json
from pathlib import Path

import click

from bullring.cli.options import home_option, json_option
from bullring.cli.values import LADDER_BOT
from bullring.ladder.standings.logs import logs
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.bots import log_lines, next_lines


@click.command(name="log")
@click.argument("bot", type=LADDER_BOT)
@click.option("--last", type=click.IntRange(1), default=5, show_default=True, help="The number of matches.")
@click.option("--losses", is_flag=True, help="Only matches that it did not win.")
@click.option("--match", "match", type=click.IntRange(1), metavar="ID", help="Only this match, with all of its stderr.")
@home_option
@json_option
def command(bot: str, last: int, losses: bool, match: int | None, home: Path | None, as_json: bool) -> None:
    """Print the last matches of a bot: ranks, faults, records, and what it wrote to stderr.

    The newest match is the last one. Give a label such as "mine v2" for one version, and a name for all. What a bot writes to
    stderr is in the record, which `bullring replay` shows turn by turn. The last lines are commands for finding out more about
    the newest match.
    """
    place = Home.find(home)
    store = place.store(read_only=True)
    found = logs(place, store, store.versions(bot), last, lost=losses, match=match)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    if not found:
        what = "has not lost a match" if losses and match is None else "has not played such a match"
        click.echo(f"bullring: it {what} yet", err=True)
    for facts in found:
        for line in log_lines(facts, whole=match is not None):
            click.echo(line)
    whole = [facts for facts in found if not facts["problem"]]
    if whole:
        for line in next_lines(whole[-1], place.path):
            click.echo(line)
