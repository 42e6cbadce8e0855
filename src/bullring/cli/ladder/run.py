"""`bullring ladder run`: play a run, and show it."""

from __future__ import annotations

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
    from bullring.ladder.run.hired import hired
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.rows import Format


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
        with hired(place, store, 0 if chosen else wish.processes) as early:
            # Only now: these processes import what they need at the same time.
            from bullring.cli.ladder.played import Asked, play

            more = {"duplicate": duplicate, "as_json": as_json}
            asked = Asked(table, format_, one, also, rounds, wish, until_error, anchor, metrics, **more)
            return play(place, store, asked, sandbox, chosen, early)
