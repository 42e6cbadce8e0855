"""The tournament: every hand is played once by everybody.

========== ==========================================================================================
seats      2-5, as many as the score sheet has lines
deck       1..10n+4 for n seats, all of them open; nothing is dealt
deal       the first one begins with a draft as in logic; the others repeat its hands and rows (A18), with
           every hand at the left neighbour of the seat that had it before (A19)
decisions  draft (one seat after the other), card (all seats, hidden), row
options    none
end        after n deals for n seats; ties share the place
source     jubilee rulebook, variant 3, with its score sheet
rulings    A16-A19
========== ==========================================================================================
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, Self, TypedDict

from bullring.arena.rules.board import Board, Sheet
from bullring.arena.rules.draft import DraftGame, DraftState, DraftView
from bullring.arena.rules.events import Event, Key
from bullring.arena.rules.options import OptionSpec
from bullring.arena.rules.table import Row
from bullring.arena.rules.wording import tournament as wording
from bullring.arena.rules.wording.text import Rules, Text


@dataclass(slots=True)
class TournamentState(DraftState):
    """A position of a tournament."""

    drafted: list[list[int]] = field(default_factory=list)
    """By seat, the hand that it drafted; empty until the draft is over."""
    beginnings: list[Row] = field(default_factory=list)
    """The rows with which every deal begins."""
    sheet: list[list[int | None]] = field(default_factory=list)
    """The score sheet: of each drafted hand, what each seat took with it, as far as it has played it."""

    def copy(self) -> Self:
        """A state that shares nothing that may change."""
        new = DraftState.copy(self)
        new.drafted = [hand.copy() for hand in self.drafted]
        new.beginnings = [row.copy() for row in self.beginnings]
        new.sheet = [line.copy() for line in self.sheet]
        return new


class FullSheet(TypedDict):
    """The match is over: the whole score sheet."""

    type: Literal["sheet"]
    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "The hand that each seat drafted.")]
    heads: Annotated[
        list[list[int | None]],
        Key("by the same seat, lists of integers", "By seat, the heads taken with that hand."),
    ]


class TournamentView(DraftView):
    """What all seats see in a tournament."""

    drafted: Annotated[
        list[list[int]], Key("by seat, lists of cards", "The hand that each seat drafted. Empty in the draft.")
    ]
    sheet: Annotated[
        list[list[int | None]],
        Key(
            "by seat, lists of integers",
            "Of each drafted hand, by the seat that drafted it: by seat, the heads each one took with it; `null` where it is"
            " still to be played.",
        ),
    ]


class Tournament(DraftGame[TournamentState]):
    """The rulebook's own duplicate format: a Latin square of hands and seats."""

    id: ClassVar[str] = "tournament"
    title: ClassVar[Text] = Text("Tournament (Turnier)", "6 nimmt! Turnier")
    aliases: ClassVar[tuple[str, ...]] = ("turnier",)
    seat_range: ClassVar[tuple[int, int]] = (2, 5)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = ()
    summary: ClassVar[str] = (
        "One draft as in logic, then a deal for each seat, until every hand was played by everybody."
    )
    source: ClassVar[Text] = Text("jubilee rulebook, variant 3", "Anleitung der Jubiläumsausgabe, Variante 3")
    rules: ClassVar[Rules] = wording.RULES
    for_bots: ClassVar[str] = wording.FOR_BOTS
    events: ClassVar[tuple[type, ...]] = (*DraftGame.events, FullSheet)
    view_type: ClassVar[type] = TournamentView
    is_duplicate: ClassVar[bool] = True
    state_type = TournamentState

    def begin(self, state: TournamentState, cards: Sequence[int]) -> list[Event]:
        """The draft, and later the same cards again, each hand moved on to the left."""
        if not state.drafted:
            state.sheet = [[None] * self.seats for _ in range(self.seats)]
            return super().begin(state, cards)
        hands = [state.drafted[self._drafter(state.deal, seat)].copy() for seat in range(self.seats)]
        return self.lay_out(state, hands, [row.copy() for row in state.beginnings])

    def _drafter(self, deals: int, seat: int) -> int:
        """Who drafted what `seat` holds after so many whole deals (A19)."""
        return (seat - deals) % self.seats

    def open_rows(self, state: TournamentState, rows: list[Row]) -> None:
        """The first turn of a deal; what the draft has made is kept for all deals."""
        if rows and not state.drafted:
            state.drafted = [hand.copy() for hand in state.hands]
            state.beginnings = [row.copy() for row in rows]
        super().open_rows(state, rows)

    def end_deal(self, state: TournamentState, events: list[Event]) -> None:
        """What everybody took goes into the sheet, which is shown when it is full."""
        for seat, heads in enumerate(state.heads):
            state.sheet[self._drafter(state.deal - 1, seat)][seat] = heads
        super().end_deal(state, events)
        if state.pending is None:
            hands = [hand.copy() for hand in state.drafted]
            event: FullSheet = {"type": "sheet", "hands": hands, "heads": [line.copy() for line in state.sheet]}
            events.append(event)

    def over(self, state: TournamentState) -> bool:
        """Every hand was played by everybody."""
        return state.deal == self.seats

    def public(self, state: TournamentState) -> TournamentView:
        """As in a draft, with the score sheet."""
        return {**super().public(state), "drafted": state.drafted, "sheet": state.sheet}

    def board(self, state: TournamentState) -> Board:
        """As in a draft; when all is over, the score sheet instead of the hands."""
        board = super().board(state)
        if state.deal == self.seats and state.pending is None:
            heads = [[heads for heads in line if heads is not None] for line in state.sheet]
            return (*board, Sheet([hand.copy() for hand in state.drafted], heads))
        return board

    def planned_deals(self) -> int | None:
        """One for each seat."""
        return self.seats
