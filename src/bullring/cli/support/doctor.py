"""`bullring doctor`: test the sandbox on this machine."""

import json
from typing import Any

import click
import trio
from rich.console import Console

from bullring.arena.cells.sandbox.choice import auto_takes
from bullring.arena.cells.sandbox.examination import Finding, Machine, examine
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.watching.display.tiers import choice_line, tier_table
from bullring.cli.options import json_option
from bullring.errors import DONE, FAILED


@click.command(name="doctor")
@json_option
def command(as_json: bool) -> int:
    """Test the sandbox on this machine, tier by tier.

    A canary in a cell of each tier tries forbidden actions. For tiers that are missing or do not hold, print the remedy. The exit
    code is 1 if no tier fit for strangers' programs is proven.
    """
    told = _Told(as_json)
    trio.run(examine, told.tell)
    told.end()
    return DONE if told.taken else FAILED


class _Told:
    """Shows findings as they come, and collects them."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._machine: dict[str, Any] = {}
        self._findings: list[dict[str, Any]] = []
        self._proven: list[Tier] = []
        self._console = Console()

    @property
    def taken(self) -> str | None:
        """The name of the tier that `auto` takes; None if there is none."""
        tier = auto_takes(self._proven)
        return tier.name if tier is not None else None

    def tell(self, found: Machine | Finding) -> None:
        if isinstance(found, Finding):
            self._findings.append(found.facts())
            if found.proof.holds:
                self._proven.append(found.tier)
            if not self._as_json:
                self._console.print()
                self._console.print(tier_table(self._findings[-1]))
            return
        self._machine = {"user": found.user, "cgroups": found.cgroups, "remedy": found.remedy or None}
        if not self._as_json:
            self._say(f"{found.user}\ncgroups: {found.cgroups}")
            if found.remedy:
                self._say(f"  to get what is missing: {found.remedy}")

    def end(self) -> None:
        if self._as_json:
            click.echo(json.dumps({**self._machine, "auto": self.taken, "tiers": self._findings}))
        else:
            self._say(f"\n{choice_line(self.taken)}")

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)
