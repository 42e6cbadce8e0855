"""The professional variant: rows grow at both ends.

========== ==========================================================================================
seats      2-10
deck       1..104: ten cards to each hand, four to begin the rows
decisions  card (all seats, hidden), row (the owner of a card that lies within every row),
           side (the owner of a card equally near to a left end and a right end, A21)
options    as in the standard game
end        as in the standard game
source     jubilee rulebook, variant 4
rulings    A20 (name), A21, A22, A24 (the sixth card on either side takes all five and begins the row anew)
========== ==========================================================================================
"""

from collections.abc import Sequence
from typing import ClassVar

from bullring.arena.games.rules.cards import HEADS
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.lessons.professional import ProfessionalLessons
from bullring.arena.games.rules.rows import CARD, ROW, RowGame, RowState
from bullring.arena.games.rules.table import ROWS, nearest_ends
from bullring.arena.games.rules.wording import professional as wording
from bullring.arena.games.rules.wording.text import Rules, Text

SIDE = Decision(
    "side",
    "the owner of a card with two equally near ends",
    "the two rows, ascending",
    "The row where it takes fewer heads: the heads of a full row, or 0 where there is room. On a tie, the right end of a row.",
    told="chooses row {}".format,
    german="wählt Reihe {}".format,
    waits="picks row",
    purpose="choose a row",
    answers=lambda game: ROWS,
    names="row",
)


class Professional(RowGame[RowState]):
    """The professional variant: rows grow downwards on the left and upwards on the right."""

    id: ClassVar[str] = "professional"
    title: ClassVar[Text] = Text("Professional (Profi)", "6 nimmt! Profi")
    aliases: ClassVar[tuple[str, ...]] = ("profi",)
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    summary: ClassVar[str] = "The standard game with rows that grow at both ends: a card goes to the nearest end."
    source: ClassVar[Text] = Text("jubilee rulebook, variant 4", "Anleitung der Jubiläumsausgabe, Variante 4")
    rules: ClassVar[Rules] = wording.RULES
    lessons: ClassVar[Lessons] = ProfessionalLessons()
    for_bots: ClassVar[str] = wording.FOR_BOTS
    decisions: ClassVar[tuple[Decision, ...]] = (CARD, ROW, SIDE)
    both_ends: ClassVar[bool] = True
    state_type = RowState

    def targets(self, state: RowState, card: int) -> Sequence[int]:
        """The row with the nearest end on either side, or two rows at the same distance."""
        return nearest_ends(state.rows, card)

    def extend(self, state: RowState, card: int, target: int) -> None:
        """Put a lower card at the left end, a higher one at the right end."""
        row = state.rows[target]
        row.insert(0 if card < row[0] else len(row), card)
        state.row_heads[target] += HEADS[card]

    def fallback(self, state: RowState, index: int) -> Option:
        """Like `RowGame.fallback`; of two ends that cost the same, choose the right end."""
        batch = state.pending
        if isinstance(batch, Batch) and batch.kind == "side":
            card, _ = state.queue[0]
            rows = batch.options[index]
            return min(rows, key=lambda row: (self.cost(state, "side", row), card < state.rows[int(str(row)) - 1][0]))
        return super().fallback(state, index)
