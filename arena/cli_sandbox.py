"""The options of the sandbox, which all commands that start bots share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from arena.sandbox.choice import AUTO, Wish
from arena.sandbox.tiers import Tier
from arena.settings import Settings

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
