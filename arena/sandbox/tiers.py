"""The tiers: how strongly bots are held, from best to nothing."""

from dataclasses import dataclass
from enum import StrEnum


class Tier(StrEnum):
    """A way to confine a bot."""

    DOCKER = "docker"
    BWRAP = "bwrap"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def for_strangers(self) -> bool:
        """Whether programs that nobody has read may be run in it."""
        return self in (Tier.DOCKER, Tier.BWRAP)


BY_PREFERENCE = (Tier.BWRAP, Tier.DOCKER, Tier.LANDLOCK, Tier.NONE)
"""What `auto` tries, one after the other.

bubblewrap and containers hold the same behaviours; bubblewrap needs no daemon, no root and no images, starts thirty times quicker
and answers ten times quicker, so it comes first.
"""


@dataclass(frozen=True)
class Facts:
    """What is told of a tier."""

    title: str
    leaves_open: str
    """What it does not protect against, in one sentence; empty if it is meant for strangers."""


FACTS = {
    Tier.DOCKER: Facts("a container of its own for each bot", ""),
    Tier.BWRAP: Facts("bubblewrap: namespaces and a system call filter", ""),
    Tier.LANDLOCK: Facts(
        "Landlock and a system call filter",
        "bots share the machine's processes and, without cgroups, its memory and processors; they can see which files there"
        " are, and a record that is written into a bot's own folder",
    ),
    Tier.NONE: Facts(
        "no confinement",
        "bots can read your files, use the network, disturb the referee and each other, and look for hidden cards",
    ),
}
