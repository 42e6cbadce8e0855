"""The logic variant, called professional in 1994: the seats draft their hands from open cards, so all hands are known.

========== ==========================================================================================
seats      2-10
deck       1..10n+4 for n seats, all of them open; nothing is dealt
deal       a draft: clockwise from the starting seat, one card each, until all have ten; the last four begin the rows
decisions  draft (one seat after the other), card (all seats, hidden), row
options    as in the standard game
end        as in the standard game
source     jubilee rulebook, variant 2; 1994 rulebook, professional variant
rulings    A15 (seats), A16 (no snake draft), A17 (rows ascending), A20 (name); every draft begins at the starting seat
========== ==========================================================================================
"""

from typing import ClassVar

from bullring.arena.games.rules.draft import DraftGame, DraftState
from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.lessons.drafts import DraftLessons
from bullring.arena.games.rules.wording import logic as wording
from bullring.arena.games.rules.wording.text import Rules, Text


class Logic(DraftGame[DraftState]):
    """Hands drafted from open cards, then the standard game with all hands known."""

    id: ClassVar[str] = "logic"
    title: ClassVar[Text] = Text("Logic (Logik)", "6 nimmt! Logik")
    aliases: ClassVar[tuple[str, ...]] = ("logik", "professional-1994")
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    summary: ClassVar[str] = "Like tactics, but the hands are drafted from open cards, so only the choices are hidden."
    source: ClassVar[Text] = Text(
        "jubilee rulebook, variant 2; 1994 rulebook, professional variant",
        "Anleitung der Jubiläumsausgabe, Variante 2; Anleitung von 1994, Profivariante",
    )
    rules: ClassVar[Rules] = wording.RULES
    lessons: ClassVar[Lessons] = DraftLessons()
    for_bots: ClassVar[str] = wording.FOR_BOTS
    state_type = DraftState
