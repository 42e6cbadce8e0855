"""The point from which the ratings of a list are counted."""

from dataclasses import dataclass

from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rulebook.language import say

BASE_RATING = 1500.0
"""Rating of the mean of a list, or of its anchor, in Elo."""


@dataclass(frozen=True)
class Zero:
    """The ratings that are given rather than found."""

    mean: float
    """The rating of the mean of the list, in which each bot counts by its matches."""
    anchor: str | None
    """The bot that was chosen as anchor."""
    moved: bool
    """Whether the anchor has played, so that it has the rating that the mean would have without it."""
    given: float = BASE_RATING
    """That rating."""
    apart: bool = False
    """Whether no chain of matches connects some bots with the mean, so that it says nothing of them."""

    def said(self) -> str:
        """The effect of an anchor, in a sentence; empty without one."""
        if self.anchor is None:
            return ""
        key = ("anchor_apart" if self.apart else "anchor") if self.moved else "no_anchor"
        figures = {"given": f"{self.given:.0f}", "mean": f"{self.mean:.0f}"}
        return say(f"verdicts.{key}", name=harmless(self.anchor, 64), **figures)
