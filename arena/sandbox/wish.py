"""What a user wants of the sandbox."""

from dataclasses import dataclass

from bullring.arena.sandbox.tiers import AUTO


@dataclass(frozen=True)
class Wish:
    """What a user wants of the sandbox."""

    tier: str = AUTO
    allow_unsandboxed: bool = False
    """Whether bots may run in a tier that is not meant for strangers."""
    freeze: bool = False
    """Whether bots are frozen while they have nothing to decide."""
    runtime: str | None = None
    """The container runtime, if it is to be another than the engine's own."""
    proven: bool = True
    """Whether the tier has to be proven first. A referee that is started by another one may take its word."""
