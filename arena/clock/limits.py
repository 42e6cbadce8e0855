"""How long a bot may take."""

from dataclasses import asdict, dataclass

MICRO = 1_000_000
"""Microseconds in a second."""


@dataclass(frozen=True)
class Limits:
    """How long a bot may take, in microseconds."""

    start_us: int = 10 * MICRO
    """From the start of the process to its hello."""
    card_us: int = MICRO
    """For a decision of kind "card"."""
    row_us: int = MICRO
    """For a decision of kind "row"."""
    other_us: int = MICRO
    """For a decision of any other kind."""
    bank_us: int = 0
    """Reserve for the whole match: what exceeds a limit is taken from here."""
    tick_us: int = 0
    """The result of a turn is told at a whole multiple of this after its question, so nobody learns how long others thought."""

    @classmethod
    def seconds(cls, **limits: float) -> "Limits":
        """Limits by name, in seconds: ``Limits.seconds(card=0.2, bank=5)``; the others keep their defaults."""
        return cls(**{f"{name}_us": round(value * MICRO) for name, value in limits.items()})

    def of(self, kind: str) -> int:
        """The limit of a decision of this kind."""
        return self.card_us if kind == "card" else self.row_us if kind == "row" else self.other_us

    @staticmethod
    def name_of(kind: str) -> str:
        """What the wire and the record call the limit of a decision of this kind."""
        return f"{kind}_us" if kind in ("card", "row") else "other_us"

    def of_bots(self) -> dict[str, int]:
        """The limits of a bot's own time, which are all but the tick, as the wire and the record write them."""
        limits = asdict(self)
        del limits["tick_us"]
        return limits
