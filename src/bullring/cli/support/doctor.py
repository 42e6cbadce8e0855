"""`bullring doctor`: test the sandbox on this machine."""

from __future__ import annotations

import json
from typing import Any

import click

from bullring.cli.late import late
from bullring.cli.options import json_option
from bullring.errors import DONE, FAILED

with late():
    import trio
    from rich.console import Console

    from bullring.arena.cells.sandbox.choice import auto_takes
    from bullring.arena.cells.sandbox.examination import Machine, examine
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.watching.display.tiers import choice_line, promise_table, remedy_lines, tier_table


@click.command(name="doctor")
@click.option("--all", "every", is_flag=True, help="Print every try of the canary, too.")
@json_option
def command(every: bool, as_json: bool) -> int:
    """Test the sandbox on this machine, tier by tier.

    A canary in a cell of each tier tries forbidden actions. Print how well each tier that works here keeps each promise, and how
    to get what is missing. The exit code is 1 if no tier fit for strangers' programs is proven.
    """
    with doing("testing the sandbox"):
        machine, found = trio.run(examine)
    tier = auto_takes(one.tier for one in found if one.proof.holds)
    findings = [one.facts() for one in found]
    taken = tier.name if tier is not None else None
    if as_json:
        click.echo(json.dumps({**machine.facts(), "auto": taken, "tiers": findings}))
    else:
        _print(machine, findings, taken, every=every)
    return DONE if taken else FAILED


def _print(machine: Machine, findings: list[dict[str, Any]], taken: str | None, *, every: bool) -> None:
    console = Console(highlight=False, markup=False)
    console.print(promise_table(findings), "")
    for line in (*remedy_lines(findings), choice_line(taken)):
        console.print(line)
    console.print(f"\n{machine.user}\ncgroups: {machine.cgroups}")
    for one in findings if every else ():
        console.print("", tier_table(one))
