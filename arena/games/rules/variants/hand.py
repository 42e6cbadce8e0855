"""The hand variant: one or two open cards in a move, and taken cards may go to the hand.

========== ==========================================================================================
seats      2-7 (A36)
deck       1..104: fourteen cards to each hand, four to begin the rows
decisions  card (one seat after the other, clockwise from the starting seat), row, keep (which cards of a taken row go
           to the hand), more (a second card, or "stop")
options    deals (default 1); second_from_original_hand
end        of a deal: after a full turn, if a hand is empty or a pile has more than 20 cards (A33, A34), or after 100 turns
           (A35); of the match: after the given number of deals; ties share the place
scoring    heads of the pile, and twice the heads of the hand
source     jubilee rulebook, variant 7
rulings    A30 (the second card is chosen after the first is placed), A31 (it may be one just taken, unless
           second_from_original_hand is set), A32 (at most sixteen cards at any time), A33-A37; kept cards are public
========== ==========================================================================================
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict

from bullring.arena.games.rules.board import Board, OpenHands
from bullring.arena.games.rules.cards import HEADS
from bullring.arena.games.rules.decision import Decision, cards_of, nothing
from bullring.arena.games.rules.events import Event, HandsOver, Key, Lay, Place, RowsDeal
from bullring.arena.games.rules.figures import Figure
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.hands import lay_down, pick_up
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn, emptied, outcome
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.outlook import Cards
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import RowLessons, placements
from bullring.arena.games.rules.row_reasons import RowReasons, Sight
from bullring.arena.games.rules.rows import OPEN_CARD, ROW, RowGame, RowState, RowsView
from bullring.arena.games.rules.sayings import Count, Few, Heads, Seat, Value
from bullring.arena.games.rules.stages import DealOver, Kept
from bullring.arena.games.rules.table import Row

MOST_IN_HAND = 16
MOST_IN_PILE = 20
"""Cards in a pile; one more ends the deal."""
LAST_TURN = 100


KEEP = Decision(
    "keep",
    "a seat that has just taken a row",
    "every allowed list of cards from that row; the first is the empty list",
    "The empty list, since each card left in hand costs twice its heads.",
    answers=nothing,
    parts=cards_of,
)
SECOND = Decision(
    "more",
    "a seat that has just played a card and may play another",
    '`"stop"`, or a card in your hand',
    '`"stop"`.',
    shows=lambda answer: "" if answer == "stop" else str(answer),
    answers=lambda game: ("stop", *cards_of(game)),
)


class Keep(TypedDict):
    """A seat that took a row decides which of its cards go to the hand."""

    type: Literal["keep"]
    seat: Annotated[int, Key("integer", "The seat that decides.")]
    cards: Annotated[list[int], Key("list of cards", "The cards that go to the hand.")]
    heads: Annotated[int, Key("integer", "The heads of the cards that go to the pile.")]


class HandView(RowsView):
    """The public view of the hand game."""

    first: Annotated[int, Key("seat", "The seat that plays first in this turn.")]
    second: Annotated[
        bool,
        Key(
            "true or false",
            "True when you are asked for the second card of your move, or for a decision that follows it. No `more` comes then.",
        ),
    ]
    taken: Annotated[list[int], Key("list of cards", "In `keep`, the row you have just taken. Otherwise empty.")]
    fresh: Annotated[list[int], Key("list of cards", "The cards you have kept in this move so far.")]
    hand_sizes: Annotated[list[int], Key("by seat, integers", "The number of cards each seat holds.")]
    known: Annotated[
        list[list[int]],
        Key(
            "by seat, lists of cards", "The cards in each hand that are publicly known because they were taken openly."
        ),
    ]


@dataclass(slots=True)
class HandState(RowState):
    """A position of the hand game; the queue holds the card just played."""

    mover: int = 0
    """The seat that is to move."""
    second: bool = False
    """Whether the mover has been offered a second card; its move then ends with that card and the decisions that follow it."""
    taken: list[int] = field(default_factory=list)
    """The row the mover has taken, until it decides which cards to keep."""
    fresh: list[int] = field(default_factory=list)
    """The cards the mover has kept in this move."""
    known: list[list[int]] = field(default_factory=list)
    """By seat, the cards of its hand that are publicly known because it kept them."""

    def copy(self) -> Self:
        new = RowState.copy(self)
        new.mover, new.second = self.mover, self.second
        new.taken, new.fresh = self.taken.copy(), self.fresh.copy()
        new.known = [cards.copy() for cards in self.known]
        return new


class HandLessons(RowLessons):
    """Cards left in the hand count twice."""

    lowest_first = False

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the cards kept of a row, and a second card."""
        yield from super().moves(turn)
        moves, kept = placements(turn), [seen.stage for seen in turn.stages if isinstance(seen.stage, Kept)]
        for took, keep in zip([move for move in moves if move.took], kept, strict=False):
            text = "keep_none" if not keep.cards else "keep_all" if len(keep.cards) == len(took.cards) else "keep_some"
            yield Lesson("keep", 95, took.values(heads=Heads(keep.heads), cards=keep.cards), text)
        if len(moves) == 2:
            first, second = moves
            fresh = kept and second.card in kept[0].cards and first.took
            values = {"name": Seat(first.seat), "first": first.card, "second": second.card}
            yield Lesson("fresh", 96, values) if fresh else Lesson("second", 64, values)

    def ends(self, turn: Turn, over: DealOver) -> Iterator[Lesson]:
        """Yield that a hand is empty, or a pile too large."""
        empty, last = emptied(over), "_last" if turn.over else ""
        cards = Count(sum(len(hand) for hand in over.hands or ()))
        text = f"ends_empty{last}" if empty else "ends_late" if turn.number >= LAST_TURN else f"ends_pile{last}"
        yield Lesson("ends", 60, {"names": empty, "cards": cards, **outcome(over)}, text)


class HandReasons(RowReasons):
    """A card is placed at once, and what is kept counts twice at the end."""

    lowest_first = False

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Add second cards, and the cards of a row that are kept."""
        if kind == "keep":
            heads = sum(game.heads[card] for card in option or view["taken"])
            kept: dict[str, Value] = {"count": Few(len(option)), "cards": tuple(option), "heads": Heads(2 * heads)}
            yield Reason("keep", kept) if option else Reason("pile", {"heads": Heads(heads)})
        elif option != "stop":
            yield from super().of(game, view, "card" if kind == "more" else kind, option)

    def cards(self, sight: Sight, kind: str, option: Any) -> Cards:
        """Also a second card."""
        return super().cards(sight, "card" if kind == "more" and option != "stop" else kind, option)

    def before(self, sight: Sight, card: int, at: int) -> Iterator[Reason]:
        """Say nothing: no card comes before it."""
        return iter(())

    def nowhere(self, sight: Sight, card: int) -> Iterator[Reason]:
        """Yield what the card takes: no lower one goes first."""
        yield Reason("low", {"card": card, "heads": Heads(min(map(sight.heads, sight.rows)))})


class Hand(RowGame[HandState]):
    """The hand variant: get rid of your hand, or sit back while others collect rows."""

    id: ClassVar[str] = "hand"
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    hand_size: ClassVar[int] = 14
    counts_at_once: ClassVar[bool] = False
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (
        OptionSpec("deals", 1, maximum=1000),
        OptionSpec(
            "second_from_original_hand",
            False,
        ),
    )
    lessons: ClassVar[Lessons] = HandLessons()
    reasons: ClassVar[Reasons] = HandReasons()
    decisions: ClassVar[tuple[Decision, ...]] = (OPEN_CARD, ROW, KEEP, SECOND)
    events: ClassVar[tuple[type, ...]] = (RowsDeal, Lay, Place, Keep, HandsOver)
    view_type: ClassVar[type] = HandView
    course: ClassVar[str] = "for each card `lay`, then `place`, then `keep` if a row was taken"
    state_type = HandState

    def new(self) -> HandState:
        state = super().new()
        state.known = [[] for _ in state.hands]
        return state

    def over(self, state: HandState) -> bool:
        """Whether all deals are played (A37)."""
        return state.deal == self.options["deals"]

    def open_rows(self, state: HandState, rows: list[Row]) -> None:
        """Begin the first turn of a deal."""
        state.mover = self.start
        state.known = [[] for _ in state.hands]
        super().open_rows(state, rows)

    def ask(self, state: HandState) -> None:
        """Ask the next seat for a card from its hand."""
        state.second, state.fresh = False, []
        state.pending = Batch("card", (state.mover,), (tuple(state.hands[state.mover]),))

    def on_card(self, state: HandState, *cards: int) -> list[Event]:
        """Show one card and place it at once."""
        (card,) = cards
        seat = state.mover
        lay_down(state.hands[seat], state.known[seat], card)
        state.queue = [(card, seat)]
        event: Lay = {"type": "lay", "seat": seat, "card": card}
        return self.resolve(state, [event], [])

    def take(self, state: HandState, card: int, seat: int, target: int) -> int:
        """Begin row `target` anew with `card`. The old row waits in `taken` until its owner decides which cards to keep."""
        heads = state.row_heads[target]
        state.taken = state.rows[target]
        state.rows[target] = [card]
        state.row_heads[target] = HEADS[card]
        return heads

    def end_turn(self, state: HandState, events: list[Event]) -> None:
        """Go on after a card is placed: ask what to keep of the row it took, offer a second card, or ask the next seat."""
        if not state.taken:
            self._go_on(state, events)
            return
        room = MOST_IN_HAND - len(state.hands[state.mover])
        sizes = range(min(room, len(state.taken)) + 1)
        choices = tuple([kept for size in sizes for kept in combinations(state.taken, size)])
        state.pending = Batch("keep", (state.mover,), (choices,))

    def on_keep(self, state: HandState, kept: tuple[int, ...]) -> list[Event]:
        """Move the `kept` cards of the taken row to the hand, and the others to the pile."""
        seat = state.mover
        pick_up(state.hands[seat], state.known[seat], kept)
        state.fresh += kept
        piled = [card for card in state.taken if card not in kept]
        heads = sum([HEADS[card] for card in piled])
        state.piles[seat] += piled
        state.heads[seat] += heads
        state.taken = []
        event: Keep = {"type": "keep", "seat": seat, "cards": list(kept), "heads": heads}
        events: list[Event] = [event]
        self._go_on(state, events)
        return events

    def _second_cards(self, state: HandState) -> list[int]:
        barred = state.fresh if self.options["second_from_original_hand"] else ()
        return [card for card in state.hands[state.mover] if card not in barred]

    def _go_on(self, state: HandState, events: list[Event]) -> None:
        cards = self._second_cards(state)
        if cards and not state.second:
            state.second = True
            state.pending = Batch("more", (state.mover,), (("stop", *cards),))
        else:
            self._next(state, events)

    def on_more(self, state: HandState, answer: int | str) -> list[Event]:
        """Play a second card, or end the move."""
        if isinstance(answer, int):
            return self.on_card(state, answer)
        events: list[Event] = []
        self._next(state, events)
        return events

    def _next(self, state: HandState, events: list[Event]) -> None:
        state.mover = (state.mover + 1) % self.seats
        if state.mover == self.start:
            longest = max(map(len, state.piles))
            if longest > MOST_IN_PILE or state.turn == LAST_TURN or not all(state.hands):
                self.end_deal(state, events)
                return
            state.turn += 1
        self.ask(state)

    def end_deal(self, state: HandState, events: list[Event]) -> None:
        """Show the hands, which count twice, and end the deal."""
        for seat, hand in enumerate(state.hands):
            state.heads[seat] += 2 * sum([HEADS[card] for card in hand])
            state.scores[seat] += state.heads[seat]
        super().end_deal(state, events)
        hands = [hand.copy() for hand in state.hands]
        event: HandsOver = {**events.pop(), "hands": hands}  # type: ignore[typeddict-item]  # it is a `DealOver`
        events.append(event)

    def cost(self, state: HandState, kind: str, option: Option) -> int:
        """Like `RowGame.cost`; keeping cards costs twice their heads, and stopping costs nothing."""
        if isinstance(option, tuple):
            return 2 * sum([HEADS[card] for card in option])
        return 0 if option == "stop" else super().cost(state, kind, option)

    def open_cards(self, state: HandState) -> Iterable[Sequence[int]]:
        """Add the row just taken."""
        return *super().open_cards(state), state.taken

    def known(self, state: HandState) -> Sequence[Sequence[int]]:
        """By seat, the cards it has kept."""
        return state.known

    def ask_again(self, state: HandState) -> None:
        if isinstance(state.pending, Batch) and state.pending.kind == "card":
            self.ask(state)
        elif isinstance(state.pending, Batch) and state.pending.kind == "more":
            state.pending = Batch("more", (state.mover,), (("stop", *self._second_cards(state)),))

    def resample(self, state: HandState, seat: int, shuffle: Callable[[list[int]], None]) -> HandState:
        """Like `RowGame.resample`; after the deal, hands are open and stay as they are."""
        return super().resample(state, seat, shuffle) if isinstance(state.pending, Batch) else state.copy()

    def public(self, state: HandState) -> HandView:
        """Add the mover's decisions and the known cards of the hands."""
        return {
            **super().public(state),
            "first": self.start,
            "second": state.second,
            "taken": state.taken,
            "fresh": state.fresh,
            "hand_sizes": [len(hand) for hand in state.hands],
            "known": state.known,
        }

    def board(self, state: HandState) -> Board:
        """Add the known cards of the hands."""
        known = [OpenHands("known in hand:", [cards.copy() for cards in state.known])] if any(state.known) else []
        return (*super().board(state), *known)

    def columns(self, state: HandState) -> Mapping[str, Sequence[int]]:
        """Add the hand sizes."""
        return {"hand": [len(hand) for hand in state.hands], **super().columns(state)}

    def planned_deals(self) -> int | None:
        return int(str(self.options["deals"]))

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """Add the largest hand and pile, and the last turn."""
        limits = {"most_in_hand": MOST_IN_HAND, "most_in_pile": MOST_IN_PILE, "last_turn": LAST_TURN}
        return {**super().figures(), **limits}
