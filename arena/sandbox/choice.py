"""Opening a sandbox: the tier that was asked for, or the strongest that this machine proves."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property

import trio

from arena.sandbox import cgroups, proof
from arena.sandbox.cell import HostError
from arena.sandbox.cgroups import Cgroups, NoCgroups
from arena.sandbox.local import tree
from arena.sandbox.local.tier import Local
from arena.sandbox.proof import prove
from arena.sandbox.sandbox import Sandbox
from arena.sandbox.seccomp.syscalls import UnknownMachine
from arena.sandbox.tiers import BY_PREFERENCE, FACTS, Tier

AUTO = "auto"


class SandboxError(Exception):
    """No sandbox as it was asked for. Says why, and what to do."""


@dataclass(frozen=True)
class Wish:
    """What a user wants of the sandbox."""

    tier: str = AUTO
    allow_unsandboxed: bool = False
    """Whether bots may run in a tier that is not meant for strangers."""
    freeze: bool = False
    """Whether bots are frozen while they have nothing to decide."""
    runtime: str | None = None
    """The container runtime, if it is to be another than the engine's own."""
    proven: bool = True
    """Whether the tier has to be proven first. A referee that is started by another one may take its word."""


@asynccontextmanager
async def open_sandbox(wish: Wish) -> AsyncIterator[Sandbox]:
    """The sandbox of a run. What dead referees left on the machine is swept away first. Raises `SandboxError`, `HostError`."""
    tree.adopt_orphans()
    async with AsyncExitStack() as stack:
        means = Means(await stack.enter_async_context(trio.open_nursery()), stack)
        stack.callback(means.nursery.cancel_scope.cancel)
        sweep()
        yield await _choose(wish, means)


def sweep() -> None:
    """Remove what dead referees left on this machine. First their control groups: what is frozen in one cannot even die."""
    cgroups.sweep()
    tree.sweep_orphans()
    proof.sweep()


class Means:
    """What tiers are made of, found out once."""

    def __init__(self, nursery: trio.Nursery, stack: AsyncExitStack) -> None:
        self.nursery = nursery
        self._stack = stack

    @cached_property
    def cgroups(self) -> Cgroups | NoCgroups:
        """The control groups of this machine."""
        found = cgroups.find()
        if isinstance(found, Cgroups):
            self._stack.callback(found.close)
        return found

    async def make(self, tier: Tier, wish: Wish) -> Sandbox:
        """One tier, unproven. Raises `HostError`."""
        if tier is Tier.DOCKER:
            from arena.sandbox.container.tier import open_docker  # it takes half a second to import

            return await self._stack.enter_async_context(open_docker(self.nursery, wish.runtime, freeze=wish.freeze))
        groups = self.cgroups if isinstance(self.cgroups, Cgroups) else None
        try:
            return Local(tier, self.nursery, groups, freeze=wish.freeze)
        except UnknownMachine as error:
            raise HostError(str(error)) from None


async def _choose(wish: Wish, means: Means) -> Sandbox:
    reasons = []
    for tier in BY_PREFERENCE if wish.tier == AUTO else (Tier(wish.tier),):
        if not tier.for_strangers and not wish.allow_unsandboxed:
            reasons.append(f"{tier} is not meant for strangers' programs: {FACTS[tier].leaves_open}")
            break
        try:
            sandbox = await means.make(tier, wish)
        except HostError as error:
            reasons.append(f"{tier}: {error}")
            continue
        found = await prove(sandbox) if wish.proven else None
        if found is None or found.holds:
            return sandbox
        reasons.append(f"{tier}: {found.text()}")
    raise SandboxError(
        "bots are not started, for they could do harm. " + ". ".join(reasons) + ". `bullring doctor` tells what to do;"
        " if you trust all these bots, say --allow-unsandboxed"
    )


def told_of(sandbox: Sandbox, *, wished_frozen: bool) -> str:
    """What people are told of a run's sandbox: the tier, how limits are kept, and what it leaves open."""
    told = f"sandbox {sandbox.tier}: {sandbox.means()}"
    if sandbox.freeze:
        told += "; bots are frozen between their decisions"
    elif wished_frozen:
        told += "; nothing here can freeze bots between their decisions"
    if FACTS[sandbox.tier].leaves_open:
        told += f". Not for strangers: {FACTS[sandbox.tier].leaves_open}"
    return told
