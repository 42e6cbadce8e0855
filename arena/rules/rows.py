"""What the games of four rows share: hands, rows, taken cards, and the course of a turn.

Here a turn is played one card at a time, and any card may need a decision of its owner. A game changes what is different in it:
`ask` (who plays when), `targets` (where a card may go), `settle` and `take` (what becomes of it), `end_turn`, `end_deal`, `over`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Self, TypedDict, TypeVar

from bullring.arena.rules.board import Board, Rows, Told, Waiting
from bullring.arena.rules.cards import HEADS, HIGHEST
from bullring.arena.rules.decision import Decision
from bullring.arena.rules.events import DealOver, Event, Key, Place, Placement, Play, RowsDeal
from bullring.arena.rules.figures import Figure
from bullring.arena.rules.game import TAKEN, Batch, Game, Option, Shuffle
from bullring.arena.rules.hands import redraw, unseen
from bullring.arena.rules.options import OptionSpec
from bullring.arena.rules.table import ROW_LIMIT, ROWS, Row, target_row
from bullring.arena.rules.wording.text import Text
from bullring.arena.rules.wording.words import cards_text, heads_text
from bullring.errors import IllegalAnswer

MATCH_END = (
    OptionSpec(
        "target",
        66,
        Text(
            "the match ends after the deal in which a total passes this many heads",
            "die Partie endet nach dem Durchgang, in dem jemand insgesamt mehr als so viele Hornochsen hat",
        ),
    ),
    OptionSpec(
        "target_rule",
        "over",
        Text(
            "whether the target must be passed or only reached",
            "ob die Grenze (target) überschritten werden muss (over) oder es genügt, sie zu erreichen (reach)",
        ),
        choices=("over", "reach"),
    ),
    OptionSpec(
        "deals",
        None,
        Text(
            "play exactly this many deals instead of to a target",
            "genau so viele Durchgänge spielen, statt bis zu einer Grenze",
        ),
        maximum=1000,
    ),
)
"""The options of a match of several deals."""

_CARD_FALLBACK = (
    "The card that takes the fewest heads if it is placed now and alone: those of a full row, 0 where there is room. If it fits"
    " nowhere, those of the cheapest row; with two nearest ends, those of the cheaper one."
)

CARD = Decision(
    "card",
    "all seats at the same time",
    "the cards of your hand, ascending; equal ones once",
    _CARD_FALLBACK,
    told="plays {}".format,
    begins_move=True,
    shows=str,
)
OPEN_CARD = Decision(
    "card",
    "one seat after the other",
    "the cards of your hand, ascending",
    _CARD_FALLBACK,
    told="plays {}".format,
    begins_move=True,
    shows=str,
)
ROW = Decision(
    "row",
    "the owner of a card that fits nowhere",
    "the rows 1, 2, 3, 4",
    "The row with the fewest heads.",
    told="chooses row {}".format,
    waits="picks row",
    purpose="take a row",
)


class RowsView(TypedDict):
    """What all seats see in a game of four rows."""

    deal: Annotated[int, Key("integer", "The number of the deal.")]
    turn: Annotated[int, Key("integer", "The turn of this deal; 0 in a draft.")]
    rows: Annotated[
        list[list[int]],
        Key("4 lists of cards", "The rows from the top, each from left to right. Empty in a draft."),
    ]
    row_heads: Annotated[list[int], Key("4 integers", "The heads that lie in each row. Empty in a draft.")]
    played: Annotated[
        list[tuple[int, int]], Key("list of [seat, card]", "Open cards that are not placed yet, see below.")
    ]
    piles: Annotated[
        list[list[int]],
        Key(
            "by seat, lists of cards",
            "What each seat took in this deal, in the order it was taken. In `hand`: without what it kept.",
        ),
    ]
    heads: Annotated[
        list[int], Key("by seat, integers", "The heads each seat took in this deal. In `hand`: those of its pile.")
    ]
    scores: Annotated[
        list[int],
        Key(
            "by seat, integers",
            "The heads of each seat in all, those of this deal included. In `hand`: those of the deals before.",
        ),
    ]


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
    """Open cards that still wait for their place, as (card, seat), in the order in which they are placed."""
    cards: Batch | None = None
    """The decision that asks every seat for a card of its hand; its options are the hands themselves."""

    def copy(self) -> Self:
        """A state that shares nothing that may change. Subclasses copy what they add."""
        new = self.__class__.__new__(self.__class__)
        new.deal, new.turn = self.deal, self.turn
        new.scores = self.scores.copy()
        new.hands = hands = [hand.copy() for hand in self.hands]
        new.piles = [pile.copy() for pile in self.piles]
        new.heads = self.heads.copy()
        new.rows = [row.copy() for row in self.rows]
        new.row_heads = self.row_heads.copy()
        new.queue = self.queue.copy()
        new.cards = self.cards and Batch("card", self.cards.seats, hands)
        new.pending = new.cards if self.pending is self.cards else self.pending
        return new


S = TypeVar("S", bound=RowState)


def short_deck(seats: int) -> tuple[int, ...]:
    """As many of the lowest cards as so many seats need: ten for each hand, and four (jubilee rulebook, variant 1)."""
    return tuple(range(1, 10 * seats + 5))


class RowGame(Game[S]):
    """A game of four rows. By itself it is the standard game."""

    option_specs: ClassVar[tuple[OptionSpec, ...]] = MATCH_END
    heads: ClassVar[Sequence[int]] = HEADS
    decisions: ClassVar[tuple[Decision, ...]] = (CARD, ROW)
    events: ClassVar[tuple[type, ...]] = (RowsDeal, Play, Place, DealOver)
    view_type: ClassVar[type] = RowsView
    course: ClassVar[str] = "for each turn `play`, then `place`"
    hand_size: ClassVar[int] = 10
    cards_a_turn: ClassVar[int] = 1
    """How many cards everybody plays in a turn."""
    both_ends: ClassVar[bool] = False
    """Whether rows grow on the left, too."""
    state_type: type[S]

    def deck(self) -> tuple[int, ...]:
        """All cards."""
        return tuple(range(1, HIGHEST + 1))

    def dealt(self) -> int:
        """The hands and the beginnings of the four rows."""
        return self.hand_size * self.seats + 4

    def over(self, state: S) -> bool:
        """Whether the match is over at the end of a deal (asked only between deals, A02)."""
        deals = self.options["deals"]
        if isinstance(deals, int):
            return state.deal >= deals
        target = self.options["target"]
        assert isinstance(target, int)
        return max(state.scores) >= target + (self.options["target_rule"] == "over")

    def new(self) -> S:
        """The state before the first deal."""
        nothing: list[list[int]] = [[] for _ in range(self.seats)]
        return self.state_type(self.shuffle, 0, 0, [0] * self.seats, nothing, nothing.copy(), [0] * self.seats)

    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """Hands in seat order, then the rows from the top."""
        size = self.hand_size
        hands = [sorted(cards[at : at + size]) for at in range(0, size * self.seats, size)]
        return self.lay_out(state, hands, [[card] for card in cards[size * self.seats :]])

    def lay_out(self, state: S, hands: list[list[int]], rows: list[Row]) -> list[Event]:
        """A deal begins with these hands and rows."""
        state.hands = hands
        state.piles = [[] for _ in hands]
        state.heads = [0] * self.seats
        state.deal += 1
        self.open_rows(state, rows)
        event: RowsDeal = {"type": "deal", "deal": state.deal, "rows": [row.copy() for row in rows]}
        return [event]

    def open_rows(self, state: S, rows: list[Row]) -> None:
        """The first turn of a deal, with these rows."""
        state.rows = rows
        state.row_heads = [HEADS[row[0]] * len(row) for row in rows]  # only equal cards begin a row together
        state.turn = 1
        self.ask(state)

    def ask(self, state: S) -> None:
        """Ask for the next cards: here every seat for one of its hand."""
        state.pending = state.cards = Batch("card", self._seats, state.hands)

    def on_card(self, state: S, *cards: int) -> list[Event]:
        """All cards are shown and placed, the lowest first."""
        for hand, card in zip(state.hands, cards, strict=True):
            hand.remove(card)
        state.queue = sorted((card, seat) for seat, card in enumerate(cards))
        event: Play = {"type": "play", "turn": state.turn, "cards": list(cards)}
        return self.resolve(state, [event], [])

    def on_row(self, state: S, row: int) -> list[Event]:
        """The first card of the queue takes the row its owner chose."""
        return self.resolve(state, [], self.settle(state, row - 1, takes=True))

    def on_side(self, state: S, row: int) -> list[Event]:
        """The first card of the queue goes to the one of two rows its owner chose."""
        return self.resolve(state, [], self.settle(state, row - 1, takes=self.full(state, row - 1, state.queue[0][0])))

    def resolve(self, state: S, events: list[Event], placed: list[Placement]) -> list[Event]:
        """Place the cards of the queue, after those that are `placed` already, until one of them needs a decision."""
        while state.queue:
            card, seat = state.queue[0]
            targets = self.targets(state, card)
            if len(targets) != 1:
                options = tuple([target + 1 for target in targets])
                state.pending = Batch("side" if options else "row", (seat,), (options or ROWS,))
                break
            placed += self.settle(state, targets[0], takes=self.full(state, targets[0], card))
        if placed:
            event: Place = {"type": "place", "placed": placed}
            events.append(event)
        if not state.queue:
            self.end_turn(state, events)
        return events

    def targets(self, state: S, card: int) -> Sequence[int]:
        """The indices of the rows in which a card may go: none if it fits nowhere, two if its owner has the choice."""
        target = target_row(state.rows, card)
        return () if target < 0 else (target,)

    def full(self, state: S, target: int, card: int) -> bool:
        """Whether a card that goes to this row takes it."""
        return len(state.rows[target]) == ROW_LIMIT

    def settle(self, state: S, target: int, *, takes: bool) -> list[Placement]:
        """The first card of the queue goes to a row, or `takes` it."""
        card, seat = state.queue.pop(0)
        if takes:
            return [(seat, card, target + 1, self.take(state, card, seat, target))]
        self.extend(state, card, target)
        return [(seat, card, target + 1, 0)]

    def extend(self, state: S, card: int, target: int) -> None:
        """A card is put at the end of a row."""
        state.rows[target].append(card)
        state.row_heads[target] += HEADS[card]

    def take(self, state: S, card: int, seat: int, target: int) -> int:
        """`seat` takes a row, and `card` begins it anew. Returns the heads of the old row."""
        heads = state.row_heads[target]
        state.piles[seat] += state.rows[target]
        state.heads[seat] += heads
        state.scores[seat] += heads
        state.rows[target] = [card]
        state.row_heads[target] = HEADS[card]
        return heads

    def end_turn(self, state: S, events: list[Event]) -> None:
        """All cards of the turn are placed."""
        if state.hands[0]:
            state.turn += 1
            self.ask(state)
        else:
            self.end_deal(state, events)

    def end_deal(self, state: S, events: list[Event]) -> None:
        """All hands are empty."""
        heads, scores = state.heads.copy(), state.scores.copy()
        state.pending = None if self.over(state) else self.shuffle
        event: DealOver = {"type": "deal_over", "deal": state.deal, "heads": heads, "scores": scores}
        events.append(event)

    def public(self, state: S) -> RowsView:
        """Rows, taken cards, heads, totals and the open cards that still wait for their place."""
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

    def hand(self, state: S, seat: int) -> Sequence[int]:
        """The seat's hand, ascending."""
        return state.hands[seat]

    def fallback(self, state: S, index: int) -> Option:
        """The option with the least `cost`, the first of equals."""
        batch = state.pending
        if not isinstance(batch, Batch):
            raise IllegalAnswer("no decision is pending")
        kind = batch.kind
        return min(batch.options[index], key=lambda option: self.cost(state, kind, option))

    def cost(self, state: S, kind: str, option: Option) -> int:
        """The heads that an option takes at once: a card as if it were placed now and alone, a low one with the cheapest row."""
        assert isinstance(option, int)
        if kind == "row":
            return state.row_heads[option - 1]
        if kind == "side":
            return state.row_heads[option - 1] * self.full(state, option - 1, state.queue[0][0])
        targets = self.targets(state, option)
        return min([state.row_heads[t] * self.full(state, t, option) for t in targets] or state.row_heads)

    def open_cards(self, state: S) -> Iterable[Sequence[int]]:
        """All cards that lie open or that everybody has seen being taken."""
        return *state.rows, *state.piles, [card for card, _ in state.queue]

    def known(self, state: S) -> Sequence[Sequence[int]]:
        """By seat, the cards of its hand that everybody knows."""
        return [()] * self.seats

    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """What `seat` does not know of the other hands is drawn anew from all cards it has not seen in this deal."""
        new = state.copy()
        known = self.known(new)
        others = [cards for other, cards in enumerate(known) if other != seat]
        seen = [*new.hands[seat], *(card for cards in (*self.open_cards(new), *others) for card in cards)]
        redraw(new.hands, known, seat, unseen(self.shuffle.deck, seen), shuffle)
        self.ask_again(new)
        return new

    def ask_again(self, state: S) -> None:
        """Renew the options of a question that depend on hands, after these were drawn anew."""
        if isinstance(state.pending, Batch) and state.pending.kind == "card":
            self.ask(state)

    def board(self, state: S) -> Board:
        """The rows, and the cards that wait for their place."""
        waiting = self.public(state)["played"]
        rows = Rows([row.copy() for row in state.rows], state.row_heads.copy(), ROW_LIMIT, self.both_ends)
        return (*([rows] if state.rows else ()), *([Waiting(waiting)] if waiting else ()))

    def columns(self, state: S) -> Mapping[str, Sequence[int]]:
        """The heads of this deal."""
        return {TAKEN: state.heads}

    def tell(self, before: S, events: Sequence[Event]) -> Iterator[Told]:
        """Who took which row."""
        rows = [row.copy() for row in before.rows]
        for event in events:
            if event["type"] == "place":
                yield from self._tell_placed(rows, event["placed"])

    def _tell_placed(self, rows: Sequence[Row], placed: Sequence[Placement]) -> Iterator[Told]:
        for at, (seat, card, number, heads) in enumerate(placed):
            row = rows[number - 1]
            if heads and row != [card]:  # the second of two cards that took it together finds the first one there
                others = [other for other, *place, share in placed[at + 1 :] if share and place == [card, number]]
                yield self.told_take((seat, *others), card, number, row, heads)
                row.clear()
            row.insert(0 if row and card < row[0] else len(row), card)

    def told_take(self, seats: tuple[int, ...], card: int, number: int, row: Row, heads: int) -> Told:
        """A row was taken, by one seat or by two together, each of which got so many heads."""
        if len(seats) == 2:
            text = f"{{0}} and {{1}} take row {number} ({cards_text(row)}) with {card}={card}: {heads_text(heads)} each"
        else:
            text = f"{{0}} takes row {number} ({cards_text(row)}) with the {card}: {heads_text(heads)}"
        return Told(text, seats)

    def planned_deals(self) -> int | None:
        """As the option says."""
        deals = self.options["deals"]
        return deals if isinstance(deals, int) else None

    def goal(self) -> str:
        """The target."""
        return "" if self.planned_deals() else f"to {self.options['target']} heads"

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """With those of rows and turns."""
        turns = cls.hand_size // cls.cards_a_turn
        own = {
            "rows": len(ROWS),
            "row_limit": ROW_LIMIT,
            "hand": cls.hand_size,
            "pair": cls.cards_a_turn,
            "turns": turns,
        }
        return {**super().figures(), **own}
