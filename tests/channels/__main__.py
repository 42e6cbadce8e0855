"""`python -m tests.channels`: compare what two cells can read, and print what tells one of them of the other."""

import sys
from collections.abc import Iterable
from functools import partial
from itertools import groupby
from operator import itemgetter

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
@click.option("--quick", is_flag=True, help="All deeds of the sender together.")
@click.option("--seed", type=int, default=1, show_default=True, help="The coins.")
def main(tiers: tuple[str, ...], quick: bool, seed: int) -> None:
    """Exits with 1 if there is a channel that has no name."""
    problems = []
    for tier in tiers or [name for name, tier in TIERS.items() if tier.confines]:
        with an_engine():
            if reason := lacks(tier):
                click.echo(f"{tier} was skipped: {reason}", err=True)
                continue
            step = partial(click.echo, err=True)
            found = trio.run(partial(compare, tier, QUICK if quick else THOROUGH, seed, apart=not quick, step=step))
        Console().print(table(tier, found))
        problems += [f"{tier}: {problem}" for problem in unnamed(tier, found)]
        if not any(map(is_planted, found)):
            problems.append(f"{tier}: the channel that was planted is not found")
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(bool(problems))


def table(tier: str, found: Iterable[Channel]) -> Table:
    """The channels of a tier by name, with the readings that tell most."""
    made = Table(box=None, padding=(0, 2, 0, 0), title=tier, title_justify="left")
    for title in ("name", "deed", "reading", "right", "bits a use", "uses a second"):
        made.add_column(title, no_wrap=title != "reading")
    rows = sorted(
        (name_of(tier, one) or ("planted" if is_planted(one) else "NEW"), one.deed, -one.bits, one) for one in found
    )
    for (name, deed), group in groupby(rows, key=itemgetter(0, 1)):
        ones = [row[-1] for row in group]
        more = f" and {len(ones) - 1} more" if ones[1:] else ""
        cells = (
            f"{ones[0].right} of {ones[0].trials}",
            f"{ones[0].bits:.2f}",
            f"{1 / max(ones[0].seconds, 0.001):.0f}",
        )
        made.add_row(name, deed, escape(ones[0].reading) + more, *cells)
    return made


main()
