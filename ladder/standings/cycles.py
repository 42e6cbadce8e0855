"""Bots that beat each other in a circle, told in a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken

NAMED = 3
"""Most cycles that are named; more are only counted."""


@dataclass(frozen=True)
class Cycles:
    """The cycles of a list that are more than chance: `rating.cycles`."""

    named: Sequence[tuple[str, str, str]]
    """The surest ones: the first bot beats the second, the second the third, the third the first."""
    count: int
    """The number of all."""

    def __str__(self) -> str:
        return self.said()

    def said(self) -> str:
        """It, in a sentence; empty without a cycle."""
        if not self.named:
            return ""

        def say(key: str, **figures: object) -> str:
            return spoken().say(f"verdicts.cycles.{key}", **figures)

        said = [say("one", **dict(zip("abc", (harmless(bot, 64) for bot in bots), strict=True))) for bots in self.named]
        if more := self.count - len(self.named):
            said.append(say("more", count=more))
        return say("all", cycles="; ".join(said))

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "text": self.said()}
