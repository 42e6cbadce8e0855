"""The double variant: two decks, with equal cards stacked on each other.

========== ==========================================================================================
seats      2-10
deck       1..104 twice; with the option doublets, 1..104 once plus a second 11, 22, ... 99 (A45). Ten cards to each hand, then
           cards are turned up until four rows begin with different cards; equal ones share a row (A44)
rows       equal neighbours are one position: a row is full with five positions; heads count every card. A row stays a flat
           list, so that rows look alike in all games
decisions  card (all seats, hidden), row
options    as in the standard game; doublets
end        as in the standard game
source     jubilee rulebook, variant 8
rulings    A38 (a card put on its twin at the end of a row takes nothing), A39 (equal cards in a turn are placed together),
           A40 (who chooses their row), A41, A42 (their owners share its heads, halves rounded up), A43-A45
========== ==========================================================================================
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self

from bullring.arena.games.rules.cards import HIGHEST
from bullring.arena.games.rules.events import Event, Key, Placement, Play
from bullring.arena.games.rules.figures import Figure
from bullring.arena.games.rules.game import Batch
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import Move, RowLessons
from bullring.arena.games.rules.row_reasons import RowReasons, Sight
from bullring.arena.games.rules.rows import MATCH_END, RowGame, RowState, RowsView
from bullring.arena.games.rules.sayings import Seat
from bullring.arena.games.rules.table import ROW_LIMIT, Row, target_row

MOST_TURNED = 7
"""The most cards that may have to be turned up before four are different: three pairs and one."""


@dataclass(slots=True)
class DoubleState(RowState):
    """A position of the double game."""

    shared: list[tuple[int, int, list[int]]] = field(default_factory=list)
    """The rows that two seats took together in this deal, as (seat, seat, cards)."""

    def copy(self) -> Self:
        new = RowState.copy(self)
        new.shared = [(one, other, cards.copy()) for one, other, cards in self.shared]
        return new


class DoubleView(RowsView):
    """The public view of the double game."""

    shared: Annotated[
        list[tuple[int, int, list[int]]],
        Key(
            "list of [seat, seat, cards]",
            "The rows that two seats took together in this deal. They are not in any pile.",
        ),
    ]


class DoubleLessons(RowLessons):
    """Equal cards share a place, and their owners a row."""

    def positions(self, row: Sequence[int]) -> int:
        """Count a place for twins once."""
        return len(set(row))

    def placed(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Take twins that were played in one turn for one move."""
        move = moves[at]
        if any(other.card == move.card for other in moves[:at]):
            return
        twin = next((other for other in moves[at + 1 :] if other.card == move.card), None)
        if twin is None:
            yield from super().placed(turn, moves, at)
            return
        values = move.values(other=Seat(twin.seat))
        if move.took:
            yield Lesson("shared", 97, values, "shared_low" if self.nowhere(move) else "shared")
        else:
            yield Lesson("together", 82, values)

    def full(self, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Add that places count, not cards."""
        if len(moves[at].row) == ROW_LIMIT:
            yield from super().full(moves, at)
        else:
            yield Lesson("places", 92, moves[at].values())

    def fits(self, turn: Turn, moves: Sequence[Move], at: int) -> Iterator[Lesson]:
        """Add twins that go on top of their equal."""
        move = moves[at]
        if move.row[-1] == move.card:
            full = self.positions(move.row) == ROW_LIMIT
            yield Lesson("twin", 93 if full else 80, move.values(), "twin_full" if full else "twin")
        else:
            yield from super().fits(turn, moves, at)


class DoubleReasons(RowReasons):
    """Equal cards share a place."""

    def positions(self, row: Row) -> int:
        """Count a place for twins once."""
        return len(set(row))

    def place(self, sight: Sight, rows: list[Row], card: int) -> int:
        """Place a card; a twin goes to its equal."""
        twins = [row for row in rows if row[-1] == card]
        for row in twins:
            row.append(card)
        return 0 if twins else super().place(sight, rows, card)

    def card(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield that a card shares the place of its twin at the end of a row."""
        ends = [row[-1] for row in sight.rows]
        if card in ends:
            yield Reason("twin", {"card": card, "place": 1 + ends.index(card)})
        else:
            yield from super().card(sight, card)


class Double(RowGame[DoubleState]):
    """The double variant: most cards exist twice."""

    id: ClassVar[str] = "double"
    aliases: ClassVar[tuple[str, ...]] = ("doppel",)
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        *MATCH_END,
        OptionSpec(
            "doublets",
            False,
        ),
    )
    lessons: ClassVar[Lessons] = DoubleLessons()
    reasons: ClassVar[Reasons] = DoubleReasons()
    view_type: ClassVar[type] = DoubleView
    state_type = DoubleState

    def deck(self) -> tuple[int, ...]:
        """Two decks, or one deck and the doublets."""
        step = 11 if self.options["doublets"] else 1
        return (*range(1, HIGHEST + 1), *range(step, 100 if step == 11 else HIGHEST + 1, step))

    def dealt(self) -> int:
        """The size of all hands, and the most cards that may have to be turned up."""
        return self.hand_size * self.seats + MOST_TURNED

    def lay_out(self, state: DoubleState, hands: list[list[int]], rows: list[Row]) -> list[Event]:
        """Begin a deal; `rows` holds the cards that may be turned up, one in each."""
        turned: dict[int, Row] = {}
        for (card,) in rows:
            if len(turned) < 4:
                turned.setdefault(card, []).append(card)
        state.shared = []
        return super().lay_out(state, hands, list(turned.values()))

    def ask(self, state: DoubleState) -> None:
        """Ask every seat for a card from its hand; equal cards are one option."""
        options = tuple([tuple(dict.fromkeys(hand)) for hand in state.hands])
        state.pending = Batch("card", self._seats, options)

    def on_card(self, state: DoubleState, *cards: int) -> list[Event]:
        """Show all cards and place them, the lowest first. Equal cards are ordered by seat, clockwise from seat turn - 1 (A40)."""
        for hand, card in zip(state.hands, cards, strict=True):
            hand.remove(card)
        order = [(state.turn - 1 + at) % self.seats for at in range(self.seats)]
        state.queue = sorted([(cards[seat], seat) for seat in order], key=lambda played: played[0])
        event: Play = {"type": "play", "turn": state.turn, "cards": list(cards)}
        return self.resolve(state, [event], [])

    def targets(self, state: DoubleState, card: int) -> Sequence[int]:
        """The row that ends with its twin, or else as in `standard`."""
        twins = [index for index, row in enumerate(state.rows) if row[-1] == card]
        target = twins[0] if twins else target_row(state.rows, card)
        return () if target < 0 else (target,)

    def full(self, state: DoubleState, target: int, card: int) -> bool:
        """Count positions, not cards. A card put on its twin takes nothing (A38)."""
        row = state.rows[target]
        return row[-1] != card and len(set(row)) == ROW_LIMIT

    def settle(self, state: DoubleState, target: int, *, takes: bool) -> list[Placement]:
        """Put the first card of the queue, or the first two if equal, in row `target`, or let them take it."""
        card, seat = state.queue[0]
        if len(state.queue) == 1 or state.queue[1][0] != card:
            return super().settle(state, target, takes=takes)
        _, other = state.queue[1]
        del state.queue[:2]
        share = 0
        if takes:
            share = (state.row_heads[target] + 1) // 2  # A42
            for owner in (seat, other):
                state.heads[owner] += share
                state.scores[owner] += share
            state.shared.append((seat, other, state.rows[target]))
            state.rows[target] = []
            state.row_heads[target] = 0
        self.extend(state, card, target)
        self.extend(state, card, target)
        return [(seat, card, target + 1, share), (other, card, target + 1, share)]

    def open_cards(self, state: DoubleState) -> Iterable[Sequence[int]]:
        """Add the rows that were shared."""
        return *super().open_cards(state), *(cards for _, _, cards in state.shared)

    def public(self, state: DoubleState) -> DoubleView:
        """Add the rows that were shared."""
        return {**super().public(state), "shared": state.shared}

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """Add the largest number of cards in a row."""
        return {**super().figures(), "most_in_row": 2 * ROW_LIMIT}
