"""`bullring ladder rebuild`: rebuild all results."""

from contextlib import closing
from pathlib import Path

import click

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.sayings import counted
from bullring.cli.longwork import long_work
from bullring.cli.options import home_option
from bullring.cli.support.findings import finding_lines
from bullring.ladder.standings import conduct
from bullring.ladder.store.home import Home
from bullring.ladder.store.rebuild import rebuild

SHOWN = 20
"""Most lines about records that were left out."""


@click.command(name="rebuild")
@click.option("--drop-missing", is_flag=True, help="Drop matches whose record is missing or does not verify.")
@click.option("--add-unknown", is_flag=True, help="Add matches that the store does not know, if their record verifies.")
@home_option
def command(home: Path | None, drop_missing: bool, add_unknown: bool) -> None:
    """Rebuild all results from the records.

    Each record is verified first, and must have the seal that the store keeps for its match. What is left out is listed; if
    matches would be lost, nothing is changed.
    """
    place = Home.find(home)
    with place.locked(), long_work() as tell:
        report = rebuild(place, drop_missing=drop_missing, add_unknown=add_unknown, tell=tell)
        with closing(place.store()) as store, store.change():
            conduct.write(store, tell)
    matches = counted(report.matches, "match", "matches")
    left_out = f"; {counted(report.left_out, 'record')} left out:" if report.refused else ""
    click.echo(f"{matches} from {counted(report.records, 'record')}{left_out}")
    for line in finding_lines(report.refused, SHOWN)[0]:
        click.echo(f"  {line}")
    for path in report.aside:
        click.echo(f"{path.name} was damaged; it is kept as {harmless(path)}")
