"""Open the tier `none`."""

from bullring.arena.cells.sandbox.choice import Opener
from bullring.arena.cells.sandbox.local.sandbox import LocalSandbox
from bullring.arena.cells.sandbox.none import TIER
from bullring.arena.cells.sandbox.wish import Wish


async def open_tier(opener: Opener, wish: Wish) -> LocalSandbox:
    """Open the tier, in which programs only start as an ordinary local process does."""
    return LocalSandbox(TIER, opener.nursery, opener.subtree, opener.owner, freeze=wish.freeze)
