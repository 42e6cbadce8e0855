"""The draft: all cards lie open, the seats take them in turn, and the last four begin the rows. Hands are public."""

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict, TypeVar

from bullring.arena.games.rules.board import Board, OpenHands, Pool
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import Event, Key
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, rows_of
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import RowLessons
from bullring.arena.games.rules.row_reasons import RowReasons
from bullring.arena.games.rules.rows import RowGame, RowState, RowsView, short_deck
from bullring.arena.games.rules.sayings import Few, Seat
from bullring.arena.games.rules.stages import DealOver, Drafted

DRAFT = Decision(
    "draft",
    "one seat after the other",
    "the cards that are left, ascending",
    "The lowest card.",
    begins_move=True,
    shows=str,
)


class Draft(TypedDict):
    """A seat drafts a card."""

    type: Literal["draft"]
    seat: Annotated[int, Key("integer", "The seat that takes it.")]
    card: Annotated[int, Key("card", "The card.")]


class DraftRows(TypedDict):
    """The draft is over."""

    type: Literal["rows"]
    rows: Annotated[list[list[int]], Key("4 lists of cards", "The four rows.")]


class DraftView(RowsView):
    """The public view of a game with a draft."""

    pool: Annotated[list[int], Key("list of cards", "The cards left to draft, ascending. Empty after the draft.")]
    hands: Annotated[list[list[int]], Key("by seat, lists of cards", "All hands.")]


@dataclass(slots=True)
class DraftState(RowState):
    """A position in or after a draft."""

    pool: list[int] = field(default_factory=list)
    """The cards left to draft, ascending; empty after the draft."""

    def copy(self) -> Self:
        new = RowState.copy(self)
        new.pool = self.pool.copy()
        return new


S = TypeVar("S", bound=DraftState)


class DraftLessons(RowLessons):
    """Hands are taken from open cards, all of which are in play."""

    counting = True

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the first cards that are taken."""
        for seen in turn.stages:
            if isinstance(seen.stage, Drafted):
                values = {"name": Seat(seen.stage.seat), "card": seen.stage.card, "hand": turn.game.hand_size}
                yield Lesson("draft", 40, values, once=True)
                yield Lesson("secret", 39, values, once=True)
        yield from super().moves(turn)

    def begins(self, turn: Turn, after: DealOver | None) -> Iterator[Lesson]:
        """Yield that the rows begin with the cards that are left."""
        if any(isinstance(seen.stage, Drafted) for seen in turn.stages):
            yield Lesson("rest", 65, {"cards": tuple(row[0] for row in rows_of(turn.board))})


class DraftReasons(RowReasons):
    """No hand is hidden, the highest card is a good pick, and cards that are near each other go to the same row."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Add the highest card that is left, and the distance to the nearest card of the hand."""
        if kind == "draft":
            higher = sum(card > option for card in view["pool"])
            yield Reason("higher", {"count": Few(higher)}) if higher else Reason("highest", {"card": option})
            if view["hand"]:
                near = min(view["hand"], key=lambda card: abs(card - option))
                yield Reason("near", {"step": Few(abs(near - option)), "near": near})
        yield from super().of(game, view, kind, option)


class DraftGame(RowGame[S]):
    """A game of four rows whose hands are drafted. Nothing is left to chance."""

    family: ClassVar[str] = "draft"
    lessons: ClassVar[Lessons] = DraftLessons()
    reasons: ClassVar[Reasons] = DraftReasons()
    decisions: ClassVar[tuple[Decision, ...]] = (DRAFT, *RowGame.decisions)
    events: ClassVar[tuple[type, ...]] = (Draft, DraftRows, *RowGame.events)
    view_type: ClassVar[type] = DraftView
    course: ClassVar[str] = f"if there is a draft, `draft` for each card, then `rows`; then {RowGame.course}"

    def deck(self) -> tuple[int, ...]:
        return short_deck(self.seats)

    def dealt(self) -> int:
        """Zero: a deal begins with all cards open."""
        return 0

    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """Lay out all cards and ask the starting seat for the first pick."""
        events = self.lay_out(state, [[] for _ in range(self.seats)], [])
        state.turn = 0
        state.pool = list(self.shuffle.deck)
        self._offer(state, self.start)
        return events

    def _offer(self, state: S, seat: int) -> None:
        state.pending = Batch("draft", (seat,), (tuple(state.pool),))

    def on_draft(self, state: S, card: int) -> list[Event]:
        """Add the card to its hand; when four are left, they begin the rows, ascending from the top (A17)."""
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
        """Like `RowGame.cost`; drafting a card takes nothing."""
        return 0 if kind == "draft" else super().cost(state, kind, option)

    def public(self, state: S) -> DraftView:
        """Add the cards left to draft and all hands."""
        return {**super().public(state), "pool": state.pool, "hands": state.hands}

    def board(self, state: S) -> Board:
        """The cards left to draft, the rows and all hands."""
        hands = [OpenHands("holds", [hand.copy() for hand in state.hands])] if any(state.hands) else []
        return (*([Pool(state.pool.copy())] if state.pool else ()), *super().board(state), *hands)

    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """A copy of `state`, in which nothing is hidden."""
        return state.copy()
