"""`python -m tests.channels`: compare what two cells can read, and print what tells one of them of the other."""

import sys
from collections.abc import Iterable
from functools import partial

import click
import trio
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bullring.arena.cells.sandbox.tiers import TIERS
from tests.channels.comparison import QUICK, THOROUGH, Channel, compare
from tests.channels.named import is_planted, name_of, unnamed
from tests.hostile.matrix import an_engine
from tests.support.tiers import lacks


@click.command()
@click.option("--tier", "tiers", multiple=True, type=click.Choice(list(TIERS)), help="Only this one.")
@click.option("--deed", "deeds", multiple=True, help="Only this one.")
@click.option("--quick", is_flag=True, help="All deeds of the sender together.")
@click.option("--seed", type=int, default=1, show_default=True, help="The coins.")
def main(tiers: tuple[str, ...], deeds: tuple[str, ...], quick: bool, seed: int) -> None:
    """Exits with 1 if there is a channel that has no name."""
    problems = []
    for tier in tiers or [name for name, tier in TIERS.items() if tier.confines]:
        with an_engine():
            if reason := lacks(tier):
                click.echo(f"{tier} was skipped: {reason}", err=True)
                continue
            step = partial(click.echo, err=True)
            found = trio.run(
                partial(compare, tier, QUICK if quick else THOROUGH, seed, apart=not quick, only=deeds, step=step)
            )
        Console().print(table(tier, found))
        problems += [f"{tier}: {problem}" for problem in unnamed(tier, found)]
        if not any(map(is_planted, found)):
            problems.append(f"{tier}: the channel that was planted is not found")
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(bool(problems))


def table(tier: str, found: Iterable[Channel]) -> Table:
    """The channels of a tier: of each name the reading that tells most in a second."""
    made = Table(box=None, padding=(0, 2, 0, 0), title=tier, title_justify="left")
    for title in ("name", "deeds", "for example", "is told by", "right", "bits a second"):
        made.add_column(title, overflow="fold")
    best: dict[str, Channel] = {}
    deeds: dict[str, set[str]] = {}
    for one in found:
        name = "planted" if is_planted(one) else name_of(tier, one) or "NEW"
        best[name] = max(one, best.get(name, one), key=lambda one: one.rate)
        deeds.setdefault(name, set()).add(one.deed)
    for name, one in sorted(best.items()):
        right, rate = f"{one.right} of {one.trials}", f"{one.rate:.0f}"
        made.add_row(name, str(len(deeds[name])), one.deed, escape(one.reading), right, rate)
    return made


main()
