"""The draft: all cards lie open, the seats take them one by one, and what is left begins the rows. Hands are public."""

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar

from arena.rules.game import Batch, Event, Option
from arena.rules.rows import RowGame, RowState, short_deck


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

    decisions: ClassVar[tuple[str, ...]] = ("draft", "card", "row")

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
        events: list[Event] = [{"type": "draft", "seat": seat, "card": card}]
        if len(state.pool) > 4:
            self._offer(state, (seat + 1) % self.seats)  # the same direction in every lap (A16)
        else:
            events.append({"type": "rows", "rows": [[left] for left in state.pool]})
            self.open_rows(state, [[left] for left in state.pool])
            state.pool = []
        return events

    def cost(self, state: S, kind: str, option: Option) -> int:
        """As in all games of four rows; a card that is drafted takes nothing."""
        return 0 if kind == "draft" else super().cost(state, kind, option)

    def public(self, state: S) -> dict[str, Any]:
        """As in all games of four rows, with the cards that are left to draft and all hands."""
        return {**super().public(state), "pool": state.pool, "hands": state.hands}

    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """The same state: nothing in it is hidden."""
        return state.copy()
