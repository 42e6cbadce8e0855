"""The standard game.

========== ==========================================================================================
seats      2-10
deck       1..104, shuffled for each deal: ten cards to each hand in seat order, then four to begin the rows
decisions  card (all seats, hidden), row (the owner of a card lower than every end)
options    target 66 with target_rule over|reach, or a number of deals
end        after a deal: when a total exceeds the target (A01, A02), or when all deals are played; ties share the place (A03)
source     1994 rulebook; jubilee rulebook, base game
rulings    A01-A14: in the options, and in the comments below
========== ==========================================================================================
"""

from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from bullring.arena.games.rules.cards import HEADS
from bullring.arena.games.rules.errors import IllegalAnswer
from bullring.arena.games.rules.events import Event, Place, Placement, Play
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.rows import RowGame, RowState
from bullring.arena.games.rules.table import ROW_LIMIT, ROWS


class Standard(RowGame[RowState]):
    """6 nimmt! as in the 1994 rulebook.

    A turn is that of `RowGame`, written out for speed. It is also simpler: only the lowest card can fit nowhere, because once
    placed it is a row end below all the others.
    """

    id: ClassVar[str] = "standard"
    aliases: ClassVar[tuple[str, ...]] = ("6-nimmt", "take-6", "base")
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    state_type = RowState

    def __init__(self, seats: int, options: Mapping[str, object] | None = None, start: int = 0) -> None:
        super().__init__(seats, options, start)
        self._row_batches = tuple([Batch("row", (seat,), (ROWS,)) for seat in self._seats])

    def advance(self, state: RowState, answers: Sequence[Option]) -> list[Event]:
        """Apply a card from every seat, or the row chosen by the owner of a low card."""
        pending = state.pending
        if pending is not state.cards or pending is None or len(answers) != self.seats:
            if state.queue and len(answers) == 1 and answers[0] in ROWS:
                return self.on_row(state, answers[0])
            return super().advance(state, answers)
        cards: Any = [*answers]  # anything that is not a card is not found in the hand
        seat = 0
        try:
            for hand in state.hands:
                hand.remove(cards[seat])
                seat += 1
        except ValueError:
            for other in range(seat):
                insort(state.hands[other], cards[other])
            raise IllegalAnswer(f"seat {seat} must answer card with one of {hand}, not {cards[seat]!r}") from None
        queue = sorted(zip(cards, self._seats))  # noqa: B905  # the lengths are equal, and strict=True is slower
        low, _ = queue[0]
        r0, r1, r2, r3 = state.rows
        event: Play = {"type": "play", "turn": state.turn, "cards": cards}
        events: list[Event] = [event]
        if low < r0[-1] and low < r1[-1] and low < r2[-1] and low < r3[-1]:
            state.queue = queue
            return self.low_card(state, events)
        return self._place(state, events, queue, [])

    def low_card(self, state: RowState, events: list[Event]) -> list[Event]:
        """Ask the owner of the lowest card, which fits nowhere, for a row."""
        state.pending = self._row_batches[state.queue[0][1]]
        return events

    def on_row(self, state: RowState, row: int) -> list[Event]:
        """Let the first card of the queue take a row, and place the others, which all fit somewhere."""
        queue, state.queue = state.queue, []
        card, seat = queue.pop(0)
        return self._place(state, [], queue, [(seat, card, row, self.take(state, card, seat, row - 1))])

    def _place(
        self, state: RowState, events: list[Event], queue: list[tuple[int, int]], placed: list[Placement]
    ) -> list[Event]:
        """Place the cards of `queue`, all of which fit somewhere."""
        rows, row_heads = state.rows, state.row_heads
        r0, r1, r2, r3 = rows
        ends = [r0[-1], r1[-1], r2[-1], r3[-1]]
        place = placed.append
        for card, seat in queue:
            # To the highest end below the card (rule 2); unrolled because this is the innermost loop.
            e0, e1, e2, e3 = ends
            best = 0
            if e0 < card:
                best, target = e0, 0
            if best < e1 < card:
                best, target = e1, 1
            if best < e2 < card:
                best, target = e2, 2
            if best < e3 < card:
                target = 3
            row = rows[target]
            if len(row) < ROW_LIMIT:
                row.append(card)
                row_heads[target] += HEADS[card]
                place((seat, card, target + 1, 0))
            else:
                place((seat, card, target + 1, self.take(state, card, seat, target)))
            ends[target] = card
        event: Place = {"type": "place", "placed": placed}
        events.append(event)
        if state.hands[0]:
            state.turn += 1
            state.pending = state.cards
        else:
            self.end_deal(state, events)
        return events
