"""Sandbox options as the user gave them."""

from dataclasses import dataclass

from bullring.arena.sandbox.tiers import AUTO


@dataclass(frozen=True)
class Wish:
    """Sandbox options as the user gave them."""

    tier: str = AUTO
    allow_unsandboxed: bool = False
    """Whether bots may run in a tier that is not meant for strangers."""
    freeze: bool = False
    """Whether bots are frozen while they have nothing to decide."""
    runtime: str | None = None
    """The container runtime, or None for the engine's default."""
    proven: bool = True
    """Whether the tier must be proven first. Not needed in a referee started by another one that has proven it."""
