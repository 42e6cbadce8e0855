"""Examine this machine for `bullring doctor`: try every tier thoroughly, one after the other."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.cells.sandbox import cores
from bullring.arena.cells.sandbox.cell import gaps_of
from bullring.arena.cells.sandbox.cgroups import NoCgroups, remedy
from bullring.arena.cells.sandbox.choice import Opener, opening
from bullring.arena.cells.sandbox.promises import PROMISES, Gap, grade_of
from bullring.arena.cells.sandbox.proof import Proof, prove
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import doing
from bullring.errors import HostError


@dataclass(frozen=True)
class Finding:
    """The result for one tier."""

    tier: Tier
    proof: Proof
    gaps: Sequence[Gap] = ()
    """The parts of promises that it does not keep here."""
    remedy: str = ""
    """Advice on getting missing controllers of cgroups."""
    clock: str = ""
    """The kind of the clocks of bots: "core" or "wall"."""
    share: float | None = None
    """Where limits are plain time, the part of a core that a program gets beside what runs now."""

    def grades(self) -> dict[str, dict[str, str | None]]:
        """For each promise its grade, what is missing, and how to get that; nothing if the tier is not proven."""
        held = [each.name for each in self.proof.tries if each.held]
        found = {}
        for promise in PROMISES if self.proof.holds else ():
            gaps = [gap for gap in self.gaps if gap.promise == promise.name]
            found[promise.name] = {
                "grade": grade_of(promise, gaps, held).value,
                "missing": "; ".join(gap.word for gap in gaps) or None,
                "remedy": next((gap.remedy or self.remedy for gap in gaps if gap.unless), "") or None,
            }
        return found

    def facts(self) -> dict[str, Any]:
        """The finding as JSON values, for ``--json``."""
        return {
            "tier": self.tier.name,
            "what": self.tier.title,
            "for_strangers": self.tier.for_strangers,
            "proven": self.proof.holds,
            "promises": self.grades(),
            "clock": self.clock or None,
            "share": self.share,
            "failure": self.proof.text() or None,
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

    def facts(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {**vars(self), "remedy": self.remedy or None}


async def examine() -> tuple[Machine, list[Finding]]:
    """Examine the machine, and each tier in the order in which `auto` tries them."""
    async with opening() as opener:
        cgroups = opener.cgroups
        user = (
            "root: each bot gets its own user" if os.geteuid() == 0 else f"user {os.geteuid()}: bots run as this user"
        )
        if isinstance(cgroups, NoCgroups):
            machine = Machine(user, f"none: {cgroups.reason}", remedy())
        else:
            machine = Machine(user, cgroups.describe(), remedy(cgroups.missing))
        return machine, [await _tried(tier, opener, machine.remedy) for tier in TIERS.values()]


async def _tried(tier: Tier, opener: Opener, remedy: str) -> Finding:
    with doing(f"proving {tier}"):
        return await _found(tier, opener, remedy)


async def _found(tier: Tier, opener: Opener, remedy: str) -> Finding:
    try:
        sandbox = await opener.open(tier, Wish(tier.name, freeze=True))
    except HostError as error:
        return Finding(tier, Proof((), str(error)))
    clock = "core" if sandbox.counts else "wall"
    share = None if sandbox.counts else cores.share()
    return Finding(tier, await prove(sandbox, thorough=True), gaps_of(sandbox), remedy, clock, share)
