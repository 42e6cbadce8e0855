"""`bullring languages`: list the runtimes and compilers of this machine."""

from __future__ import annotations

import json
from typing import Any

import click

from bullring.cli.late import late
from bullring.cli.options import json_option

with late():
    import trio
    from rich.console import Console

    from bullring.arena.cells.kits.kit import kits
    from bullring.arena.cells.kits.survey import Found, Survey, survey
    from bullring.arena.cells.kits.toolchains import installing
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.watching.display.kits import languages_table, troubles


@click.command(name="languages")
@json_option
def command(as_json: bool) -> None:
    """List the runtimes and compilers of this machine.

    Each is asked for its version in a cell of each tier that is proven here. For what is missing, the command that installs it
    is printed.
    """
    with doing("asking for versions") as work:

        def tell(tier: str) -> None:
            work.detail = tier

        found = trio.run(survey, list(kits().values()), tell)
    facts = facts_of(found)
    if as_json:
        click.echo(json.dumps(facts, indent=2))
        return
    out = Console()
    out.print(languages_table(facts))
    for line in troubles(facts):
        out.print(line, markup=False, highlight=False, soft_wrap=False)


def facts_of(found: Survey) -> dict[str, Any]:
    """The survey as JSON values."""
    return {
        "proven": list(found.proven),
        "unproven": dict(found.unproven),
        "programs": [_facts(one) for one in found.found],
    }


def _facts(one: Found) -> dict[str, Any]:
    return {
        "language": one.declared.language,
        "title": one.declared.kit.title,
        "program": one.need.program,
        "path": one.path,
        "version": one.version or None,
        "confined": one.confined,
        "tiers": {tier: {"works": said.works, "said": said.text} for tier, said in one.said.items()},
        "install": None if one.path else installing([one.need]),
    }
