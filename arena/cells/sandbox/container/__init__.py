"""The tier `docker`: each bot in a container of Docker or Podman."""

from dataclasses import replace

from bullring.arena.cells.sandbox.promises import CLOCKS, FREEZING, RUN_DELAYS
from bullring.arena.cells.sandbox.tier import Tier

TIER = Tier(
    __name__,
    name="docker",
    title="a separate container for each bot",
    gaps=(replace(FREEZING, remedy="run as root"), CLOCKS, RUN_DELAYS),
    takes_images=True,
    needs="Docker or Podman, and permission to use it",
)
