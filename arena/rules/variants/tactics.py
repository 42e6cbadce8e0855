"""The tactical variant: only as many cards as are needed.

========== ==========================================================================================
seats      2-10
deck       1..10n+4 for n seats, all of them dealt
decisions  card, row
options    as the standard game
end        as the standard game
source     jubilee rulebook, variant 1; online short rules, tactical variant
rulings    none of its own
========== ==========================================================================================
"""

from typing import ClassVar

from arena.rules.rows import short_deck
from arena.rules.variants.standard import Standard


class Tactics(Standard):
    """Every card of the deck is in somebody's hand or on the table, so much can be counted."""

    id: ClassVar[str] = "tactics"
    title: ClassVar[str] = "Tactics (Taktik)"
    aliases: ClassVar[tuple[str, ...]] = ("taktik",)
    summary: ClassVar[str] = "The standard game with cards 1 to 10n+4 for n seats, so every card is in play."
    source: ClassVar[str] = "jubilee rulebook, variant 1"

    def deck(self) -> tuple[int, ...]:
        """As many cards as are needed."""
        return short_deck(self.seats)
