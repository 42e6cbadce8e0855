"""The sandbox of a run: one tier, proven on this machine, in which all its bots are started."""

from typing import Protocol

from arena.sandbox.cell import Cell, OnLog
from arena.sandbox.launch import Launch
from arena.sandbox.tiers import Tier


class Sandbox(Protocol):
    """What starts cells."""

    tier: Tier
    freeze: bool
    """Whether bots are frozen while they have nothing to decide, if cells can be."""

    def means(self) -> str:
        """How limits are kept, in some words: "memory by cgroup, ..."."""

    async def prepare(self, launch: Launch) -> None:
        """Make what has to be made ahead, outside of all clocks: an image. Raises `CellError`, `HostError`."""

    async def start(self, launch: Launch, on_log: OnLog) -> Cell:
        """Start a program; it may not have got to its first line when this returns. Raises `CellError`, `HostError`."""
