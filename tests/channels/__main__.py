"""`python -m tests.channels`: compare what two cells can read, and print what tells one of them of the other."""

import json
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click
import trio
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bullring.arena.cells.sandbox.tiers import TIERS
from tests.channels.comparison import Channel, compare
from tests.channels.named import NAMES, best, is_planted, unnamed
from tests.hostile.matrix import an_engine
from tests.support.tiers import lacks


@click.command()
@click.option("--tier", "tiers", multiple=True, type=click.Choice(list(TIERS)), help="Only this one.")
@click.option("--deed", "deeds", multiple=True, help="Only this one.")
@click.option("--quick", is_flag=True, help="All deeds of the sender together.")
@click.option(
    "--json",
    "file",
    type=click.Path(path_type=Path),
    help="Add what it finds: docgen/channels.json. Of each channel the largest figure stays.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="The coins.")
def main(tiers: tuple[str, ...], deeds: tuple[str, ...], quick: bool, file: Path | None, seed: int) -> None:
    """Exits with 1 if there is a channel that has no name."""
    problems = []
    for tier in tiers or [name for name, tier in TIERS.items() if tier.confines]:
        with an_engine():
            if reason := lacks(tier):
                click.echo(f"{tier} was skipped: {reason}", err=True)
                continue
            step = partial(click.echo, err=True)
            found = trio.run(partial(compare, tier, seed, apart=not quick, only=deeds, step=step))
        Console().print(table(tier, found))
        if file is not None:
            seen = json.loads(file.read_text("utf-8")) if file.exists() else {}
            rates = {name: one.rate for name, one in best(tier, found).items() if name in NAMES}
            for name, rate in seen.get(tier, {}).items():  # a busy machine hides what an idle one has shown
                rates[name] = max(rate, rates.get(name, 0))
            rates = {name: round(rate) for name, rate in rates.items()}
            file.write_text(json.dumps({**seen, tier: rates}, indent=1, sort_keys=True) + "\n", "utf-8")
        problems += [f"{tier}: {problem}" for problem in unnamed(tier, found)]
        if not any(map(is_planted, found)):
            problems.append(f"{tier}: the channel that was planted is not found")
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(bool(problems))


def table(tier: str, found: Iterable[Channel]) -> Table:
    """The channels of a tier: of each name the reading that tells most in a second."""
    made = Table(box=None, padding=(0, 2, 0, 0), title=tier, title_justify="left")
    for title in ("name", "deed", "is told by", "right", "bits a second"):
        made.add_column(title, overflow="fold")
    for name, one in best(tier, found).items():
        made.add_row(name, one.deed, escape(one.reading), f"{one.right} of {one.trials}", f"{one.rate:.0f}")
    return made


main()
