"""All tiers by name. To add one, write its folder, whose `__init__` declares `TIER`, and list the folder here.

The command line, the settings, `bullring doctor`, the documents and the tests walk this registry.
"""

from importlib import import_module

from bullring.arena.cells.sandbox.tier import Tier

_FOLDERS = ("bwrap", "container", "landlock", "none")
"""In the order in which `auto` tries them.

bubblewrap and containers contain the same hostile bots. bubblewrap comes first because it needs no daemon, no root and no images,
starts thirty times faster and answers ten times faster.
"""

AUTO = "auto"
"""Chooses the first tier that is meant for strangers and proven on this machine."""


def _declared() -> dict[str, Tier]:
    tiers: list[Tier] = [import_module(f"{__package__}.{folder}").TIER for folder in _FOLDERS]
    return {tier.name: tier for tier in tiers}


TIERS = _declared()
