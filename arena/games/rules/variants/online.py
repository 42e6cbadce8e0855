"""The online version of 2000: one player against three programs.

========== ==========================================================================================
seats      4
deck       1..104, or 1..44 with the option tactics
decisions  card
options    tactics
end        after one deal (A47); ties share the place
source     online short rules
rulings    A46-A48
========== ==========================================================================================
"""

from collections.abc import Sequence
from typing import ClassVar

from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.row_lessons import Move, RowLessons
from bullring.arena.games.rules.rows import CARD, RowState, short_deck
from bullring.arena.games.rules.table import cheapest_row
from bullring.arena.games.rules.variants.standard import Standard


class OnlineLessons(RowLessons):
    """The cheapest row is taken without asking."""

    def low(self, turn: Turn, move: Move) -> Lesson:
        """The lesson of a card that fits nowhere and takes the cheapest row, on a tie the topmost."""
        tied = [sum(turn.game.heads[card] for card in row) for row in move.rows].count(move.heads) > 1
        return Lesson("low", 85, move.values(), "low_tied" if tied else "low_cheapest")


class Online(Standard):
    """The standard game in a single deal, without choosing rows."""

    id: ClassVar[str] = "online"
    aliases: ClassVar[tuple[str, ...]] = ("online-2000",)
    seat_range: ClassVar[tuple[int, int]] = (4, 4)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        OptionSpec(
            "tactics",
            False,
        ),
    )
    lessons: ClassVar[Lessons] = OnlineLessons()

    decisions: ClassVar[tuple[Decision, ...]] = (CARD,)

    def deck(self) -> tuple[int, ...]:
        """All cards, or only those that four seats need."""
        return short_deck(self.seats) if self.options["tactics"] else super().deck()

    def low_targets(self, state: RowState) -> Sequence[int]:
        """Only the cheapest row, on a tie the topmost (A48)."""
        return (cheapest_row(state.row_heads),)

    def low_card(self, state: RowState, events: list[Event]) -> list[Event]:
        """Let the lowest card take its row without asking (A48)."""
        (target,) = self.low_targets(state)
        events += self.on_row(state, 1 + target)
        return events

    def over(self, state: RowState) -> bool:
        """True: a match is one deal (A47)."""
        return True

    def planned_deals(self) -> int | None:
        return 1
