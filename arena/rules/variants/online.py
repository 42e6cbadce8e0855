"""The online version of 2000: one against three programs.

========== ==========================================================================================
seats      4
deck       1..104; 1..44 with the option tactics
decisions  card
options    tactics
end        after one deal (A47); ties share the place
source     online short rules
rulings    A46-A48
========== ==========================================================================================
"""

from collections.abc import Sequence
from typing import ClassVar

from arena.rules.cards import HIGHEST
from arena.rules.options import OptionSpec
from arena.rules.variants.standard import HAND, Standard


class Online(Standard):
    """The standard game in one deal, in which nobody chooses a row."""

    id: ClassVar[str] = "online"
    title: ClassVar[str] = "6 nimmt! online"
    aliases: ClassVar[tuple[str, ...]] = ("online-2000",)
    seat_range: ClassVar[tuple[int, int]] = (4, 4)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (OptionSpec("tactics", False, "play with the cards 1 to 44 only"),)
    summary: ClassVar[str] = (
        "Four seats, one deal; a low card takes the row with the fewest heads, the topmost of equals."
    )
    source: ClassVar[str] = "online short rules (2000)"
    decisions: ClassVar[tuple[str, ...]] = ("card",)
    asks_for_rows: ClassVar[bool] = False  # A48

    def deck(self) -> tuple[int, ...]:
        """All cards, or as many as four seats need."""
        return tuple(range(1, (HAND * self.seats + 4 if self.options["tactics"] else HIGHEST) + 1))

    def over(self, deal: int, scores: Sequence[int]) -> bool:
        """One deal is a match (A47)."""
        return True
