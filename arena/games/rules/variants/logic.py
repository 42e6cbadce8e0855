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


class Logic(DraftGame[DraftState]):
    """Hands drafted from open cards, then the standard game with all hands known."""

    id: ClassVar[str] = "logic"
    aliases: ClassVar[tuple[str, ...]] = ("logik", "professional-1994")
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    state_type = DraftState
