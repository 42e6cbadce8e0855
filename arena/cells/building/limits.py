"""The limits of a build."""

from dataclasses import dataclass, field

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
    folder: Bounds = field(default_factory=Bounds)
    """The largest folder that is built, what its ignore file leaves out aside."""
