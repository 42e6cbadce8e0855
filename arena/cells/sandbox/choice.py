"""Open a sandbox: the tier that was asked for, or the first that this machine proves."""

from collections.abc import AsyncIterator, Container, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property
from importlib import import_module

import trio

from bullring.arena.cells.sandbox import cgroups, remembered
from bullring.arena.cells.sandbox.cell import Sandbox, gaps_of
from bullring.arena.cells.sandbox.cgroups import NoCgroups, Subtree
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import clear_away, our_children, sweep
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.promises import kept, lacking
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.tier import Tier
from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import doing
from bullring.errors import HostError, SandboxError

NOBODY = Owner()


@asynccontextmanager
async def open_sandbox(wish: Wish, owner: Owner = NOBODY) -> AsyncIterator[Sandbox]:
    """Open the sandbox of a run, for programs of `owner`. Raises `SandboxError`, `HostError`.

    Leftovers of dead referees and of earlier runs of this owner are removed first; leftovers of this run are removed on exit. Our
    children of before are no leftovers.
    """
    before = our_children()
    tree.adopt_orphans()
    async with opening(owner, before) as opener:
        with doing("opening the sandbox"):
            sandbox = await _choose(wish, opener)
        try:
            yield sandbox
        finally:
            if owner.name:
                clear_away(owner.name, spare=before)


@asynccontextmanager
async def opening(owner: Owner = NOBODY, spare: Container[int] | None = None) -> AsyncIterator["Opener"]:
    """Remove leftovers, and give what opens tiers for programs of `owner`; they are closed on exit. Processes to `spare` stay."""
    async with AsyncExitStack() as stack:
        nursery = await stack.enter_async_context(trio.open_nursery())
        stack.callback(nursery.cancel_scope.cancel)
        if owner.name:
            clear_away(owner.name, spare=spare)
        else:
            sweep()
        yield Opener(nursery, stack, owner)


class Opener:
    """The means of a tier to open its sandbox. Resources that several tiers share are looked up once."""

    def __init__(self, nursery: trio.Nursery, stack: AsyncExitStack, owner: Owner) -> None:
        self.nursery = nursery
        """For tasks that last as long as the sandbox."""
        self.stack = stack
        """The contexts to leave when the sandbox is closed."""
        self.owner = owner

    @cached_property
    def cgroups(self) -> Subtree | NoCgroups:
        """The cgroups of this machine."""
        found = cgroups.find()
        if isinstance(found, Subtree):
            self.stack.callback(found.close)
        return found

    @property
    def subtree(self) -> Subtree | None:
        """The cgroups of this machine, if there are any that we may use."""
        return self.cgroups if isinstance(self.cgroups, Subtree) else None

    async def open(self, tier: Tier, wish: Wish) -> Sandbox:
        """Open one tier without proving it. Raises `HostError` if this machine does not have it."""
        module = import_module(f"{tier.package}.sandbox")  # only now: containers take half a second to import
        sandbox: Sandbox = await module.open_tier(self, wish)
        return sandbox


async def _choose(wish: Wish, opener: Opener) -> Sandbox:
    if wish.tier != AUTO and not TIERS[wish.tier].confines and not wish.allow_unsandboxed:
        raise SandboxError(f"`--sandbox {wish.tier}` confines nothing; add --allow-unsandboxed if you trust these bots")
    reasons = []
    for tier in TIERS.values() if wish.tier == AUTO else (TIERS[wish.tier],):
        if not tier.for_strangers and not wish.allow_unsandboxed:
            lost = ", ".join(lacking([gap for gap in tier.gaps if not gap.unless]))
            reasons.append(f"{tier} is not meant for strangers' programs: it cannot keep all promises about {lost}")
            break
        try:
            sandbox = await opener.open(tier, wish)
        except HostError as error:
            reasons.append(f"{tier}: {error}")
            continue
        if not wish.proven or remembered.holds(sandbox):
            return sandbox
        with doing(f"proving {tier}"):
            found = await prove(sandbox)
        if found.holds:
            remembered.remember(sandbox)
            return sandbox
        reasons.append(f"{tier}: {found.text()}")
    raise SandboxError(
        f"no usable sandbox, so no bot was started. {'. '.join(reasons)}. Run `bullring doctor` to see what is missing;"
        " if you trust all these bots, add --allow-unsandboxed"
    )


def auto_takes(proven: Iterable[Tier]) -> Tier | None:
    """The tier that `auto` chooses if these are proven; None if none of them is meant for strangers."""
    fit = [tier for tier in proven if tier.for_strangers]
    return next((tier for tier in TIERS.values() if tier in fit), None)


def told_of(sandbox: Sandbox) -> str:
    """Describe a run's sandbox for people: the tier, and the promises that it does not keep in full."""
    gaps = gaps_of(sandbox)
    words = [f"{name} ({'; '.join(gap.word for gap in gaps if gap.promise == name)})" for name in lacking(gaps)]
    told = f"sandbox {sandbox.tier}{'' if sandbox.tier.for_strangers else ', not for strangers'}: {kept(words)}"
    return f"{told}; `bullring doctor` says more" if gaps else told
