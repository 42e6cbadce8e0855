"""`bullring ladder report`: write a home as a static site."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import PATH, checked_address, home_option, language_option
from bullring.errors import LadderError
from bullring.ladder.watching.site import ANALYSE, REPLAYS

with late():
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.sayings import counted
    from bullring.cli.ladder.chosen import home_flag
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.store import Store
    from bullring.ladder.watching.site.folder import Folder
    from bullring.ladder.watching.site.site import Report


NICE = 10
"""With --watch, a ladder on the same machine comes first."""

REFRESH = 30
"""With --watch, the fewest seconds after which browsers load an open page anew."""

SHARE = 10
"""With --watch, the reciprocal of the largest share of the time that is spent on writing."""


replays_option = click.option(
    "--replays",
    type=click.IntRange(0, 100_000),
    default=REPLAYS,
    show_default=True,
    metavar="N",
    help="Make a page of its own, to share, for each of the last N matches of a list; notable ones have one in any case.",
)


@click.command(name="report")
@click.argument("folder", type=PATH, metavar="DIR")
@replays_option
@click.option(
    "--analyse",
    type=click.IntRange(0, 86_400),
    default=ANALYSE,
    show_default=True,
    metavar="SECONDS",
    help="Analyse matches that are worth a look, and then the newest, for about so long; the home keeps what was done.",
)
@click.option("--watch", is_flag=True, help="Keep the site fresh while a ladder runs, until Ctrl-C.")
@click.option(
    "--every",
    type=click.IntRange(1, 86_400),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Seconds between two updates, with --watch.",
)
@click.option(
    "--address",
    callback=checked_address,
    metavar="URL",
    help="The address that the site will have. Without it, few programs find the pictures for links to matches.",
)
@click.option("--logs", is_flag=True, help="Publish what bots wrote to stderr in their last matches, too.")
@language_option
@home_option
def command(
    folder: Path,
    replays: int,
    analyse: int,
    watch: bool,
    every: int,
    address: str | None,
    logs: bool,
    home: Path | None,
) -> None:
    """Write the home as a static site for any web server.

    It has the standings, the course of ratings, results of pairs, faults, a page for each bot, and the last 20,000 matches of each
    list, all to be looked at. DIR is a folder of its own, made if it is missing; open its index.html in a browser. Writing it again
    updates only changed pages.
    Matches in progress and paths of this machine are not shown.
    """
    place = Home.find(home)
    store = place.store(read_only=True)
    if not store.lists(played=True) and not watch:
        raise LadderError(
            f"nothing has been played on this ladder yet; start with: bullring ladder run{home_flag(place)}"
        )
    where = address and address.rstrip("/") + "/"
    refresh = max(every, REFRESH) if watch else None
    report = Report(place, Folder(folder), replays, logs=logs, refresh=refresh, address=where, analyse=analyse)
    if not watch:
        _make(report, store, folder)
        return
    os.nice(NICE)
    with suppress(KeyboardInterrupt):
        while True:
            time.sleep(max(every, SHARE * _make(report, store, folder, quiet=True)))


def _make(report: Report, store: Store, folder: Path, *, quiet: bool = False) -> float:
    """Make the site, and say so; if `quiet`, only where something has changed. Returns the seconds it took."""
    began = time.monotonic()
    with doing("writing the site"):
        written = report.make(store)
    took = time.monotonic() - began
    if written or not quiet:
        files = counted(written, "page")
        click.echo(f"{files} written in {took:.1f} s; open {harmless(folder / 'index.html')}")
    return took
