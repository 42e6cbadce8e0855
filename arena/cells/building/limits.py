"""The limits of a build."""

from dataclasses import dataclass, field, replace

from bullring.arena.cells.files.walk import Bounds
from bullring.arena.cells.sandbox.caps import MIB


@dataclass(frozen=True)
class BuildLimits:
    """The limits of one build, counting everything it starts."""

    time: float = 300.0
    """Seconds."""
    memory: int = 2048 * MIB
    """Bytes of memory."""
    processes: int = 512
    """Processes and threads together."""
    disk: int = 1024 * MIB
    """Bytes of everything it writes: temporary files and the built bot."""
    network: bool = False
    """Whether it may use the network."""
    fetch: bool | None = None
    """Whether packages that a bot declares are fetched before it (`building.fetch`); None: unless it is for a ladder."""
    folder: Bounds = field(default_factory=Bounds)
    """The largest folder that is built, what its ignore file leaves out aside."""

    def with_network(self) -> "BuildLimits":
        """The same with the network."""
        return replace(self, network=True)
