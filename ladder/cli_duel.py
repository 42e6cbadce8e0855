"""`bullring duel`: for people who improve one bot."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
import trio
from rich.console import Console

from arena.cli_sandbox import sandbox_options, wish_of
from arena.clock import parse_duration
from arena.rules.registry import find
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
from ladder.cli_run import listener_for, play_run, resuming
from ladder.duel import DuelBook, DuelView
from ladder.errors import LadderError
from ladder.home import Home
from ladder.rating.sequential import Sequential
from ladder.runner import LadderRun, Plays, Stops
from ladder.schedule import Duel
from ladder.store import Store


@click.command()
@click.argument("new")
@click.argument("old")
@game_option
@seats_option
@options_option
@click.option(
    "--pool",
    multiple=True,
    metavar="BOT",
    help="Who takes the other seats; may be repeated. In a home: all other bots.",
)
@click.option(
    "--elo0",
    type=float,
    default=0.0,
    show_default=True,
    help="It is not better if it is so much better or less.",
)
@click.option(
    "--elo1", type=float, default=10.0, show_default=True, help="It is better if it is so much better or more."
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="The chance to call it better though it is not."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="The chance to call it not better though it is."
)
@matches_option
@duration_option
@jobs_option
@click.option(
    "--time",
    "times",
    multiple=True,
    metavar="[KIND=]DURATION",
    help="Limits of time, without --home.",
)
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines, and the verdict at the end.")
@home_option
@sandbox_options
def duel(
    new: str,
    old: str,
    game: str | None,
    seats: int | None,
    options: tuple[str, ...],
    pool: tuple[str, ...],
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    matches: int | None,
    duration: str | None,
    jobs: int | None,
    times: tuple[str, ...],
    as_json: bool,
    home: Path | None,
    tier: str | None,
    allow_unsandboxed: bool,
    freeze: bool | None,
) -> None:
    """Find out whether the bot NEW is better than OLD, with as few matches as it takes.

    Without --home, bots are folders or command lines, and nothing is kept. With it, they are bots of that home, its limits
    hold, and a duel that was interrupted goes on. Every group is two matches with the same deals, the two bots having
    changed their seats; at larger tables the other seats are filled from the pool.
    """
    with complaints():
        test = _test(elo0, elo1, alpha, beta)
        with _place(home, new, old, pool, times) as (place, store):
            ids = {row.name: row.id for row in store.bots() if row.state == "active"}
            names = store.bot(_name(store, new, 0, home)).name, store.bot(_name(store, old, 1, home)).name
            others = [
                id for name, id in ids.items() if name not in names and (not pool or home is None or name in pool)
            ]
            for name in (*names, *(pool if home is not None else ())):
                if store.bot(name).name not in ids:
                    raise LadderError(f"{name!r} does not play on this ladder; let it with: bullring ladder reinstate")
            if names[0] == names[1]:
                raise LadderError("a bot cannot duel with itself; give two")
            kind = find(game or "standard")
            low, high = kind.seat_range
            wanted = seats or max(low, min(4, high, 2 + len(others)))
            if len(others) < wanted - 2:
                raise LadderError(
                    f"a table of {wanted} seats needs {wanted - 2} other bots; name them with --pool, or say --seats 2"
                )
            table = kind(wanted, rated_options(kind, options))
            list_ = store.list_of(table.id, table.options, table.seats)
            duellists = store.bot(names[0]).id, store.bot(names[1]).id
            book = DuelBook(store, list_, *duellists, test)
            plays = Plays(list_, "duel", "swap", Duel(wanted, *duellists, others, int(book.cells.sum())))
            listener, screen = listener_for(DuelView(list_.title, names, book), as_json=as_json)
            stops = Stops(matches, parse_duration(duration) if duration else None)
            job = LadderRun(place, store, plays, book, stops, jobs or os.cpu_count() or 1, listener)
            settings = place.settings()
            wish = wish_of(settings, tier, allow_unsandboxed, freeze, usually_frozen=True)
            code = trio.run(play_run, job, settings, wish, screen)
    if as_json:
        click.echo(json.dumps({"type": "verdict", "new": names[0], "old": names[1], **book.facts()}))
    else:
        if screen is None:
            Console().print(DuelView(list_.title, names, book))
        if home is not None and book.enough([]) is None:
            click.echo(f"to go on: {resuming(place)}")
    sys.exit(code)


def _test(elo0: float, elo1: float, alpha: float, beta: float) -> Sequential:
    try:
        return Sequential(elo0, elo1, alpha, beta)
    except ValueError as error:
        raise LadderError(str(error)) from None


@contextmanager
def _place(
    home: Path | None, new: str, old: str, pool: Sequence[str], times: Sequence[str]
) -> Iterator[tuple[Home, Store]]:
    """The home that was named, or one for this duel alone."""
    if home is not None:
        if times:
            raise LadderError("--time belongs to duels without --home; the limits of a home are in its settings.toml")
        place = Home.find(home)
        with place.locked():
            yield place, place.store()
        return
    with tempfile.TemporaryDirectory(prefix="bullring-duel-") as folder:
        place = Home.create(Path(folder) / "home", times)
        store = place.store()
        for role, text in [("new", new), ("old", old), *((f"pool {i}", text) for i, text in enumerate(pool, 1))]:
            bot = place.adopt(text, None if role.startswith("pool") else role, ())
            taken = {row.name for row in store.bots()}
            if bot.name in taken:
                bot = place.adopt(text, role, taken)
            store.add_bot(bot.name, text)
        with place.locked():
            yield place, store


def _name(store: Store, given: str, role: int, home: Path | None) -> str:
    """What a duellist is called in the home."""
    return given if home is not None else ("new", "old")[role]
