"""Open a sandbox: the tier that was asked for, or the first that this machine proves."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cached_property

import trio

from bullring.arena.cells.sandbox import cgroups
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.cgroups import NoCgroups, Subtree
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import clear_away, our_children, sweep
from bullring.arena.cells.sandbox.local import tree
from bullring.arena.cells.sandbox.local.sandbox import LocalSandbox
from bullring.arena.cells.sandbox.proof import prove
from bullring.arena.cells.sandbox.tiers import AUTO, BY_PREFERENCE, Tier
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import HostError, SandboxError

NOBODY = Owner()


@asynccontextmanager
async def open_sandbox(wish: Wish, owner: Owner = NOBODY) -> AsyncIterator[Sandbox]:
    """Open the sandbox of a run, for programs of `owner`. Raises `SandboxError`, `HostError`.

    Leftovers of dead referees and of earlier runs of this owner are removed first; leftovers of this run are removed on exit.
    """
    before = our_children()
    tree.adopt_orphans()
    async with AsyncExitStack() as stack:
        opener = Opener(await stack.enter_async_context(trio.open_nursery()), stack, owner)
        stack.callback(opener.nursery.cancel_scope.cancel)
        if owner.name:
            clear_away(owner.name)
        else:
            sweep()
        sandbox = await _choose(wish, opener)
        try:
            yield sandbox
        finally:
            if owner.name:
                clear_away(owner.name, spare=before)


class Opener:
    """Opens tiers. Resources that several of them share are looked up once."""

    def __init__(self, nursery: trio.Nursery, stack: AsyncExitStack, owner: Owner) -> None:
        self.nursery = nursery
        self._stack = stack
        self._owner = owner

    @cached_property
    def cgroups(self) -> Subtree | NoCgroups:
        """The cgroups of this machine."""
        found = cgroups.find()
        if isinstance(found, Subtree):
            self._stack.callback(found.close)
        return found

    async def open(self, tier: Tier, wish: Wish) -> Sandbox:
        """Open one tier without proving it. Raises `HostError`."""
        if tier is Tier.DOCKER:
            from bullring.arena.cells.sandbox.container.sandbox import open_docker  # takes half a second to import

            opened = open_docker(self.nursery, self._owner, wish.runtime, freeze=wish.freeze, images=wish.images)
            return await self._stack.enter_async_context(opened)
        cgroups = self.cgroups if isinstance(self.cgroups, Subtree) else None
        return LocalSandbox(tier, self.nursery, cgroups, self._owner, freeze=wish.freeze)


async def _choose(wish: Wish, opener: Opener) -> Sandbox:
    if wish.tier == Tier.NONE and not wish.allow_unsandboxed:
        raise SandboxError("`--sandbox none` confines nothing; add --allow-unsandboxed if you trust these bots")
    reasons = []
    for tier in BY_PREFERENCE if wish.tier == AUTO else (Tier(wish.tier),):
        if not tier.for_strangers and not wish.allow_unsandboxed:
            reasons.append(f"{tier} is not meant for strangers' programs: {tier.leaves_open}")
            break
        try:
            sandbox = await opener.open(tier, wish)
        except HostError as error:
            reasons.append(f"{tier}: {error}")
            continue
        found = await prove(sandbox) if wish.proven else None
        if found is None or found.holds:
            return sandbox
        reasons.append(f"{tier}: {found.text()}")
    raise SandboxError(
        f"no usable sandbox, so no bot was started. {'. '.join(reasons)}. Run `bullring doctor` to see what is missing;"
        " if you trust all these bots, add --allow-unsandboxed"
    )


def auto_takes(proven: Iterable[Tier]) -> Tier | None:
    """The tier that `auto` chooses if these are proven; None if none of them is meant for strangers."""
    fit = {tier for tier in proven if tier.for_strangers}
    return next((tier for tier in BY_PREFERENCE if tier in fit), None)


def told_of(sandbox: Sandbox, *, wished_frozen: bool) -> str:
    """Describe a run's sandbox for people: the tier, how caps are enforced, and what the tier leaves open."""
    told = f"sandbox {sandbox.tier}: {sandbox.means()}"
    if sandbox.freeze:
        told += "; bots are frozen between their decisions"
    elif wished_frozen:
        told += "; bots cannot be frozen between their decisions here"
    if sandbox.counts:
        told += "; limits are time on a core of their own"
    else:
        told += "; limits are plain time, on a busy machine too, because nothing here counts what others use of a core"
    if sandbox.tier.leaves_open:
        told += f". Not for strangers: {sandbox.tier.leaves_open}"
    return told
