"""The draft: all cards lie open, the seats take them one by one, and what is left begins the rows. Hands are public."""

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, Self, TypedDict, TypeVar

from bullring.arena.rules.board import Board, OpenHands, Pool
from bullring.arena.rules.decision import Decision
from bullring.arena.rules.events import Event, Key
from bullring.arena.rules.game import Batch, Option
from bullring.arena.rules.rows import RowGame, RowState, RowsView, short_deck

DRAFT = Decision(
    "draft",
    "one seat after the other",
    "the cards that are left, ascending",
    "The lowest card.",
    told="drafts {}".format,
    waits="drafts",
    purpose="draft",
    begins_move=True,
    shows=str,
)


class Draft(TypedDict):
    """A card was taken in a draft."""

    type: Literal["draft"]
    seat: Annotated[int, Key("integer", "By whom.")]
    card: Annotated[int, Key("card", "Which one.")]


class DraftRows(TypedDict):
    """A draft is over."""

    type: Literal["rows"]
    rows: Annotated[list[list[int]], Key("4 lists of cards", "The four rows.")]


class DraftView(RowsView):
    """What all seats see in a game with a draft."""

    pool: Annotated[
        list[int], Key("list of cards", "The cards that are left to draft, ascending. Empty after the draft.")
    ]
    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "All hands.")]


@dataclass(slots=True)
class DraftState(RowState):
    """A position in or after a draft."""

    pool: list[int] = field(default_factory=list)
    """The cards that nobody has taken yet, ascending; empty after the draft."""

    def copy(self) -> Self:
        """A state that shares nothing that may change."""
        new = RowState.copy(self)
        new.pool = self.pool.copy()
        return new


S = TypeVar("S", bound=DraftState)


class DraftGame(RowGame[S]):
    """A game of four rows whose hands are drafted. Nothing in it is left to chance."""

    decisions: ClassVar[tuple[Decision, ...]] = (DRAFT, *RowGame.decisions)
    events: ClassVar[tuple[type, ...]] = (Draft, DraftRows, *RowGame.events)
    view_type: ClassVar[type] = DraftView
    course: ClassVar[str] = f"`draft` for each card and `rows`, if there is a draft; then {RowGame.course}"

    def deck(self) -> tuple[int, ...]:
        """As many cards as are needed."""
        return short_deck(self.seats)

    def dealt(self) -> int:
        """None: a deal begins with all cards open."""
        return 0

    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """All cards lie open, and the starting seat takes the first."""
        events = self.lay_out(state, [[] for _ in range(self.seats)], [])
        state.turn = 0
        state.pool = list(self.shuffle.deck)
        self._offer(state, self.start)
        return events

    def _offer(self, state: S, seat: int) -> None:
        state.pending = Batch("draft", (seat,), (tuple(state.pool),))

    def on_draft(self, state: S, card: int) -> list[Event]:
        """A card goes to a hand; the last four begin the rows, ascending from the top (A17)."""
        assert isinstance(state.pending, Batch)
        (seat,) = state.pending.seats
        state.pool.remove(card)
        insort(state.hands[seat], card)
        drafted: Draft = {"type": "draft", "seat": seat, "card": card}
        events: list[Event] = [drafted]
        if len(state.pool) > 4:
            self._offer(state, (seat + 1) % self.seats)  # the same direction in every lap (A16)
        else:
            rows: DraftRows = {"type": "rows", "rows": [[left] for left in state.pool]}
            events.append(rows)
            self.open_rows(state, [[left] for left in state.pool])
            state.pool = []
        return events

    def cost(self, state: S, kind: str, option: Option) -> int:
        """As in all games of four rows; a card that is drafted takes nothing."""
        return 0 if kind == "draft" else super().cost(state, kind, option)

    def public(self, state: S) -> DraftView:
        """As in all games of four rows, with the cards that are left to draft and all hands."""
        return {**super().public(state), "pool": state.pool, "hands": state.hands}

    def board(self, state: S) -> Board:
        """The cards that are left to draft, the rows, and all hands."""
        hands = [OpenHands("holds", [hand.copy() for hand in state.hands])] if any(state.hands) else []
        return (*([Pool(state.pool.copy())] if state.pool else ()), *super().board(state), *hands)

    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """The same state: nothing in it is hidden."""
        return state.copy()
