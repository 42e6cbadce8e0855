"""What a bot may use of the machine."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Caps:
    """The limits of one running bot, with all it starts."""

    memory: int = 256 * MIB
    """Bytes of memory."""
    processes: int = 64
    """Processes and threads together."""
    cpus: float = 1.0
    """Share of the processor: 1.0 is one core."""
    file: int = 16 * MIB
    """Bytes of the largest file it may write."""
    box: int = 16 * MIB
    """Bytes of its box, the only folder it may write to."""
    output: int = 64 * MIB
    """Bytes it may write to stderr in one match; all are read, few are kept."""
