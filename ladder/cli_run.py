"""`bullring ladder run`: play, show, stop, and say how to go on."""

import json
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import click
import trio
from rich.console import Console

from arena.cli_sandbox import sandbox_options, wish_of
from arena.clock import parse_duration
from arena.rules.game import Game
from arena.rules.registry import find
from arena.sandbox.choice import Wish
from arena.settings import Settings
from ladder.choosing import (
    complaints,
    duration_option,
    game_option,
    home_option,
    jobs_option,
    matches_option,
    options_option,
    rated_options,
    seats_option,
)
from ladder.errors import LadderError
from ladder.group import ladder
from ladder.home import Home
from ladder.runner import Happening, LadderRun, Listener, Plays, Stops
from ladder.schedule import Gauntlet, Ladder, Lineup, RoundRobin, Schedule
from ladder.seating import plan_of
from ladder.standings import Standings
from ladder.store import Format, ListRow, Store
from ladder.view import LiveListener, PlainListener, RunView, View, standings_table

INTERRUPTED = 130


@ladder.command()
@game_option
@seats_option
@options_option
@click.option(
    "--format", "format_", type=click.Choice(["ladder", "round-robin", "gauntlet"]), default="ladder", show_default=True
)
@click.option("--one", metavar="BOT", help="The bot that meets the field, for --format gauntlet.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How often each table is played, in the other formats.",
)
@matches_option
@duration_option
@click.option(
    "--until-error", type=click.FloatRange(min=0.1), metavar="ELO", help="Stop when no interval is wider than this."
)
@jobs_option
@click.option(
    "--anchor",
    metavar="BOT",
    help="The bot whose rating is 1500, from now on. Default: of those that have played, the one added first.",
)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="KEY",
    help="Show what bots print on stderr as `KEY = number`.",
)
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines, and the table at the end.")
@home_option
@sandbox_options
def run(
    game: str | None,
    seats: int | None,
    options: tuple[str, ...],
    format_: Format,
    one: str | None,
    rounds: int,
    matches: int | None,
    duration: str | None,
    until_error: float | None,
    jobs: int | None,
    anchor: str | None,
    metrics: tuple[str, ...],
    as_json: bool,
    home: Path | None,
    tier: str | None,
    allow_unsandboxed: bool,
    freeze: bool | None,
) -> None:
    """Play until a stop is reached, or until Ctrl-C.

    The first Ctrl-C begins nothing new and waits for the running matches, the second one stops at once. Nothing is lost
    either way: the same command goes on where it stopped.
    """
    with complaints():
        place = Home.find(home)
        with place.locked():
            store = place.store()
            table = game_of(store, game, seats, options)
            active = sum(row.state == "active" for row in store.bots())
            if active < table.seats:
                raise LadderError(
                    f"a table of {table.seats} seats needs as many bots, and there are {active} on this ladder;"
                    " add more with: bullring ladder add"
                )
            list_ = store.list_of(table.id, table.options, table.seats)
            if anchor is not None:
                store.set_anchor(list_.id, store.bot(anchor).id)
            standings = Standings(store, list_, anchor, until_error)
            plays = Plays(list_, format_, plan_of(table.id), _schedule(store, list_, format_, one, rounds))
            stops = Stops(matches, parse_duration(duration) if duration else None)
            listener, screen = listener_for(RunView(list_.title, standings, metrics), as_json=as_json)
            job = LadderRun(place, store, plays, standings, stops, jobs or os.cpu_count() or 1, listener)
            settings = place.settings()
            wish = wish_of(settings, tier, allow_unsandboxed, freeze, usually_frozen=True)
            code = trio.run(play_run, job, settings, wish, screen)
        if as_json:
            click.echo(
                json.dumps({"type": "table", "list": list_.title, "rows": [row.facts() for row in standings.rows()]})
            )
        else:
            console = Console()
            console.print(f"\n{list_.title}: {job.matches} matches in this run", markup=False)
            console.print(standings_table(standings.rows(), wide=console.width >= 100, metrics=metrics))
            click.echo(f"to go on: {resuming(place, matches and matches - job.matches)}")
    sys.exit(code)


def resuming(home: Home, matches: int | None = None) -> str:
    """The command that goes on, wherever it is typed; with what is left of `matches`, if that is known and not nothing."""
    words: list[str] = []
    for word in sys.argv[1:]:
        key, equals, _ = word.partition("=")
        if words and words[-1] in ("--home", "--matches"):
            words.pop()
        elif key not in ("--home", "--matches") or not equals:
            words.append(word)
    given = sys.argv[1:]
    if matches is not None and matches > 0:
        words += ["--matches", str(matches)]
    elif matches is not None:
        words += [word for at, word in enumerate(given) if word == "--matches" or (at and given[at - 1] == "--matches")]
        words += [word for word in given if word.startswith("--matches=")]
    return f"bullring {shlex.join([*words, '--home', str(home.path)])}"


async def play_run(job: LadderRun, settings: Settings, wish: Wish, screen: LiveListener | None) -> int:
    """Play under the eye of Ctrl-C. Returns the exit code."""
    code = 0
    async with trio.open_nursery() as nursery:

        async def heed_signals() -> None:
            nonlocal code
            with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                async for number in signals:
                    code = INTERRUPTED
                    if job.stopping or number == signal.SIGTERM:
                        nursery.cancel_scope.cancel()
                        return
                    job.stop("interrupted (once more stops at once)")

        nursery.start_soon(heed_signals)
        with screen.live if screen is not None else nullcontext():
            await job.run(settings, wish)
        nursery.cancel_scope.cancel()
    return code


def game_of(store: Store, name: str | None, seats: int | None, options: Sequence[str]) -> Game[Any]:
    """What to play: what was given, else what is played on this home already, else the standard game in one deal for four."""
    lists = store.lists()
    if name is None and seats is None and not options and len(lists) == 1:
        return find(lists[0].game)(lists[0].seats, lists[0].options)
    kind = find(name or "standard")
    low, high = kind.seat_range
    return kind(seats or min(max(low, 4), high), rated_options(kind, options))


def _schedule(store: Store, list_: ListRow, format_: Format, one: str | None, rounds: int) -> Schedule:
    if (format_ == "gauntlet") != (one is not None):
        raise LadderError("--format gauntlet and --one BOT belong together")
    if format_ == "ladder":
        return Ladder(list_.seats, Random())  # who meets whom is no secret
    active = [row.id for row in store.bots() if row.state == "active"]
    rows = store.groups("list = ? AND format = ? AND state != 'void'", (list_.id, format_))
    played: Counter[Lineup] = Counter(tuple(sorted(row.lineup)) for row in rows)
    if one is None:
        return RoundRobin(active, list_.seats, rounds, played)
    return Gauntlet(store.bot(one).id, active, list_.seats, rounds, played)


def listener_for(view: View, *, as_json: bool) -> tuple[Listener, LiveListener | None]:
    """Who tells of a run: JSON lines, a live picture on a terminal, or a line now and then."""
    if as_json:
        return _JsonListener(), None
    console = Console()
    if console.is_terminal:
        live = LiveListener(view, console)
        return live, live
    return PlainListener(), None


class _JsonListener:
    """Prints everything that happens, one JSON object on a line."""

    def happened(self, happening: Happening) -> None:
        """See `Listener`."""
        click.echo(json.dumps({"type": happening.kind, "text": happening.text, **happening.facts}))

    def tick(self, run: LadderRun) -> None:
        """See `Listener`."""
