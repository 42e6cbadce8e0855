"""The tier `docker`: each bot in a container of Docker or Podman."""

from dataclasses import replace

from bullring.arena.cells.sandbox.promises import CLOCKS, FREEZING, OF_OTHERS, RUN_DELAYS, Means
from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="docker",
    title="a separate container for each bot",
    gaps=(
        replace(FREEZING, remedy="run as root"),
        CLOCKS,
        RUN_DELAYS,
        replace(OF_OTHERS, unless=(Means.GVISOR,), remedy='set `runtime = "runsc"` in `[sandbox]`'),
    ),
    takes_images=True,
    needs="Docker or Podman, and permission to use it",
)
