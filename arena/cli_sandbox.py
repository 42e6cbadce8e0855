"""The options of the sandbox, which all commands that start bots share, and `bullring doctor`."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click
import trio
from rich.console import Console

from arena.cli_errors import first_error
from arena.sandbox.choice import AUTO, Wish
from arena.sandbox.doctor import Finding, Machine, examine
from arena.sandbox.tiers import Tier
from arena.settings import Settings
from arena.view.doctor import auto_takes, choice_line, tier_table

F = TypeVar("F", bound=Callable[..., Any])

_TIER = click.option(
    "--sandbox",
    "tier",
    type=click.Choice([AUTO, *(tier.value for tier in Tier)]),
    envvar="BULLRING_SANDBOX",
    show_envvar=True,
    help="How bots are confined. Default: what the settings say, else auto: the first of bwrap and docker that is proven.",
)
_ALLOW = click.option(
    "--allow-unsandboxed",
    is_flag=True,
    envvar="BULLRING_ALLOW_UNSANDBOXED",
    show_envvar=True,
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
        # A runtime is one of containers: whoever names it wants those.
        tier=tier or (Tier.DOCKER.value if section.runtime and section.tier == AUTO else section.tier),
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
    told = _Told(as_json)
    try:
        trio.run(examine, told.tell)
    except KeyboardInterrupt:
        sys.exit(130)
    except BaseExceptionGroup as group:
        # What goes wrong while we print comes out of nurseries, wrapped.
        first = first_error(group)
        if isinstance(first, KeyboardInterrupt):
            sys.exit(130)
        raise first from None
    told.end()
    sys.exit(0 if auto_takes(told.findings) else 1)


class _Told:
    """What has been found and shown."""

    def __init__(self, as_json: bool) -> None:
        self.findings: list[dict[str, Any]] = []
        self._as_json = as_json
        self._machine: dict[str, Any] = {}
        self._console = Console()

    def tell(self, found: Machine | Finding) -> None:
        if isinstance(found, Finding):
            self.findings.append(found.facts())
            if not self._as_json:
                self._console.print()
                self._console.print(tier_table(self.findings[-1]))
            return
        self._machine = {"user": found.user, "cgroups": found.cgroups, "remedy": found.remedy or None}
        if not self._as_json:
            self._say(f"{found.user}\ncontrol groups: {found.cgroups}")
            if found.remedy:
                self._say(f"  to get what is missing: {found.remedy}")

    def end(self) -> None:
        if self._as_json:
            click.echo(json.dumps({**self._machine, "auto": auto_takes(self.findings), "tiers": self.findings}))
        else:
            self._say(f"\n{choice_line(self.findings)}")

    def _say(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False)
