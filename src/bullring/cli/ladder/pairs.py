"""`bullring ladder pairs`: the results of pairs."""

import json
from pathlib import Path

import click
from rich.console import Console

from bullring.cli.ladder.chosen import opened
from bullring.cli.ladder.plotting import free, plot_options, wished
from bullring.cli.options import TableWish, home_option, table_options
from bullring.errors import LadderError
from bullring.ladder.standings.standings import Standings
from bullring.ladder.watching.display.tables import pairs_table


@click.command(name="pairs")
@table_options
@home_option
@plot_options
def command(
    table: TableWish, home: Path | None, format_: str | None, as_json: bool, output: Path | None, overwrite: bool
) -> None:
    """Show the results of each pair of bots as a map, or print them.

    For each pair: the bot's share of points against the other; the table adds the number of their matches.
    """
    console = Console()
    wish = wished(format_, output, as_json=as_json, console=console)
    target = free(output, overwrite=overwrite) if output is not None else None
    _, store, list_ = opened(home, table)
    standings = Standings(store, list_)
    found = standings.pairs()
    if wish == "json":
        click.echo(json.dumps(found, indent=2))
        return
    bots = [row.bot for row in standings.rows() if row.matches]
    if not bots and wish != "table":
        raise LadderError("nobody has played a match of this list yet")
    if target is not None:
        from bullring.ladder.watching.display.figures import pairs_figure  # matplotlib takes time to import

        pairs_figure(bots, found, list_.title, target, wish)
        click.echo(target)
        return
    console.print(list_.title, markup=False, highlight=False)
    if wish == "table":
        console.print(pairs_table(bots, found))
        return
    from bullring.ladder.watching.display.plots import pairs_map

    for line in pairs_map(bots, found, console.width):
        console.print(line, highlight=False)
