"""The double variant: two decks, and equal cards lie on top of each other.

========== ==========================================================================================
seats      2-10
deck       1..104 twice; with the option doublets once, and 11, 22, ... 99 a second time (A45); ten cards to each hand,
           then cards are turned up until four rows begin with different ones, equal ones upon each other (A44)
rows       equal cards beside each other are one position: a row is full with five positions, heads count cards
decisions  card (all seats, hidden), row
options    as the standard game; doublets
end        as the standard game
source     jubilee rulebook, variant 8
rulings    A38 (a card upon its twin at an end takes nothing), A39 (equal cards of a turn are placed together), A40 (who
           chooses their row), A41, A42 (they share its heads, halves rounded up), A43-A45
========== ==========================================================================================
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self

from bullring.arena.rules.cards import HIGHEST
from bullring.arena.rules.events import Event, Key, Placement, Play
from bullring.arena.rules.figures import Figure
from bullring.arena.rules.game import Batch
from bullring.arena.rules.options import OptionSpec
from bullring.arena.rules.rows import MATCH_END, RowGame, RowState, RowsView
from bullring.arena.rules.table import ROW_LIMIT, Row, target_row
from bullring.arena.rules.wording import double as wording
from bullring.arena.rules.wording.text import Rules, Text

MOST_TURNED = 7
"""Cards that may have to be turned up until four are different: three pairs and one."""


@dataclass(slots=True)
class DoubleState(RowState):
    """A position of the double game."""

    shared: list[tuple[int, int, list[int]]] = field(default_factory=list)
    """The rows of this deal that two seats have taken together: both seats, and the cards."""

    def copy(self) -> Self:
        """A state that shares nothing that may change."""
        new = RowState.copy(self)
        new.shared = [(one, other, cards.copy()) for one, other, cards in self.shared]
        return new


class DoubleView(RowsView):
    """What all seats see in the double game."""

    shared: Annotated[
        list[tuple[int, int, list[int]]],
        Key(
            "list of [seat, seat, cards]",
            "The rows that two seats took together in this deal. They are in nobody's pile.",
        ),
    ]


class Double(RowGame[DoubleState]):
    """Nearly every card is there twice."""

    id: ClassVar[str] = "double"
    title: ClassVar[Text] = Text("Double (Doppel)", "6 nimmt! Doppel")
    aliases: ClassVar[tuple[str, ...]] = ("doppel",)
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        *MATCH_END,
        OptionSpec(
            "doublets",
            False,
            Text(
                "play with one deck and only the doublets 11, 22, ... 99 of a second one",
                "mit einem Kartendeck spielen, in dem nur die Paschzahlen {doublets_cards} zweimal vorkommen",
            ),
        ),
    )
    summary: ClassVar[str] = "The standard game with two decks: equal cards lie on each other and count as one."
    source: ClassVar[Text] = Text("jubilee rulebook, variant 8", "Anleitung der Jubiläumsausgabe, Variante 8")
    rules: ClassVar[Rules] = wording.RULES
    for_bots: ClassVar[str] = wording.FOR_BOTS
    view_type: ClassVar[type] = DoubleView
    state_type = DoubleState

    def deck(self) -> tuple[int, ...]:
        """Two decks, or one and a few."""
        step = 11 if self.options["doublets"] else 1
        return (*range(1, HIGHEST + 1), *range(step, 100 if step == 11 else HIGHEST + 1, step))

    def dealt(self) -> int:
        """The hands, and as many cards as may have to be turned up."""
        return self.hand_size * self.seats + MOST_TURNED

    def lay_out(self, state: DoubleState, hands: list[list[int]], rows: list[Row]) -> list[Event]:
        """A deal begins; `rows` are the cards that may be turned up, one in each."""
        turned: dict[int, Row] = {}
        for (card,) in rows:
            if len(turned) < 4:
                turned.setdefault(card, []).append(card)
        state.shared = []
        return super().lay_out(state, hands, list(turned.values()))

    def ask(self, state: DoubleState) -> None:
        """Every seat for a card of its hand; of two equal ones either is meant."""
        options = tuple([tuple(dict.fromkeys(hand)) for hand in state.hands])
        state.pending = Batch("card", self._seats, options)

    def on_card(self, state: DoubleState, *cards: int) -> list[Event]:
        """All cards are shown and placed, the lowest first; of owners of equal ones, who comes first from the left (A40)."""
        for hand, card in zip(state.hands, cards, strict=True):
            hand.remove(card)
        order = [(state.turn - 1 + at) % self.seats for at in range(self.seats)]
        state.queue = sorted([(cards[seat], seat) for seat in order], key=lambda played: played[0])
        event: Play = {"type": "play", "turn": state.turn, "cards": list(cards)}
        return self.resolve(state, [event], [])

    def targets(self, state: DoubleState, card: int) -> Sequence[int]:
        """Upon its twin at the end of a row, or else as ever."""
        twins = [index for index, row in enumerate(state.rows) if row[-1] == card]
        target = twins[0] if twins else target_row(state.rows, card)
        return () if target < 0 else (target,)

    def full(self, state: DoubleState, target: int, card: int) -> bool:
        """Positions count, and a card upon its twin takes nothing (A38)."""
        row = state.rows[target]
        return row[-1] != card and len(set(row)) == ROW_LIMIT

    def settle(self, state: DoubleState, target: int, *, takes: bool) -> list[Placement]:
        """The first card of the queue, or the first two if they are equal, go to a row or take it together."""
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
        """As in all games of four rows, with the rows that were shared."""
        return *super().open_cards(state), *(cards for _, _, cards in state.shared)

    def public(self, state: DoubleState) -> DoubleView:
        """As in all games of four rows, with the rows that were shared."""
        return {**super().public(state), "shared": state.shared}

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """With the most cards that can lie in a row."""
        return {**super().figures(), "most_in_row": 2 * ROW_LIMIT}
