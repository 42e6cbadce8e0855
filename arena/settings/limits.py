"""The time limits of a bot, and durations as people write them: 250ms, 1.5s, 2m."""

import re
from dataclasses import dataclass, replace

from bullring.errors import DurationError

MICRO = 1_000_000
"""Microseconds in a second."""

UNLIMITED_US = 1 << 50
"""A time that no match takes, some 35 years."""

NO_CLOCK = "none"
"""The clock in the head of a record of a match in which the limits did not bind, though bots were told of them."""


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
    """Bots learn the result of a turn at a multiple of this after its question, which hides how long others thought."""

    binding: bool = True
    """Whether limits are enforced. If not, bots are told them all the same, so that they plan as they always do."""

    @classmethod
    def seconds(cls, **limits: float) -> "Limits":
        """Limits given by name in seconds, such as ``Limits.seconds(card=0.2, bank=5)``; the others keep their defaults."""
        return cls().over(**limits)

    def over(self, **limits: float) -> "Limits":
        """These limits, overridden by those given by name in seconds."""
        return replace(self, **{f"{name}_us": round(value * MICRO) for name, value in limits.items()})  # type: ignore[arg-type]  # all are times

    def of(self, kind: str) -> int:
        """The limit of a decision of this kind."""
        return self.card_us if kind == "card" else self.row_us if kind == "row" else self.other_us

    def judged(self, limit_us: int) -> int:
        """The time that a bot may take where it is told this limit."""
        return limit_us if self.binding else UNLIMITED_US

    @classmethod
    def of_people(cls, limit_us: int = 0) -> "Limits":
        """The limits that people are told: one for every decision, or with 0 a time that is never reached. They never bind."""
        told_us = limit_us or UNLIMITED_US
        return cls(start_us=UNLIMITED_US, card_us=told_us, row_us=told_us, other_us=told_us, binding=False)

    @staticmethod
    def name_of(kind: str) -> str:
        """The key of the limit for decisions of this kind, on the wire and in records."""
        return f"{kind}_us" if kind in ("card", "row") else "other_us"

    def of_bots(self) -> dict[str, int]:
        """All limits except the tick, as written on the wire and in records."""
        # Written out, because a match asks for it several times.
        return {
            "start_us": self.start_us,
            "card_us": self.card_us,
            "row_us": self.row_us,
            "other_us": self.other_us,
            "bank_us": self.bank_us,
        }


MAX_DURATION = 3600.0
"""Seconds of the longest limit."""

LEAST = {"start": 0.001, "card": 0.001, "row": 0.001, "other": 0.001, "bank": 0.0, "tick": 0.0}
"""Seconds of the shortest limit, by its name."""

_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


def parse_duration(text: str) -> float:
    """Convert a text like "250ms", "1.5s" or "2m" to seconds. Raises `DurationError`."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,6})?)(us|ms|s|m)", text.strip())
    if match is None:
        raise DurationError(f"a duration is a number with its unit, like 250ms, 1.5s or 2m, not {text[:40]!r}")
    return float(match[1]) * _UNITS[match[2]]
