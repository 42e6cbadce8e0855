"""The tiers: ways to confine bots, from strong to none."""

from enum import StrEnum


class Tier(StrEnum):
    """A way to confine a bot."""

    DOCKER = "docker"
    BWRAP = "bwrap"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def for_strangers(self) -> bool:
        """Whether it is meant for programs that nobody has reviewed."""
        return self in (Tier.DOCKER, Tier.BWRAP)

    @property
    def what(self) -> str:
        """A short description."""
        return _TITLES[self]

    @property
    def leaves_open(self) -> str:
        """What it does not protect against, in one sentence; empty for tiers that are meant for strangers."""
        return _LEAVES_OPEN.get(self, "")


_TITLES = {
    Tier.DOCKER: "a separate container for each bot",
    Tier.BWRAP: "bubblewrap: namespaces and a system call filter",
    Tier.LANDLOCK: "Landlock and a system call filter",
    Tier.NONE: "no confinement",
}

_LEAVES_OPEN = {
    Tier.LANDLOCK: (
        "bots share the machine's processes and, without cgroups, its memory and processors; they can see which files exist"
        " and read a record that is written into a bot's own folder"
    ),
    Tier.NONE: "bots can read your files, use the network, disturb the referee and each other, and look for hidden cards",
}

AUTO = "auto"
"""Chooses the first tier that is meant for strangers and proven on this machine."""

BY_PREFERENCE = (Tier.BWRAP, Tier.DOCKER, Tier.LANDLOCK, Tier.NONE)
"""The order in which `auto` tries them.

bubblewrap and containers contain the same hostile bots. bubblewrap comes first because it needs no daemon, no root and no images,
starts thirty times faster and answers ten times faster.
"""
