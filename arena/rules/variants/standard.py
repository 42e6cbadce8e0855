"""The standard game.

========== ==========================================================================================
seats      2-10
deck       1..104, shuffled for each deal; ten cards to each hand in seat order, then the four starting rows
decisions  card (all seats, hidden), row (the owner of a card lower than every end)
options    target 66 with target_rule over|reach, or a number of deals
end        between deals: a total over the target (A01, A02), or the deals are played; ties share the place (A03)
source     1994 rulebook; jubilee rulebook, base game
rulings    A01-A14: in the options, and in the comments below
========== ==========================================================================================
"""

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from arena.rules.cards import HEADS, HIGHEST
from arena.rules.game import Batch, Event, Game, IllegalAnswer, Option, Shuffle
from arena.rules.options import OptionSpec
from arena.rules.table import ROW_LIMIT, Row, cheapest_row, lone_cost

HAND = 10
"""Cards in a hand, and turns in a deal."""

ROWS = (1, 2, 3, 4)
"""The options of a row decision, top to bottom."""


@dataclass(slots=True)
class RowState:
    """A position of a game of four rows."""

    pending: Batch | Shuffle | None
    deal: int
    turn: int
    scores: list[int]
    hands: list[list[int]]
    """By seat, ascending."""
    piles: list[list[int]]
    """By seat, the cards taken in this deal, in the order they were taken."""
    heads: list[int]
    """By seat, in this deal; `scores` has them, too."""
    rows: list[Row] = field(default_factory=list)
    row_heads: list[int] = field(default_factory=list)
    """The heads that lie in each row."""
    queue: list[tuple[int, int]] = field(default_factory=list)
    """Revealed cards that still wait for their place, as (card, seat), ascending."""
    cards: Batch | None = None
    """The decision that asks every seat for a card of its hand; its options are the hands themselves."""

    def copy(self) -> "RowState":
        """A state that shares nothing that may change."""
        hands = [hand.copy() for hand in self.hands]
        cards = self.cards and Batch("card", self.cards.seats, hands)
        return RowState(
            cards if self.pending is self.cards else self.pending,
            self.deal,
            self.turn,
            self.scores.copy(),
            hands,
            [pile.copy() for pile in self.piles],
            self.heads.copy(),
            [row.copy() for row in self.rows],
            self.row_heads.copy(),
            self.queue.copy(),
            cards,
        )


class Standard(Game[RowState]):
    """6 nimmt! as in the 1994 rulebook."""

    id: ClassVar[str] = "standard"
    title: ClassVar[str] = "6 nimmt! / Take 6!"
    aliases: ClassVar[tuple[str, ...]] = ("6-nimmt", "take-6", "base")
    seat_range: ClassVar[tuple[int, int]] = (2, 10)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        OptionSpec("target", 66, "the match ends after the deal in which a total passes this many heads"),
        OptionSpec(
            "target_rule", "over", "whether the target must be passed or only reached", choices=("over", "reach")
        ),
        OptionSpec("deals", None, "play exactly this many deals instead of to a target", maximum=1000),
    )
    summary: ClassVar[str] = (
        "Ten hidden cards each, four rows; whoever lays the sixth card of a row takes the other five."
    )
    source: ClassVar[str] = "1994 rulebook; jubilee rulebook, base game"
    decisions: ClassVar[tuple[str, ...]] = ("card", "row")
    asks_for_rows: ClassVar[bool] = True
    """Whether the owner of a low card chooses its row; otherwise it takes the cheapest, the topmost of equals."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None, start: int = 0) -> None:
        super().__init__(seats, options, start)
        self._seats = tuple(range(seats))
        deck = self.deck()
        self._cards = frozenset(deck)
        self._shuffle = Shuffle(deck, HAND * seats + 4)
        self._row_batches = tuple([Batch("row", (seat,), (ROWS,)) for seat in self._seats])

    def deck(self) -> tuple[int, ...]:
        """The cards shuffled for each deal, in their listed order."""
        return tuple(range(1, HIGHEST + 1))

    def over(self, deal: int, scores: Sequence[int]) -> bool:
        """Whether the match is over after deal number `deal` (asked only between deals, A02)."""
        deals = self.options["deals"]
        if isinstance(deals, int):
            return deal >= deals
        target = self.options["target"]
        assert isinstance(target, int)
        return max(scores) >= target + (self.options["target_rule"] == "over")

    def new(self) -> RowState:
        """The state before the first deal."""
        nothing: list[list[int]] = [[] for _ in self._seats]
        return RowState(self._shuffle, 0, 0, [0] * self.seats, nothing, nothing.copy(), [0] * self.seats)

    def advance_deal(self, state: RowState, cards: Sequence[int]) -> list[Event]:
        """Hands in seat order, then the rows from the top."""
        want = state.pending
        if not isinstance(want, Shuffle):
            raise IllegalAnswer("cards were dealt where none are wanted")
        if len(cards) != want.cards or len(self._cards.intersection(cards)) != want.cards:
            raise IllegalAnswer(f"a deal must be {want.cards} different cards of the deck")
        state.hands = hands = [sorted(cards[i : i + HAND]) for i in range(0, HAND * self.seats, HAND)]
        c0, c1, c2, c3 = cards[-4:]
        state.rows = [[c0], [c1], [c2], [c3]]
        state.row_heads = [HEADS[c0], HEADS[c1], HEADS[c2], HEADS[c3]]
        state.piles = [[] for _ in hands]
        state.heads = [0] * self.seats
        state.deal += 1
        state.turn = 1
        state.pending = state.cards = Batch("card", self._seats, hands)
        return [{"type": "deal", "deal": state.deal, "rows": [[c0], [c1], [c2], [c3]]}]

    def advance(self, state: RowState, answers: Sequence[Option]) -> list[Event]:
        """A card of every seat, or the row of the owner of a low card."""
        pending = state.pending
        if pending is state.cards and len(answers) == self.seats and pending is not None:
            return self._play(state, answers)
        if not isinstance(pending, Batch):
            raise IllegalAnswer("answers were given where none are wanted")
        if len(answers) != len(pending.seats):
            raise IllegalAnswer(f"{len(pending.seats)} answers are wanted, not {len(answers)}")
        row = answers[0]
        if row not in ROWS:
            raise IllegalAnswer(f"seat {pending.seats[0]} must take a row of 1..4, not {row!r}")
        return self._low_card(state, [], state.queue, ROWS.index(row))

    def _play(self, state: RowState, answers: Sequence[Option]) -> list[Event]:
        cards: Any = answers  # what is no card is not found in the hand
        seat = 0
        try:
            for hand in state.hands:
                hand.remove(cards[seat])
                seat += 1
        except ValueError:
            for other in range(seat):
                insort(state.hands[other], cards[other])
            raise IllegalAnswer(f"seat {seat} must play one of {hand}, not {cards[seat]!r}") from None
        queue = sorted(zip(cards, self._seats))  # noqa: B905  # both are as long, and strict=True is slower
        events: list[Event] = [{"type": "play", "turn": state.turn, "cards": list(cards)}]
        # Only the lowest card of a turn can fit nowhere: once it lies, it is an end below all the others.
        card, seat = queue[0]
        r0, r1, r2, r3 = state.rows
        if card < r0[-1] and card < r1[-1] and card < r2[-1] and card < r3[-1]:
            if not self.asks_for_rows:
                return self._low_card(state, events, queue, cheapest_row(state.row_heads))
            state.queue = queue
            state.pending = self._row_batches[seat]
            return events
        return self._place(state, events, queue, [])

    def _low_card(self, state: RowState, events: list[Event], queue: list[tuple[int, int]], chosen: int) -> list[Event]:
        """The first card of the queue takes the row with the index `chosen`, then the others are placed."""
        card, seat = queue.pop(0)
        state.queue = []
        return self._place(state, events, queue, [self._take(state, card, seat, chosen)])

    def _take(self, state: RowState, card: int, seat: int, target: int) -> tuple[int, int, int, int]:
        """`seat` takes a row and `card` begins it anew."""
        heads = state.row_heads[target]
        state.piles[seat] += state.rows[target]
        state.heads[seat] += heads
        state.scores[seat] += heads
        state.rows[target] = [card]
        state.row_heads[target] = HEADS[card]
        return seat, card, target + 1, heads

    def _place(
        self,
        state: RowState,
        events: list[Event],
        queue: list[tuple[int, int]],
        placed: list[tuple[int, int, int, int]],
    ) -> list[Event]:
        """Place the cards of the queue, all of which fit somewhere."""
        rows, row_heads = state.rows, state.row_heads
        r0, r1, r2, r3 = rows
        ends = [r0[-1], r1[-1], r2[-1], r3[-1]]
        place = placed.append
        for card, seat in queue:
            # To the highest end below the card (rule 2); written out, for this is the innermost step of all.
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
                place(self._take(state, card, seat, target))
            ends[target] = card
        events.append({"type": "place", "placed": placed})
        if state.hands[0]:
            state.turn += 1
            state.pending = state.cards
        else:
            self._end_deal(state, events)
        return events

    def _end_deal(self, state: RowState, events: list[Event]) -> None:
        state.pending = None if self.over(state.deal, state.scores) else self._shuffle
        heads, scores = state.heads.copy(), state.scores.copy()
        events.append({"type": "deal_over", "deal": state.deal, "heads": heads, "scores": scores})

    def public(self, state: RowState) -> dict[str, Any]:
        """Rows, taken cards, heads, totals and the cards of this turn that still wait for their place."""
        return {
            "deal": state.deal,
            "turn": state.turn,
            "rows": state.rows,
            "row_heads": state.row_heads,
            "played": [(seat, card) for card, seat in state.queue],
            "piles": state.piles,
            "heads": state.heads,
            "scores": state.scores,
        }

    def hand(self, state: RowState, seat: int) -> Sequence[int]:
        """The seat's hand, ascending."""
        return state.hands[seat]

    def fallback(self, state: RowState, index: int) -> Option:
        """The card that would take the fewest heads if it were placed alone, the lowest of equals; the cheapest row."""
        if not isinstance(state.pending, Batch):
            raise IllegalAnswer("no decision is pending")
        if state.pending is not state.cards:
            return cheapest_row(state.row_heads) + 1
        hand = state.hands[index]
        return min(hand, key=lambda card: (lone_cost(state.rows, state.row_heads, card), card))

    def resample(self, state: RowState, seat: int, shuffle: Callable[[list[int]], None]) -> RowState:
        """The other hands drawn anew from all cards that `seat` has not seen in this deal."""
        new = state.copy()
        seen = set(new.hands[seat]).union(*new.rows, *new.piles, [card for card, _ in new.queue])
        unseen = [card for card in self._shuffle.deck if card not in seen]
        shuffle(unseen)
        for other, hand in enumerate(new.hands):
            if other != seat:
                hand[:] = sorted(unseen[: len(hand)])
                del unseen[: len(hand)]
        return new
