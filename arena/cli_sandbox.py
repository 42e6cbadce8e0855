"""The options of the sandbox, which all commands that start bots share, and `bullring doctor`."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
import trio
from rich.console import Console

from arena.sandbox.choice import AUTO, Wish
from arena.sandbox.doctor import Machine, examine
from arena.sandbox.tiers import Tier
from arena.settings import Settings
from arena.view.doctor import choice_line, tier_table

F = TypeVar("F", bound=Callable[..., Any])

_TIER = click.option(
    "--sandbox",
    "tier",
    type=click.Choice([AUTO, *(tier.value for tier in Tier)]),
    envvar="BULLRING_SANDBOX",
    help="How bots are confined. Default: what the settings say, else the strongest that this machine proves.",
)
_ALLOW = click.option(
    "--allow-unsandboxed",
    is_flag=True,
    envvar="BULLRING_ALLOW_UNSANDBOXED",
    help="Start bots even where nothing keeps them from doing harm. Only for bots you trust.",
)
_FREEZE = click.option(
    "--freeze/--no-freeze",
    default=None,
    help="Freeze bots while they have nothing to decide. Default: in ladders, where the sandbox can.",
)


def sandbox_options(command: F) -> F:
    """Adds them; the command gets `tier`, `allow_unsandboxed` and `freeze`."""
    for option in (_FREEZE, _ALLOW, _TIER):
        command = option(command)
    return command


def wish_of(
    settings: Settings, tier: str | None, allow_unsandboxed: bool, freeze: bool | None, *, usually_frozen: bool
) -> Wish:
    """What the settings say, and over it the command line."""
    section = settings.sandbox
    wanted = section.freeze if freeze is None else freeze
    return Wish(
        tier=tier or section.tier,
        allow_unsandboxed=allow_unsandboxed or section.allow_unsandboxed,
        freeze=usually_frozen if wanted is None else wanted,
        runtime=section.runtime,
    )


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> None:
    """Try every tier of the sandbox on this machine, and say what is missing and how to get it.

    A canary is put into a cell of each tier and tries what must be forbidden there. Exit code 1 if no tier that is fit for
    strangers' programs is proven.
    """
    findings = trio.run(_examine, as_json)
    sys.exit(0 if any(each["proven"] and each["for_strangers"] for each in findings) else 1)


async def _examine(as_json: bool) -> list[dict[str, Any]]:
    console = Console()
    findings = []
    facts: dict[str, Any] = {}
    async for found in examine():
        if isinstance(found, Machine):
            facts = {"user": found.user, "cgroups": found.cgroups, "remedy": found.remedy or None}
            if not as_json:
                console.print(f"{found.user}\ncontrol groups: {found.cgroups}", markup=False, highlight=False)
                if found.remedy:
                    console.print(f"  to get what is missing: {found.remedy}", markup=False, highlight=False)
        else:
            findings.append(found.facts())
            if not as_json:
                console.print()
                console.print(tier_table(findings[-1]))
    if as_json:
        click.echo(json.dumps({**facts, "tiers": findings}))
    else:
        console.print()
        console.print(choice_line(findings), markup=False, highlight=False)
    return findings
