"""Examine this machine for `bullring doctor`: try every tier thoroughly, one after the other."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bullring.arena.cells.sandbox.cgroups import NoCgroups, remedy
from bullring.arena.cells.sandbox.choice import opening
from bullring.arena.cells.sandbox.proof import Proof, prove
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import HostError


@dataclass(frozen=True)
class Finding:
    """The result for one tier."""

    tier: Tier
    means: str
    """The means by which caps are enforced."""
    proof: Proof
    clock: str = ""
    """The kind of the clocks of bots: "core" or "wall"."""

    def facts(self) -> dict[str, Any]:
        """The finding as JSON values, for ``--json``."""
        return {
            "tier": self.tier.name,
            "what": self.tier.title,
            "for_strangers": self.tier.for_strangers,
            "proven": self.proof.holds,
            "means": self.means,
            "clock": self.clock or None,
            "failure": self.proof.failure or None,
            "tries": [
                {"name": each.name, "held": each.held, "came": each.came, "claimed": each.needed}
                for each in self.proof.tries
            ],
        }


@dataclass(frozen=True)
class Machine:
    """Facts about the machine that concern all tiers."""

    user: str
    cgroups: str
    """The available cgroup controllers, or why there are none."""
    remedy: str
    """Advice on getting missing controllers; empty if none is missing."""


async def examine(tell: Callable[[Machine | Finding], None]) -> None:
    """Report the machine, then each tier in the order in which `auto` tries them."""
    async with opening() as opener:
        cgroups = opener.cgroups
        user = (
            "root: each bot gets its own user" if os.geteuid() == 0 else f"user {os.geteuid()}: bots run as this user"
        )
        if isinstance(cgroups, NoCgroups):
            tell(Machine(user, f"none: {cgroups.reason}", remedy()))
        else:
            tell(Machine(user, cgroups.describe(), remedy() if cgroups.missing else ""))
        for tier in TIERS.values():
            try:
                sandbox = await opener.open(tier, Wish(tier.name, freeze=True))
            except HostError as error:
                tell(Finding(tier, "", Proof((), str(error))))
            else:
                clock = "core" if sandbox.counts else "wall"
                tell(Finding(tier, sandbox.means(), await prove(sandbox, thorough=True), clock))
