"""The common part of the games of four rows: hands, rows, taken cards, and the course of a turn.

A turn is resolved one card at a time, and any card may need a decision by its owner. A game overrides the steps that differ:
`ask` (who plays when), `targets` (where a card may go), `settle` and `take` (what happens to it), `end_turn`, `end_deal`, `over`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Self, TypedDict, TypeVar

from bullring.arena.games.rules.board import Board, Rows, Waiting
from bullring.arena.games.rules.cards import HEADS, HIGHEST
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.errors import IllegalAnswer
from bullring.arena.games.rules.events import DealOver, Event, Key, Place, Placement, Play, RowsDeal
from bullring.arena.games.rules.figures import Figure
from bullring.arena.games.rules.game import TAKEN, Batch, Game, Landing, Option, Shuffle
from bullring.arena.games.rules.hands import redraw, unseen
from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.reasons import Reasons
from bullring.arena.games.rules.row_lessons import RowLessons
from bullring.arena.games.rules.row_reasons import RowReasons
from bullring.arena.games.rules.stages import Changed, Drafted, Falls, Kept, Laid, Opened, Revealed, Stage, Took
from bullring.arena.games.rules.table import ROW_LIMIT, ROWS, Row, target_row

MATCH_END = (
    OptionSpec(
        "target",
        66,
    ),
    OptionSpec(
        "target_rule",
        "over",
        choices=("over", "reach"),
    ),
    OptionSpec(
        "deals",
        None,
        maximum=1000,
    ),
)
"""The options of games whose matches last several deals."""

_CARD_FALLBACK = (
    "The card that would take the fewest heads if it were placed now and alone: the heads of a full row, or 0 where there is room;"
    " the heads of the cheapest row if it fits nowhere; those of the cheaper row if two ends are equally near."
)

CARD = Decision(
    "card",
    "all seats at the same time",
    "the cards in your hand, ascending; equal cards are listed once",
    _CARD_FALLBACK,
    begins_move=True,
    shows=str,
)
OPEN_CARD = Decision(
    "card",
    "one seat after the other",
    "the cards in your hand, ascending",
    _CARD_FALLBACK,
    begins_move=True,
    shows=str,
)
ROW = Decision(
    "row",
    "the owner of a card that fits nowhere",
    "the rows 1, 2, 3, 4",
    "The row with the fewest heads.",
    answers=lambda game: ROWS,
    names="row",
)


class RowsView(TypedDict):
    """The public view of a game of four rows."""

    deal: Annotated[int, Key("integer", "The number of the deal.")]
    turn: Annotated[int, Key("integer", "The number of the turn in this deal; 0 during a draft.")]
    rows: Annotated[
        list[list[int]],
        Key("4 lists of cards", "The rows from top to bottom, each from left to right. Empty during a draft."),
    ]
    row_heads: Annotated[list[int], Key("4 integers", "The heads in each row. Empty during a draft.")]
    played: Annotated[
        list[tuple[int, int]], Key("list of [seat, card]", "Open cards that are not placed yet; see below.")
    ]
    piles: Annotated[
        list[list[int]],
        Key(
            "by seat, lists of cards",
            "The cards each seat took in this deal, in the order taken. In `hand`, without the cards it kept.",
        ),
    ]
    heads: Annotated[
        list[int], Key("by seat, integers", "The heads each seat took in this deal. In `hand`, the heads in its pile.")
    ]
    scores: Annotated[
        list[int],
        Key(
            "by seat, integers",
            "Each seat's total heads, including this deal. In `hand`, the total of the previous deals only.",
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
    """By seat, the cards taken in this deal, in the order taken."""
    heads: list[int]
    """By seat, the heads of this deal; `scores` includes them."""
    rows: list[Row] = field(default_factory=list)
    row_heads: list[int] = field(default_factory=list)
    """The heads in each row."""
    queue: list[tuple[int, int]] = field(default_factory=list)
    """Open cards not placed yet, as (card, seat), in the order of placement."""
    cards: Batch | None = None
    """The decision that asks every seat for a card from its hand; its options are the hand lists themselves."""

    def copy(self) -> Self:
        """A copy that shares no mutable data. Subclasses copy the fields they add."""
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
    """The lowest cards, as many as needed: ten for each seat and four for the rows (jubilee rulebook, variant 1)."""
    return tuple(range(1, 10 * seats + 5))


class RowGame(Game[S]):
    """A game of four rows. Without overrides it is the standard game."""

    family: ClassVar[str] = "rows"
    option_specs: ClassVar[tuple[OptionSpec, ...]] = MATCH_END
    heads: ClassVar[Sequence[int]] = HEADS
    decisions: ClassVar[tuple[Decision, ...]] = (CARD, ROW)
    events: ClassVar[tuple[type, ...]] = (RowsDeal, Play, Place, DealOver)
    view_type: ClassVar[type] = RowsView
    course: ClassVar[str] = "for each turn `play`, then `place`"
    hand_size: ClassVar[int] = 10
    cards_a_turn: ClassVar[int] = 1
    """The number of cards each seat plays in a turn."""
    lessons: ClassVar[Lessons] = RowLessons()
    reasons: ClassVar[Reasons] = RowReasons()
    both_ends: ClassVar[bool] = False
    """Whether rows also grow on the left."""
    state_type: type[S]

    def deck(self) -> tuple[int, ...]:
        return tuple(range(1, HIGHEST + 1))

    def dealt(self) -> int:
        """The size of all hands and the four cards that begin the rows."""
        return self.hand_size * self.seats + 4

    def over(self, state: S) -> bool:
        """Whether the match is over at the end of a deal (checked only between deals, A02)."""
        deals = self.options["deals"]
        if isinstance(deals, int):
            return state.deal >= deals
        target = self.options["target"]
        assert isinstance(target, int)
        return max(state.scores) >= target + (self.options["target_rule"] == "over")

    def new(self) -> S:
        nothing: list[list[int]] = [[] for _ in range(self.seats)]
        return self.state_type(self.shuffle, 0, 0, [0] * self.seats, nothing, nothing.copy(), [0] * self.seats)

    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """Deal the hands in seat order, then the rows from the top."""
        size = self.hand_size
        hands = [sorted(cards[at : at + size]) for at in range(0, size * self.seats, size)]
        return self.lay_out(state, hands, [[card] for card in cards[size * self.seats :]])

    def lay_out(self, state: S, hands: list[list[int]], rows: list[Row]) -> list[Event]:
        """Begin a deal with these hands and rows."""
        state.hands = hands
        state.piles = [[] for _ in hands]
        state.heads = [0] * self.seats
        state.deal += 1
        self.open_rows(state, rows)
        event: RowsDeal = {"type": "deal", "deal": state.deal, "rows": [row.copy() for row in rows]}
        return [event]

    def open_rows(self, state: S, rows: list[Row]) -> None:
        """Begin the first turn of a deal, with these rows."""
        state.rows = rows
        state.row_heads = [HEADS[row[0]] * len(row) for row in rows]  # a row begins with one card or with equal ones
        state.turn = 1
        self.ask(state)

    def ask(self, state: S) -> None:
        """Ask for the next cards: here, every seat for a card from its hand."""
        state.pending = state.cards = Batch("card", self._seats, state.hands)

    def on_card(self, state: S, *cards: int) -> list[Event]:
        """Show all cards and place them, the lowest first."""
        for hand, card in zip(state.hands, cards, strict=True):
            hand.remove(card)
        state.queue = sorted((card, seat) for seat, card in enumerate(cards))
        event: Play = {"type": "play", "turn": state.turn, "cards": list(cards)}
        return self.resolve(state, [event], [])

    def on_row(self, state: S, row: int) -> list[Event]:
        """Let the first card of the queue take the row its owner chose."""
        return self.resolve(state, [], self.settle(state, row - 1, takes=True))

    def on_side(self, state: S, row: int) -> list[Event]:
        """Put the first card of the queue in the row its owner chose from two."""
        return self.resolve(state, [], self.settle(state, row - 1, takes=self.full(state, row - 1, state.queue[0][0])))

    def resolve(self, state: S, events: list[Event], placed: list[Placement]) -> list[Event]:
        """Place the cards of the queue, after those already `placed`, until one of them needs a decision."""
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
        """The indices of the rows where a card may go: none if it fits nowhere, two if its owner has the choice."""
        target = target_row(state.rows, card)
        return () if target < 0 else (target,)

    def low_targets(self, state: S) -> Sequence[int]:
        """The indices of the rows that a card which fits nowhere may take."""
        return range(len(state.rows))

    def full(self, state: S, target: int, card: int) -> bool:
        """Whether a card that goes to row `target` takes it."""
        return len(state.rows[target]) == ROW_LIMIT

    def settle(self, state: S, target: int, *, takes: bool) -> list[Placement]:
        """Put the first card of the queue in row `target`, or let it take the row if `takes` is set."""
        card, seat = state.queue.pop(0)
        if takes:
            return [(seat, card, target + 1, self.take(state, card, seat, target))]
        self.extend(state, card, target)
        return [(seat, card, target + 1, 0)]

    def extend(self, state: S, card: int, target: int) -> None:
        """Put a card at the end of row `target`."""
        state.rows[target].append(card)
        state.row_heads[target] += HEADS[card]

    def take(self, state: S, card: int, seat: int, target: int) -> int:
        """Let `seat` take row `target`, and begin it anew with `card`. Returns the heads of the old row."""
        heads = state.row_heads[target]
        state.piles[seat] += state.rows[target]
        state.heads[seat] += heads
        state.scores[seat] += heads
        state.rows[target] = [card]
        state.row_heads[target] = HEADS[card]
        return heads

    def end_turn(self, state: S, events: list[Event]) -> None:
        """Begin the next turn, or end the deal: all cards of this turn are placed."""
        if state.hands[0]:
            state.turn += 1
            self.ask(state)
        else:
            self.end_deal(state, events)

    def end_deal(self, state: S, events: list[Event]) -> None:
        """End the deal: all hands are empty."""
        heads, scores = state.heads.copy(), state.scores.copy()
        state.pending = None if self.over(state) else self.shuffle
        event: DealOver = {"type": "deal_over", "deal": state.deal, "heads": heads, "scores": scores}
        events.append(event)

    def public(self, state: S) -> RowsView:
        """Rows, taken cards, heads, totals and the open cards that are not placed yet."""
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
        """The option with the lowest `cost`; on a tie, the first."""
        batch = state.pending
        if not isinstance(batch, Batch):
            raise IllegalAnswer("no decision is pending")
        kind = batch.kind
        return min(batch.options[index], key=lambda option: self.cost(state, kind, option))

    def cost(self, state: S, kind: str, option: Option) -> int:
        """The heads that an option takes at once. A card counts as if placed now and alone; a low card takes the cheapest row."""
        assert isinstance(option, int)
        if kind == "row":
            return state.row_heads[option - 1]
        if kind == "side":
            return state.row_heads[option - 1] * self.full(state, option - 1, state.queue[0][0])
        targets = self.targets(state, option)
        return min([state.row_heads[t] * self.full(state, t, option) for t in targets] or state.row_heads)

    def open_cards(self, state: S) -> Iterable[Sequence[int]]:
        """All cards that lie open or were taken in the open."""
        return *state.rows, *state.piles, [card for card, _ in state.queue]

    def known(self, state: S) -> Sequence[Sequence[int]]:
        """By seat, the publicly known cards of its hand."""
        return [()] * self.seats

    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """Redraw the cards of other hands that `seat` does not know from all cards it has not seen in this deal."""
        new = state.copy()
        known = self.known(new)
        others = [cards for other, cards in enumerate(known) if other != seat]
        seen = [*new.hands[seat], *(card for cards in (*self.open_cards(new), *others) for card in cards)]
        redraw(new.hands, known, seat, unseen(self.shuffle.deck, seen), shuffle)
        self.ask_again(new)
        return new

    def ask_again(self, state: S) -> None:
        """Renew those options of the pending question that depend on hands, after the hands were redrawn."""
        if isinstance(state.pending, Batch) and state.pending.kind == "card":
            self.ask(state)

    def board(self, state: S) -> Board:
        """The rows, and the cards that are not placed yet."""
        waiting = self.public(state)["played"]
        rows = Rows([row.copy() for row in state.rows], state.row_heads.copy(), ROW_LIMIT, self.both_ends)
        return (*([rows] if state.rows else ()), *([Waiting(waiting)] if waiting else ()))

    def landings(self, view: Mapping[str, Any], card: int) -> Sequence[Landing]:
        state = self.new()
        state.rows, state.row_heads = [list(row) for row in view["rows"]], list(view["row_heads"])
        if not state.rows:
            return ()
        targets = self.targets(state, card)
        if not targets:
            return [Landing(at + 1, state.row_heads[at]) for at in self.low_targets(state)]
        return [
            Landing(
                at + 1, state.row_heads[at] * self.full(state, at, card), self.both_ends and card < state.rows[at][0]
            )
            for at in targets
        ]

    def columns(self, state: S) -> Mapping[str, Sequence[int]]:
        """The heads of this deal."""
        return {TAKEN: state.heads}

    counts_at_once: ClassVar[bool] = True
    """Whether the heads of a row count as soon as it is taken."""

    def stages(self, before: S, events: Sequence[Event]) -> Iterator[Stage]:
        """Cards turned up, and then placed one after the other."""
        table = _Table(self.board(before))
        for event in events:
            match event["type"]:
                case "deal":
                    yield Opened()
                case "play":
                    pairs = [cards if isinstance(cards, list) else [cards] for cards in event["cards"]]
                    shown = sorted([(card, seat) for seat, cards in enumerate(pairs) for card in cards])
                    table.waiting += [(seat, card) for card, seat in shown]
                    yield Revealed(tuple(table.waiting), board=table.board())
                case "lay":
                    laid = (event["seat"], event["card"])
                    table.waiting.append(laid)
                    yield Revealed((laid,), board=table.board())
                case "place":
                    yield from self._place_stages(table, event["placed"])
                case "draft":
                    yield Drafted(event["seat"], event["card"])
                case "rows":
                    yield Opened()
                case "keep":
                    yield Kept(event["seat"], tuple(event["cards"]), event["heads"])
                case _:
                    yield self.ending(event) or Changed()

    def _place_stages(self, table: "_Table", placed: Sequence[Placement]) -> Iterator[Stage]:
        for at, (seat, card, number, heads) in enumerate(placed):
            row = table.rows[number - 1]
            twin = at > 0 and bool(heads) and placed[at - 1][1:3] == (card, number)  # the row is gone already
            if heads and not twin:
                yield Falls(seat, card, number, board=table.board())
            if (seat, card) in table.waiting:
                table.waiting.remove((seat, card))
            if heads:
                cards = () if twin else tuple(row)
                row[:] = [card, card] if twin else [card]
                yield Took(seat, card, number, cards, heads, self.counts_at_once, board=table.board(self.heads))
            else:
                left = bool(row) and card < row[0]
                row.insert(0 if left else len(row), card)
                yield Laid(seat, card, number, left, board=table.board(self.heads))

    def planned_deals(self) -> int | None:
        deals = self.options["deals"]
        return deals if isinstance(deals, int) else None

    def goal(self) -> str:
        return "" if self.planned_deals() else f"to {self.options['target']} heads"

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """Add the figures of rows and turns."""
        turns = cls.hand_size // cls.cards_a_turn
        own = {
            "rows": len(ROWS),
            "row_limit": ROW_LIMIT,
            "hand": cls.hand_size,
            "pair": cls.cards_a_turn,
            "turns": turns,
        }
        return {**super().figures(), **own}


class _Table:
    """A board on which cards move, for `RowGame.stages`."""

    def __init__(self, board: Board) -> None:
        self._parts = board
        self._shape = next((part for part in board if isinstance(part, Rows)), Rows([], [], ROW_LIMIT))
        self.rows = [list(row) for row in self._shape.rows]
        self.waiting = [(seat, card) for part in board if isinstance(part, Waiting) for seat, card in part.cards]
        self._heads = list(self._shape.heads)

    def board(self, heads: Sequence[int] = ()) -> Board:
        """The board now; `heads` is by card if rows have changed."""
        if heads:
            self._heads = [sum(heads[card] for card in row) for row in self.rows]
        rows = Rows([row.copy() for row in self.rows], self._heads.copy(), self._shape.room, self._shape.both_ends)
        waiting = [Waiting(self.waiting.copy())] if self.waiting else []
        others = [part for part in self._parts if not isinstance(part, Rows | Waiting)]
        return (rows, *waiting, *others)
