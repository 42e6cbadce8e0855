"""What this machine can prove: every tier tried thoroughly, one after the other."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import trio

from arena.sandbox.cell import HostError
from arena.sandbox.cgroups import NoCgroups, remedy
from arena.sandbox.choice import Means, Wish, sweep
from arena.sandbox.proof import Proof, prove
from arena.sandbox.tiers import BY_PREFERENCE, FACTS, Tier


@dataclass(frozen=True)
class Finding:
    """What was found of one tier."""

    tier: Tier
    means: str
    proof: Proof

    def facts(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "tier": self.tier.value,
            "what": FACTS[self.tier].title,
            "for_strangers": self.tier.for_strangers,
            "proven": self.proof.holds,
            "means": self.means,
            "failure": self.proof.failure or None,
            "tries": [
                {"name": each.name, "held": each.held, "came": each.came, "claimed": each.needed}
                for each in self.proof.tries
            ],
        }


@dataclass(frozen=True)
class Machine:
    """What holds for all tiers."""

    user: str
    cgroups: str
    """Which there are, or why there are none."""
    remedy: str
    """How to get what is missing; empty if nothing is."""


async def examine(tell: Callable[[Machine | Finding], None]) -> None:
    """Tells of the machine, then of each tier in the order in which `auto` tries them."""
    async with AsyncExitStack() as stack:
        means = Means(await stack.enter_async_context(trio.open_nursery()), stack)
        stack.callback(means.nursery.cancel_scope.cancel)
        sweep()
        groups = means.cgroups
        user = (
            "root: bots get a user of their own" if os.geteuid() == 0 else f"user {os.geteuid()}: bots run as the same"
        )
        if isinstance(groups, NoCgroups):
            tell(Machine(user, f"none: {groups.reason}", remedy()))
        else:
            tell(Machine(user, groups.describe(), remedy() if groups.missing else ""))
        for tier in BY_PREFERENCE:
            try:
                sandbox = await means.make(tier, Wish(tier.value, freeze=True))
            except HostError as error:
                tell(Finding(tier, "", Proof((), str(error))))
            else:
                tell(Finding(tier, sandbox.means(), await prove(sandbox, thorough=True)))
