"""`bullring ladder company`: print how each bot's presence changes the results of the others."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import TableWish, home_option, table_options
from bullring.cli.values import LADDER_BOT
from bullring.errors import LadderError

with late():
    from rich.console import Console

    from bullring.arena.cells.text.doing import doing
    from bullring.cli.ladder.chosen import home_flag, opened
    from bullring.ladder.standings.apart import apart
    from bullring.ladder.standings.standings import Standings
    from bullring.ladder.watching.display.company import apart_notes, apart_table, company_notes, company_table


SHOWN = 10
"""Pairs that are shown unless all are asked for; unusual ones are always shown."""


@click.command(name="company")
@click.argument("bot", type=LADDER_BOT, required=False)
@table_options
@click.option("--all", "everything", is_flag=True, help=f"Show all pairs, not only the {SHOWN} most unusual ones.")
@click.option(
    "--confirm",
    type=click.IntRange(min=1),
    metavar="MATCH",
    help="Look for rings in the matches up to this number, and judge them by later ones. Default: one half, and the other.",
)
@click.option(
    "--as-one",
    metavar="BOT,BOT...",
    help="Instead, rate all bots without the matches in which two of these sat together.",
)
@home_option
@click.option("--json", "as_json", is_flag=True, help="Print all pairs and rings as a JSON object.")
def command(
    bot: str | None,
    table: TableWish,
    everything: bool,
    confirm: int | None,
    as_one: str | None,
    home: Path | None,
    as_json: bool,
) -> None:
    """Print how each bot's presence changes the results of each other one, and which seem to help each other.

    For tables of three and more. Each line compares a bot's results against the same rivals beside one companion and beside
    others; with BOT, only lines with that bot. Effects of playing styles are subtracted. Rings, which are several helpers of one
    bot or bots that all help each other, are looked for in one half of the matches and called unusual only if the other half
    confirms it. Unusual is not guilty: see docs/fair-play.md.
    """
    place, store, list_ = opened(home, table)
    if list_.seats < 3:
        raise LadderError(
            f"{list_.title}: `company` needs a list of three seats or more, as at two seats nobody can be helped"
        )
    console = Console()
    if as_one is not None:
        with doing("rating them apart"):
            rated = apart(store, list_, [store.bot(name.strip()).name for name in as_one.split(",")])
        if as_json:
            click.echo(json.dumps(rated.facts(), indent=2))
            return
        console.print(list_.title, markup=False, highlight=False)
        console.print(apart_table(rated))
        console.print(apart_notes(rated), markup=False, highlight=False)
        return
    name = None if bot is None else store.bot(bot).name
    standings = Standings(store, list_)
    with doing("comparing results with and without each companion"):
        found = standings.company(confirm)
    pairs = [pair for pair in found["pairs"] if name is None or name in (pair["bot"], pair["beside"])]
    rings = [ring for ring in found["rings"] if name is None or name in (*ring["helpers"], *ring["helped"])]
    chosen = {**found, "rings": rings, "pairs": pairs}
    if as_json:
        click.echo(json.dumps(chosen, indent=2))
        return
    console.print(list_.title, markup=False, highlight=False)
    shown = [pair for at, pair in enumerate(pairs) if everything or at < SHOWN or pair["unusual"]]
    if shown:
        console.print(company_table(shown))
    console.print(company_notes(chosen, home_flag(place)), markup=False, highlight=False)
