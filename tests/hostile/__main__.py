"""`python -m tests.hostile`: play all behaviours in all tiers that claim to hold them, and print the matrix."""

import json
import sys
from pathlib import Path

import click
from rich.console import Console

from bullring.arena.cells.sandbox.tiers import TIERS
from tests.hostile.behaviours import BEHAVIOURS
from tests.hostile.contest import with_time
from tests.hostile.matrix import facts, merged, rows, table


@click.command()
@click.option("--tier", "tiers", multiple=True, type=click.Choice(list(TIERS)), help="Only this one.")
@click.option("--only", "numbers", multiple=True, type=int, help="Only the behaviour of this number.")
@click.option(
    "--times", default=1, help="Everybody thinks so many times as long: for emulated machines, which are slow."
)
@click.option(
    "--json",
    "file",
    type=click.Path(path_type=Path),
    help="Write it here, too: docgen/hostile.json. With --only, the other behaviours in it stay.",
)
def main(tiers: tuple[str, ...], numbers: tuple[int, ...], times: int, file: Path | None) -> None:
    """Exits with 1 if a tier does not hold what it claims, or if one that was named is not there."""
    chosen = list(tiers) or list(TIERS)
    wanted = (one for one in BEHAVIOURS if not numbers or one.number in numbers)
    behaviours = [with_time(one, times) for one in wanted]
    played = rows(chosen, behaviours, lambda: click.echo(".", nl=False, err=True))
    click.echo(err=True)
    Console().print(table(chosen, played))
    if file is not None:
        found = facts(chosen, played)
        if numbers:
            found["behaviours"] = merged(json.loads(file.read_text("utf-8"))["behaviours"], found["behaviours"])
        file.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    # Mostly it is the same reason for all of a tier.
    for tier, reason in dict.fromkeys(skip for row in played for skip in row.skipped.items()):
        click.echo(f"{tier} was skipped: {reason}", err=True)
    problems = [problem for row in played for problem in row.problems]
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(bool(problems) or any(row.skipped.keys() & set(tiers) for row in played))


main()
