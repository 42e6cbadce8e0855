"""Sandbox options as the user gave them."""

from dataclasses import dataclass

from bullring.arena.cells.sandbox.tiers import AUTO, TIERS
from bullring.errors import SandboxError


@dataclass(frozen=True)
class Wish:
    """Sandbox options as the user gave them. Raises `SandboxError` if there is no such tier."""

    tier: str = AUTO
    allow_unsandboxed: bool = False
    """Whether bots may run in a tier that is not meant for strangers."""
    freeze: bool = True
    """Whether bots are frozen while they have nothing to decide."""
    runtime: str | None = None
    """The container runtime, or None for the engine's default."""
    images: tuple[str, ...] = ()
    """The container images that bots may name; * matches anything."""
    proven: bool = True
    """Whether the tier must be proven first. Not needed in a referee started by another one that has proven it."""

    def __post_init__(self) -> None:
        if self.tier not in (AUTO, *TIERS):
            raise SandboxError(f"there is no sandbox {self.tier!r}; the tiers are: {', '.join((AUTO, *TIERS))}")
