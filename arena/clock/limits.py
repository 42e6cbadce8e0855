"""The time limits of a bot."""

from dataclasses import asdict, dataclass

MICRO = 1_000_000
"""Microseconds in a second."""

NO_CLOCK = "none"
"""What the head of a record calls the clock of a match in which the limits did not bind, though bots were told of them."""


@dataclass(frozen=True)
class Limits:
    """The time limits of a bot, in microseconds."""

    start_us: int = 10 * MICRO
    """From the start of the process to its hello."""
    card_us: int = MICRO
    """For a decision of kind "card"."""
    row_us: int = MICRO
    """For a decision of kind "row"."""
    other_us: int = MICRO
    """For a decision of any other kind."""
    bank_us: int = 0
    """Reserve for the whole match, used by decisions that exceed their limit."""
    tick_us: int = 0
    """Bots learn the result of a turn at a multiple of this after its question, so nobody learns how long others thought."""

    @classmethod
    def seconds(cls, **limits: float) -> "Limits":
        """Limits given by name in seconds, such as ``Limits.seconds(card=0.2, bank=5)``; the others keep their defaults."""
        return cls(**{f"{name}_us": round(value * MICRO) for name, value in limits.items()})

    def of(self, kind: str) -> int:
        """The limit of a decision of this kind."""
        return self.card_us if kind == "card" else self.row_us if kind == "row" else self.other_us

    @staticmethod
    def name_of(kind: str) -> str:
        """The key of the limit for decisions of this kind, on the wire and in records."""
        return f"{kind}_us" if kind in ("card", "row") else "other_us"

    def of_bots(self) -> dict[str, int]:
        """All limits except the tick, as written on the wire and in records."""
        limits = asdict(self)
        del limits["tick_us"]
        return limits
