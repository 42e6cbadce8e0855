"""`bullring ladder run`: play a run, and show it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import (
    ClusterWish,
    RunWish,
    SandboxWish,
    TableWish,
    cluster_options,
    home_option,
    language_option,
    metrics_option,
    run_options,
    sandbox_options,
    table_options,
)
from bullring.cli.values import LADDER_BOT, Number

with late():
    from rich.console import Console
    from rich.text import Text

    from bullring.arena.games.rulebook.language import say
    from bullring.cli.ladder.chosen import home_flag, playing
    from bullring.cli.ladder.runs import continuing, listener_for, play_run, resuming
    from bullring.ladder.run.live_ratings import Rated
    from bullring.ladder.run.plan import planned, rated_game
    from bullring.ladder.run.run import LadderRun, Stops, check_bots
    from bullring.ladder.standings import ratings
    from bullring.ladder.standings.titles import plain_title
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.rows import Format
    from bullring.ladder.watching.display.ended import Ended, changes
    from bullring.ladder.watching.display.run import ScreenListener
    from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table
    from bullring.ladder.watching.screens.reader import results

PROMPT = 3
"""Lines of what continues the run, and of the shell."""


@click.command(name="run")
@table_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["ladder", "round-robin", "gauntlet"]),
    default="ladder",
    show_default=True,
    help="Matchmaking: the most informative tables, every table, or every table with --one.",
)
@click.option("--one", metavar="BOT", type=LADDER_BOT, help="The bot that meets all others, for --format gauntlet.")
@click.option(
    "--also",
    multiple=True,
    metavar="BOT",
    type=LADDER_BOT,
    help="An older version of a bot, to play in this run as well. May be repeated.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Rounds of round-robin and gauntlet.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Play each deal with the bots in all orders of seats. Only for bots you trust.",
)
@language_option
@run_options
@cluster_options
@click.option("--until-error", type=Number(min=0.1), metavar="ELO", help="Stop when no interval is wider than ± ELO.")
@click.option(
    "--anchor",
    metavar="BOT",
    type=LADDER_BOT,
    help="The bot whose rating is 1500 from now on, which only moves the zero. Default: the mean of the list.",
)
@metrics_option
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines, and the table at the end.")
@home_option
@sandbox_options
def command(
    table: TableWish,
    format_: Format,
    one: str | None,
    also: tuple[str, ...],
    rounds: int,
    duplicate: bool,
    wish: RunWish,
    cluster: ClusterWish,
    until_error: float | None,
    anchor: str | None,
    metrics: tuple[str, ...],
    as_json: bool,
    home: Path | None,
    sandbox: SandboxWish,
) -> int:
    """Play until a limit is reached, or until Ctrl-C.

    The first Ctrl-C finishes the matches in progress; the second one stops at once. No result is lost: the same command continues
    the run.
    """
    chosen = cluster.chosen(wish)
    place = Home.find(home)
    with place.locked():
        store = place.store()
        game = rated_game(store, table.game, table.seats, table.given)
        asked = {playing(place, store, name).id for name in (*also, *([one] if one else []))}
        check_bots(sum(row.plays(asked) for row in store.bots()), game.seats, home_flag(place))
        plays = planned(store, game, format_, one, rounds, asked, duplicate=duplicate)
        list_ = plays.list
        if anchor is not None:
            store.set_anchor(list_.id, store.bot(anchor).id)
        rated = Rated(place, store, list_, anchor, until_error)
        before = rated.rows()
        listener = listener_for(
            lambda console: ScreenListener(place, list_.id, console, metrics), as_json=as_json, screen=True
        )
        stops = Stops(wish.matches, wish.seconds)
        run = LadderRun(place, store, plays, rated, stops, wish.processes, listener, chosen)
        settings = place.settings()
        code = play_run(run, settings, sandbox.over(settings), listener)
        found = ratings.rated(store, list_, until_error)
    rows, outlook = found.rows, found.outlook
    if as_json:
        facts = [row.facts() for row in rows]
        click.echo(json.dumps({"type": "table", "list": list_.title, "rows": facts, **outlook.facts()}))
    else:
        console, played = Console(), say("ladder.in_run", matches=say("ladder.matches", count=run.matches))
        left = 0 if wish.matches is None else wish.matches - run.matches
        how = continuing(resuming(place, left if left >= plays.size else 0), console)
        if console.is_terminal:
            last = results(store, list_.id, {bot.name: bot.id for bot in store.bots()})[: run.matches]
            shown = Ended(plain_title(list_), played, before, rows, outlook, last, metrics)
            console.print(*shown.drawn(console.width, console.height - how.count("\n") - PROMPT), sep="\n")
        else:
            console.print(Text(f"{plain_title(list_)}: {played}", "bold cyan"))
            if changed := changes(before, rows, console.width):
                console.print(changed)
            table_ = standings_table(rows, wide=console.width >= WIDE, metrics=metrics, width=console.width, plain=True)
            console.print(table_, *standings_notes(rows, outlook), sep="\n")
        click.echo(how)
    return code
