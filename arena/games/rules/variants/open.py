"""The open variant: cards are played face up, one seat after the other.

========== ==========================================================================================
seats      2-9 (A26: for ten seats the deck is one card short)
deck       2..104, as the 1 is the starting player's marker: ten cards to each hand, four to begin the rows
decisions  card (one seat after the other, clockwise from the marker), row
options    as in the standard game; reset_marker
end        as in the standard game
source     jubilee rulebook, variant 5
rulings    A26, A27 (the marker moves on after each turn, even from one deal to the next, unless reset_marker is set)
========== ==========================================================================================
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from bullring.arena.games.rules.cards import HIGHEST
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import DealOver, Event, Key, Lay, Place, RowsDeal
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.lessons.open import OpenLessons
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.rows import MATCH_END, OPEN_CARD, ROW, RowGame, RowState, RowsView
from bullring.arena.games.rules.table import Row
from bullring.arena.games.rules.wording import open as wording
from bullring.arena.games.rules.wording.text import Rules, Text


@dataclass(slots=True)
class OpenState(RowState):
    """A position of the open game; the queue holds the cards of this turn."""

    first: int = 0
    """The seat with the marker, which plays first in this turn."""

    def copy(self) -> Self:
        new = RowState.copy(self)
        new.first = self.first
        return new


class OpenView(RowsView):
    """The public view of the open game."""

    first: Annotated[int, Key("seat", "The seat that plays first in this turn.")]


class Open(RowGame[OpenState]):
    """The open variant: later seats see the cards of earlier ones."""

    id: ClassVar[str] = "open"
    title: ClassVar[Text] = Text("Open (Offen)", "6 nimmt! Offen")
    aliases: ClassVar[tuple[str, ...]] = ("offen",)
    seat_range: ClassVar[tuple[int, int]] = (2, 9)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        *MATCH_END,
        OptionSpec(
            "reset_marker",
            False,
            Text(
                "every deal begins at the starting seat instead of where the marker is",
                "jeder Durchgang beginnt beim Startspieler und nicht dort, wo die Startspielerkarte gerade ist",
            ),
        ),
    )
    summary: ClassVar[str] = "The standard game with cards played face up, clockwise, one seat after the other."
    source: ClassVar[Text] = Text("jubilee rulebook, variant 5", "Anleitung der Jubiläumsausgabe, Variante 5")
    rules: ClassVar[Rules] = wording.RULES
    lessons: ClassVar[Lessons] = OpenLessons()
    for_bots: ClassVar[str] = wording.FOR_BOTS
    decisions: ClassVar[tuple[Decision, ...]] = (OPEN_CARD, ROW)
    events: ClassVar[tuple[type, ...]] = (RowsDeal, Lay, Place, DealOver)
    view_type: ClassVar[type] = OpenView
    course: ClassVar[str] = "for each turn `lay` for each card, then `place`"
    state_type = OpenState

    def deck(self) -> tuple[int, ...]:
        """All cards except the marker."""
        return tuple(range(2, HIGHEST + 1))

    def open_rows(self, state: OpenState, rows: list[Row]) -> None:
        """Begin the first turn of a deal."""
        if state.deal == 1 or self.options["reset_marker"]:
            state.first = self.start
        super().open_rows(state, rows)

    def ask(self, state: OpenState) -> None:
        """Ask the next seat for a card from its hand."""
        seat = (state.first + len(state.queue)) % self.seats
        state.pending = Batch("card", (seat,), (tuple(state.hands[seat]),))

    def on_card(self, state: OpenState, *cards: int) -> list[Event]:
        """Show one card; after the last one, place all of them, the lowest first."""
        (card,) = cards
        seat = (state.first + len(state.queue)) % self.seats
        state.hands[seat].remove(card)
        state.queue.append((card, seat))
        laid: Lay = {"type": "lay", "seat": seat, "card": card}
        events: list[Event] = [laid]
        if len(state.queue) < self.seats:
            self.ask(state)
            return events
        state.queue.sort()
        return self.resolve(state, events, [])

    def end_turn(self, state: OpenState, events: list[Event]) -> None:
        """Pass the marker to the left."""
        state.first = (state.first + 1) % self.seats
        super().end_turn(state, events)

    def public(self, state: OpenState) -> OpenView:
        """Add the seat with the marker."""
        return {**super().public(state), "first": state.first}
