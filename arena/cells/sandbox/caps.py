"""Caps: the resources of the machine that a bot may use."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Caps:
    """Caps of one running bot, counting everything it starts."""

    memory: int = 256 * MIB
    """Bytes of memory."""
    processes: int = 64
    """Processes and threads together."""
    file: int = 16 * MIB
    """Size in bytes of the largest file it may write."""
    box: int = 16 * MIB
    """Size in bytes of its box, the only folder it may write to."""
    output: int = 64 * MIB
    """Bytes it may write to stderr in one match. All are read, few are kept."""
    open_files: int = 256
    """Open files of each process."""
