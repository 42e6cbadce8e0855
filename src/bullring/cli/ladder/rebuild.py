"""`bullring ladder rebuild`: make all results again."""

from pathlib import Path

import click

from bullring.arena.display.text import harmless
from bullring.arena.rules.wording.words import counted
from bullring.cli.options import home_option
from bullring.ladder.keeping.home import Home
from bullring.ladder.keeping.rebuild import rebuild

SHOWN = 20
"""Records that are named of those left out."""


@click.command(name="rebuild")
@click.option("--drop-missing", is_flag=True, help="Also forget matches whose record is gone or does not verify.")
@home_option
def command(home: Path | None, drop_missing: bool) -> None:
    """Make all results again from the records.

    Each record is verified on the way.
    """
    place = Home.find(home)
    with place.locked():
        report = rebuild(place, drop_missing=drop_missing)
    matches = counted(report.matches, "match", "matches")
    left_out = f"; {counted(len(report.refused), 'record')} left out:" if report.refused else ""
    click.echo(f"{matches} in {counted(report.groups, 'group')} from {counted(report.records, 'record')}{left_out}")
    for path, why in report.refused[:SHOWN]:
        click.echo(f"  {harmless(path.name)}: {harmless(why)}")
