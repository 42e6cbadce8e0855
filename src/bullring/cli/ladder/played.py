"""What `bullring ladder run` does once its referee processes have been started: plan, play, and show the end."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import click
from rich.console import Console
from rich.text import Text

from bullring.arena.games.rulebook.language import say
from bullring.cli.ladder.chosen import home_flag, playing
from bullring.cli.ladder.runs import continuing, listener_for, play_run, resuming
from bullring.cli.options import RunWish, SandboxWish, TableWish
from bullring.ladder.run.cluster.cluster import Cluster
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.plan import planned, rated_game
from bullring.ladder.run.run import LadderRun, Stops, check_bots
from bullring.ladder.run.workers.local import Referee
from bullring.ladder.standings import ratings
from bullring.ladder.standings.titles import plain_title
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import Format
from bullring.ladder.store.store import Store
from bullring.ladder.watching.display.ended import Ended, changes
from bullring.ladder.watching.display.run import ScreenListener
from bullring.ladder.watching.display.tables import WIDE, standings_notes, standings_table
from bullring.ladder.watching.screens.reader import results

PROMPT = 3
"""Lines of what continues the run, and of the shell."""


@dataclass(frozen=True)
class Asked:
    """The options of the command."""

    table: TableWish
    format_: Format
    one: str | None
    also: Sequence[str]
    rounds: int
    wish: RunWish
    until_error: float | None
    anchor: str | None
    metrics: tuple[str, ...]
    duplicate: bool
    as_json: bool


def play(
    place: Home, store: Store, asked: Asked, sandbox: SandboxWish, cluster: Cluster | None, early: Sequence[Referee]
) -> int:
    """Play the run of a home that is locked, with the processes hired `early`. Returns the exit code."""
    table, wish, one, anchor = asked.table, asked.wish, asked.one, asked.anchor
    game = rated_game(store, table.game, table.seats, table.given)
    also = {playing(place, store, name).id for name in (*asked.also, *([one] if one else []))}
    check_bots(sum(row.plays(also) for row in store.bots()), game.seats, home_flag(place))
    plays = planned(store, game, asked.format_, one, asked.rounds, also, duplicate=asked.duplicate)
    list_ = plays.list
    if anchor is not None:
        store.set_anchor(list_.id, store.bot(anchor).id)
    rated = Rated(place, store, list_, anchor, asked.until_error)
    before = rated.rows()
    listener = listener_for(
        lambda console: ScreenListener(place, list_.id, console, asked.metrics), as_json=asked.as_json, screen=True
    )
    stops = Stops(wish.matches, wish.seconds)
    run = LadderRun(place, store, plays, rated, stops, wish.processes, listener, cluster, early)
    settings = place.settings()
    code = play_run(run, settings, sandbox.over(settings), listener)
    found = ratings.rated(store, list_, asked.until_error)
    rows, outlook = found.rows, found.outlook
    if asked.as_json:
        facts = [row.facts() for row in rows]
        click.echo(json.dumps({"type": "table", "list": list_.title, "rows": facts, **outlook.facts()}))
    else:
        console, played = Console(), say("ladder.in_run", matches=say("ladder.matches", count=run.matches))
        left = 0 if wish.matches is None else wish.matches - run.matches
        how = continuing(resuming(place, left if left >= plays.size else 0), console)
        if console.is_terminal:
            last = results(store, list_.id, {bot.name: bot.id for bot in store.bots()})[: run.matches]
            shown = Ended(plain_title(list_), played, before, rows, outlook, last, asked.metrics)
            console.print(*shown.drawn(console.width, console.height - how.count("\n") - PROMPT), sep="\n")
        else:
            console.print(Text(f"{plain_title(list_)}: {played}", "bold cyan"))
            if changed := changes(before, rows, console.width):
                console.print(changed)
            table_ = standings_table(
                rows, wide=console.width >= WIDE, metrics=asked.metrics, width=console.width, plain=True
            )
            console.print(table_, *standings_notes(rows, outlook), sep="\n")
        click.echo(how)
    return code
