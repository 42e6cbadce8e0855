"""The shares of lists in an overall rating, told below it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import spoken

NAMED = 5
"""Most bots without a rating that are named; more are only counted."""


@dataclass(frozen=True)
class Shares:
    """The shares of lists in an overall rating."""

    shares: Mapping[str, float]
    """By the title of each list, how much it counts."""
    missing: Sequence[str]
    """The bots that play and have no rating, because they have no match in some list."""

    def said(self) -> str:
        """How it is made, in a sentence, and who is not in it."""

        def say(key: str, **figures: object) -> str:
            return spoken().say(f"verdicts.overall.{key}", **figures)

        said = [say("equal")]
        if self.missing:
            names = [harmless(bot, 64) for bot in self.missing[:NAMED]]
            if more := len(self.missing) - len(names):
                names.append(say("others", count=more))
            said.append(say("missing", count=len(self.missing), bots=spoken().listed(names)))
        return " ".join(said)

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "text": self.said()}
