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
from bullring.arena.games.rules.lessons.tactics import TacticsLessons
from bullring.arena.games.rules.rows import short_deck
from bullring.arena.games.rules.variants.standard import Standard
from bullring.arena.games.rules.wording import tactics as wording
from bullring.arena.games.rules.wording.text import Rules, Text


class Tactics(Standard):
    """The tactics variant: every card of the deck is in a hand or on the table, so players can count cards."""

    id: ClassVar[str] = "tactics"
    title: ClassVar[Text] = Text("Tactics (Taktik)", "6 nimmt! Taktik")
    aliases: ClassVar[tuple[str, ...]] = ("taktik",)
    summary: ClassVar[str] = "The standard game with the cards 1 to 10n+4 for n seats, so every card is in play."
    source: ClassVar[Text] = Text("jubilee rulebook, variant 1", "Anleitung der Jubiläumsausgabe, Variante 1")
    rules: ClassVar[Rules] = wording.RULES
    lessons: ClassVar[Lessons] = TacticsLessons()
    for_bots: ClassVar[str] = wording.FOR_BOTS

    def deck(self) -> tuple[int, ...]:
        return short_deck(self.seats)
