"""The sandbox of the tier `none`, which only starts programs as any local tier does."""

from bullring.arena.cells.sandbox.local.sandbox import LocalSandbox
from bullring.arena.cells.sandbox.none import TIER


class NoSandbox(LocalSandbox):
    """Starts programs that nothing confines."""

    tier = TIER


open_tier = NoSandbox.opened
