"""Caps: the resources of the machine that a bot may use."""

from dataclasses import dataclass

MIB = 1 << 20

NO_CORE = 1
"""Largest core dump, in bytes. Not 0, because then a core handler of the machine would still start."""

SIGNALS = 64
"""Most pending signals: without it, a bot of an unprivileged referee could use up those of the referee's user."""

STACK = 8 * MIB
"""Bytes of the stack of each process."""


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

    def limits(self) -> dict[str, int]:
        """The limits of each process that keep these caps, by the names that the kernel has for them (RLIMIT_*), in lower case."""
        return {
            "nofile": self.open_files,
            "fsize": self.file,
            "core": NO_CORE,
            "memlock": 0,
            "msgqueue": 0,
            "sigpending": SIGNALS,
            "stack": STACK,
        }
