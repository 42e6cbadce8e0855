"""The tactics variant: only as many cards as needed.

========== ==========================================================================================
seats      2-10
deck       1..10n+4 for n seats, all of them dealt
decisions  card, row
options    as in the standard game
end        as in the standard game
source     jubilee rulebook, variant 1; online short rules, tactical variant
rulings    none
========== ==========================================================================================
"""

from typing import ClassVar

from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.row_lessons import RowLessons
from bullring.arena.games.rules.rows import short_deck
from bullring.arena.games.rules.variants.standard import Standard


class TacticsLessons(RowLessons):
    """Counting cards pays."""

    counting = True


class Tactics(Standard):
    """The tactics variant: every card of the deck is in a hand or on the table, so players can count cards."""

    id: ClassVar[str] = "tactics"
    aliases: ClassVar[tuple[str, ...]] = ("taktik",)
    lessons: ClassVar[Lessons] = TacticsLessons()

    def deck(self) -> tuple[int, ...]:
        return short_deck(self.seats)
