"""Caps: the resources of the machine that a bot may use."""

import os
from dataclasses import dataclass

MIB = 1 << 20
GIB = 1 << 30

NO_CORE = 1
"""Largest core dump, in bytes. Not 0, because then a core handler of the machine would still start."""

SIGNALS = 64
"""Most pending signals: without it, a bot of an unprivileged referee could use up those of the referee's user."""

STACK = 8 * MIB
"""Bytes of the stack of each process."""

WRITABLE = 8
"""Writable memory that each process may reserve, in multiples of its memory cap. SBCL reserves 1 GiB."""

FIRST_HEAP = 64
"""The part of the machine's memory that it may reserve in addition: Java's first heap is a 64th."""

ADDRESSES = 64 * GIB
"""Addresses that each process may reserve beyond the machine's memory. Java reserves a quarter of it, Deno 32 GiB."""


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
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return {
            "nofile": self.open_files,
            "fsize": self.file,
            "core": NO_CORE,
            "memlock": 0,
            "msgqueue": 0,
            "sigpending": SIGNALS,
            "stack": STACK,
            # What is only reserved is in no cap on memory, but a machine that counts strictly has only so much to promise.
            "data": WRITABLE * self.memory + machine // FIRST_HEAP,
            "as": ADDRESSES + machine + self.memory,
        }
