"""The tier `none`: each bot an ordinary process, of which only the environment and some limits are ours."""

from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="none",
    title="no confinement",
    leaves_open="bots can read your files, use the network, disturb the referee and each other, and look for hidden cards",
    claims=("inherited",),
    confines=False,
    has_box=False,
)
