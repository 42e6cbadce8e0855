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

from typing import ClassVar

from arena.rules.game import Event
from arena.rules.options import OptionSpec
from arena.rules.rows import RowState, short_deck
from arena.rules.table import cheapest_row
from arena.rules.variants.standard import Standard


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

    def deck(self) -> tuple[int, ...]:
        """All cards, or as many as four seats need."""
        return short_deck(self.seats) if self.options["tactics"] else super().deck()

    def low_card(self, state: RowState, events: list[Event]) -> list[Event]:
        """Nobody is asked: the lowest card takes the cheapest row, the topmost of equals (A48)."""
        events += self.on_row(state, 1 + cheapest_row(state.row_heads))
        return events

    def over(self, state: RowState) -> bool:
        """One deal is a match (A47)."""
        return True
