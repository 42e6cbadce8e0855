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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

from bullring.arena.games.rules.cards import HIGHEST
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import DealOver, Event, Key, Lay, Place, RowsDeal
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import RowLessons
from bullring.arena.games.rules.row_reasons import RowReasons, Sight
from bullring.arena.games.rules.rows import MATCH_END, OPEN_CARD, ROW, RowGame, RowState, RowsView
from bullring.arena.games.rules.sayings import Seat
from bullring.arena.games.rules.stages import Revealed
from bullring.arena.games.rules.table import Row


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


class OpenLessons(RowLessons):
    """The marker lies at the seat that plays first."""

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the first and the last to play."""
        yield from super().moves(turn)
        played = [seen.stage.cards[0] for seen in turn.stages if isinstance(seen.stage, Revealed)]
        if len(played) == turn.game.seats:
            (first, _), (last, card) = played[0], played[-1]
            left = Seat((first + 1) % turn.game.seats)
            if not turn.game.options["reset_marker"]:
                yield Lesson("marker", 63, {"name": Seat(first), "next": left})
            yield Lesson("last", 57, {"name": Seat(last), "card": card})


class OpenReasons(RowReasons):
    """Some cards of the turn lie open."""

    def card(self, sight: Sight, card: int) -> Iterator[Reason]:
        """See the card as placed after the lower ones that lie open."""
        for other in sorted(sight.open):
            if other < card:
                self.place(sight, sight.rows, other)
        yield from super().card(sight, card)


class Open(RowGame[OpenState]):
    """The open variant: later seats see the cards of earlier ones."""

    id: ClassVar[str] = "open"
    aliases: ClassVar[tuple[str, ...]] = ("offen",)
    seat_range: ClassVar[tuple[int, int]] = (2, 9)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        *MATCH_END,
        OptionSpec(
            "reset_marker",
            False,
        ),
    )
    lessons: ClassVar[Lessons] = OpenLessons()
    reasons: ClassVar[Reasons] = OpenReasons()
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
