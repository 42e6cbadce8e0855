"""The tournament variant: every seat plays every hand once.

========== ==========================================================================================
seats      2-5, as many as the score sheet has lines
deck       1..10n+4 for n seats, all of them open; nothing is dealt
deal       the first one begins with a draft as in logic; the others repeat its hands and rows (A18), and each time
           every hand moves on to the left neighbour (A19)
decisions  draft (one seat after the other), card (all seats, hidden), row
options    none
end        after n deals for n seats; ties share the place
source     jubilee rulebook, variant 3, with its score sheet
rulings    A16-A19
========== ==========================================================================================
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, Self, TypedDict

from bullring.arena.games.rules.board import Board, Sheet
from bullring.arena.games.rules.draft import DraftGame, DraftLessons, DraftState, DraftView
from bullring.arena.games.rules.events import Event, Key
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, outcome, rows_of
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.stages import Changed, DealOver, Stage
from bullring.arena.games.rules.table import Row


@dataclass(slots=True)
class TournamentState(DraftState):
    """A position of a tournament."""

    drafted: list[list[int]] = field(default_factory=list)
    """By seat, the hand it drafted; empty until the draft is over."""
    beginnings: list[Row] = field(default_factory=list)
    """The rows at the beginning of every deal."""
    sheet: list[list[int | None]] = field(default_factory=list)
    """The score sheet: for each drafted hand, the heads each seat took with it, or None if it has not played it yet."""

    def copy(self) -> Self:
        new = DraftState.copy(self)
        new.drafted = [hand.copy() for hand in self.drafted]
        new.beginnings = [row.copy() for row in self.beginnings]
        new.sheet = [line.copy() for line in self.sheet]
        return new


class FullSheet(TypedDict):
    """The complete score sheet, when the match is over."""

    type: Literal["sheet"]
    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "The hand each seat drafted.")]
    heads: Annotated[
        list[list[int | None]],
        Key("lists of integers", "For each of these hands, the heads taken with it, by seat."),
    ]


class TournamentView(DraftView):
    """The public view of a tournament."""

    drafted: Annotated[
        list[list[int]], Key("by seat, lists of cards", "The hand each seat drafted. Empty during the draft.")
    ]
    sheet: Annotated[
        list[list[int | None]],
        Key(
            "lists of integers and nulls",
            "For each drafted hand, in the order of `drafted`: the heads each seat took with it, by seat; `null` if it has not"
            " played it yet.",
        ),
    ]


class TournamentLessons(DraftLessons):
    """Every hand is played by everyone."""

    def begins(self, turn: Turn, after: DealOver | None) -> Iterator[Lesson]:
        """Add that the hands move to the left, from the second deal on."""
        yield from super().begins(turn, after)
        if after is not None:
            yield Lesson("moved", 70, {"cards": tuple(row[0] for row in rows_of(turn.board))})

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Add the end after as many deals as there are players."""
        if turn.over:
            yield Lesson("sheet", 60, {"deals": turn.game.seats, **outcome(over)})
        else:
            yield from super().ends(turn, over)


class Tournament(DraftGame[TournamentState]):
    """The rulebook's own duplicate format: a Latin square of hands and seats."""

    id: ClassVar[str] = "tournament"
    aliases: ClassVar[tuple[str, ...]] = ("turnier",)
    seat_range: ClassVar[tuple[int, int]] = (2, 5)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = ()
    lessons: ClassVar[Lessons] = TournamentLessons()
    events: ClassVar[tuple[type, ...]] = (*DraftGame.events, FullSheet)
    view_type: ClassVar[type] = TournamentView
    is_duplicate: ClassVar[bool] = True
    state_type = TournamentState

    def begin(self, state: TournamentState, cards: Sequence[int]) -> list[Event]:
        """Begin with the draft; in later deals, repeat its hands, each moved on to the left."""
        if not state.drafted:
            state.sheet = [[None] * self.seats for _ in range(self.seats)]
            return super().begin(state, cards)
        hands = [state.drafted[self._drafter(state.deal, seat)].copy() for seat in range(self.seats)]
        return self.lay_out(state, hands, [row.copy() for row in state.beginnings])

    def _drafter(self, deals: int, seat: int) -> int:
        """The seat that drafted the hand that `seat` holds after this many complete deals (A19)."""
        return (seat - deals) % self.seats

    def open_rows(self, state: TournamentState, rows: list[Row]) -> None:
        """Begin the first turn of a deal; after the draft, save its hands and rows for all deals."""
        if rows and not state.drafted:
            state.drafted = [hand.copy() for hand in state.hands]
            state.beginnings = [row.copy() for row in rows]
        super().open_rows(state, rows)

    def end_deal(self, state: TournamentState, events: list[Event]) -> None:
        """Enter the heads of this deal in the score sheet, and publish it once it is complete."""
        for seat, heads in enumerate(state.heads):
            state.sheet[self._drafter(state.deal - 1, seat)][seat] = heads
        super().end_deal(state, events)
        if state.pending is None:
            hands = [hand.copy() for hand in state.drafted]
            event: FullSheet = {"type": "sheet", "hands": hands, "heads": [line.copy() for line in state.sheet]}
            events.append(event)

    def over(self, state: TournamentState) -> bool:
        """Whether every seat has played every hand."""
        return state.deal == self.seats

    def public(self, state: TournamentState) -> TournamentView:
        """Add the drafted hands and the score sheet."""
        return {**super().public(state), "drafted": state.drafted, "sheet": state.sheet}

    def board(self, state: TournamentState) -> Board:
        """Like `DraftGame.board`; when the match is over, the score sheet instead of the hands."""
        board = super().board(state)
        if state.deal == self.seats and state.pending is None:
            heads = [[heads for heads in line if heads is not None] for line in state.sheet]
            return (*board, Sheet([hand.copy() for hand in state.drafted], heads))
        return board

    def stages(self, before: TournamentState, events: Sequence[Event]) -> Iterator[Stage]:
        """Like `RowGame.stages`; the score sheet comes last."""
        *others, last = events
        sheet = last["type"] == "sheet"
        yield from super().stages(before, others if sheet else events)
        if sheet:
            yield Changed("sheet")

    def planned_deals(self) -> int | None:
        """One deal for each seat."""
        return self.seats
