"""The room of one referee: the share of the machine that its running bots may take together."""

import os
from dataclasses import dataclass

MOST_BOTS = 96
"""Most running bots of one referee: enough for eight tables of ten, with some to spare."""

MEMORY_SHARE = 0.75
"""The share of the machine's memory that all bots may take together."""


@dataclass(frozen=True)
class Room:
    """The limits of a pool."""

    bots: int = MOST_BOTS
    """Most running bots, each a process or a tree of processes. Those being started or ended count."""
    memory: int = 0
    """Bytes of memory for all of them: bots at a table count with all they may take, idle ones with what they hold. 0: no limit.

    A table that has the referee for itself is always seated, even if its bots together might take more.
    """

    def __post_init__(self) -> None:
        if self.bots < 1 or self.memory < 0:
            raise ValueError(f"room for at least 1 bot, in 0 bytes or more, not for {self.bots} in {self.memory}")


def share_of_machine(referees: int) -> Room:
    """The room of one of so many referees on this machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return Room(memory=round(memory * MEMORY_SHARE / referees))
