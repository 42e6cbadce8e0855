"""The nifty variant: each seat plays two cards in a turn and decides which goes first.

========== ==========================================================================================
seats      2-7
deck       1..104: fourteen cards to each hand, four to begin the rows; seven turns
decisions  cards (a pair from the hand; all seats, hidden), order (which card of the pair goes first; one seat after the
           other), row (possibly several in one turn)
options    as in the standard game
end        as in the standard game
source     jubilee rulebook, variant 6
rulings    A28 (the owner of the lowest card not placed yet is next), A29 (the order is chosen then)
========== ==========================================================================================
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict

from bullring.arena.games.rules.decision import Decision, cards_of, nothing
from bullring.arena.games.rules.events import DealOver, Event, Key, Place, RowsDeal
from bullring.arena.games.rules.game import Batch, Option
from bullring.arena.games.rules.lessons import Lesson, Lessons, Turn
from bullring.arena.games.rules.outlook import Cards
from bullring.arena.games.rules.reasons import Reason, Reasons
from bullring.arena.games.rules.row_lessons import RowLessons, placements
from bullring.arena.games.rules.row_reasons import RowReasons, Sight
from bullring.arena.games.rules.rows import ROW, RowGame, RowState, RowsView
from bullring.arena.games.rules.sayings import Seat

CARDS = Decision(
    "cards",
    "all seats at the same time",
    "all pairs of cards in your hand, as [lower, higher]",
    "The pair whose two cards, each counted as for `card`, take the fewest heads together.",
    begins_move=True,
    shows=lambda pair: f"{pair[0]} {pair[1]}",
    answers=nothing,
    parts=cards_of,
)
ORDER = Decision(
    "order",
    "the seat whose cards are placed next",
    "its two cards, ascending; the answer is placed first",
    "The card that takes the fewest heads, as for `card`.",
)


class PlayPairs(TypedDict):
    """All cards of a turn are shown."""

    type: Literal["play"]
    turn: Annotated[int, Key("integer", "The number of the turn.")]
    cards: Annotated[list[list[int]], Key("by seat, lists of cards", "The two cards that each seat played, ascending.")]


@dataclass(slots=True)
class NiftyState(RowState):
    """A position of the nifty game; the queue holds the cards of the seat that is placing."""

    waiting: list[tuple[int, int]] = field(default_factory=list)
    """The open cards of the seats that have not placed theirs yet, as (card, seat), ascending."""

    def copy(self) -> Self:
        new = RowState.copy(self)
        new.waiting = self.waiting.copy()
        return new


class NiftyLessons(RowLessons):
    """The owner of the lowest card places both."""

    lowest_first = False

    def moves(self, turn: Turn) -> Iterator[Lesson]:
        """Add the order of two cards."""
        yield from super().moves(turn)
        moves = placements(turn)
        for first, second in zip(moves[::2], moves[1::2], strict=False):
            values = {"name": Seat(first.seat), "first": first.card, "second": second.card}
            yield Lesson("higher", 75, values) if first.card > second.card else Lesson("lower", 50, values)


class NiftyReasons(RowReasons):
    """Two cards are played, and placed one right after the other."""

    def of(self, game: Any, view: Mapping[str, Any], kind: str, option: Any) -> Iterator[Reason]:
        """Add both cards of a pair, in the order in which they would be placed."""
        sight = Sight(game, view)
        for card in self.cards(sight, kind, option):
            yield from self.each(sight, card)
        yield from super().of(game, view, kind, option)

    def cards(self, sight: Sight, kind: str, option: Any) -> Cards:
        """Both cards of a pair."""
        if kind == "order":
            return (option, *(card for card in sight.own if card != option))
        return tuple(option) if kind == "cards" else ()


class Nifty(RowGame[NiftyState]):
    """The nifty variant: the owner of the lowest card places both its cards, in either order."""

    id: ClassVar[str] = "nifty"
    aliases: ClassVar[tuple[str, ...]] = ("raffiniert",)
    seat_range: ClassVar[tuple[int, int]] = (2, 7)
    hand_size: ClassVar[int] = 14
    lessons: ClassVar[Lessons] = NiftyLessons()
    reasons: ClassVar[Reasons] = NiftyReasons()
    cards_a_turn: ClassVar[int] = 2
    decisions: ClassVar[tuple[Decision, ...]] = (CARDS, ORDER, ROW)
    events: ClassVar[tuple[type, ...]] = (RowsDeal, PlayPairs, Place, DealOver)
    course: ClassVar[str] = "for each turn `play`, then `place` for each seat"
    state_type = NiftyState

    def ask(self, state: NiftyState) -> None:
        """Ask every seat for two cards from its hand."""
        pairs = tuple([tuple(combinations(hand, 2)) for hand in state.hands])
        state.pending = Batch("cards", self._seats, pairs)

    def ask_again(self, state: NiftyState) -> None:
        if isinstance(state.pending, Batch) and state.pending.kind == "cards":
            self.ask(state)

    def on_cards(self, state: NiftyState, *pairs: tuple[int, int]) -> list[Event]:
        """Show all pairs."""
        for seat, pair in enumerate(pairs):
            for card in pair:
                state.hands[seat].remove(card)
                state.waiting.append((card, seat))
        state.waiting.sort()
        self._ask_for_order(state)
        event: PlayPairs = {"type": "play", "turn": state.turn, "cards": [list(pair) for pair in pairs]}
        return [event]

    def _ask_for_order(self, state: NiftyState) -> None:
        _, seat = state.waiting[0]
        pair = tuple([card for card, owner in state.waiting if owner == seat])
        state.pending = Batch("order", (seat,), (pair,))

    def on_order(self, state: NiftyState, first: int) -> list[Event]:
        """Place both cards of the seat, `first` before the other."""
        _, seat = state.waiting[0]
        own = [(card, owner) for card, owner in state.waiting if owner == seat]
        state.waiting = [(card, owner) for card, owner in state.waiting if owner != seat]
        state.queue = sorted(own, reverse=first != own[0][0])
        return self.resolve(state, [], [])

    def end_turn(self, state: NiftyState, events: list[Event]) -> None:
        """Go on after both cards of a seat are placed: ask the next seat, or end the turn."""
        if state.waiting:
            self._ask_for_order(state)
        else:
            super().end_turn(state, events)

    def cost(self, state: NiftyState, kind: str, option: Option) -> int:
        """Like `RowGame.cost`; a pair costs what its cards would cost alone."""
        if isinstance(option, tuple):
            return sum([super(Nifty, self).cost(state, "card", card) for card in option])
        return super().cost(state, kind, option)

    def open_cards(self, state: NiftyState) -> Iterable[Sequence[int]]:
        """Add the open cards that are waiting."""
        return *super().open_cards(state), [card for card, _ in state.waiting]

    def public(self, state: NiftyState) -> RowsView:
        """Like `RowGame.public`; waiting cards follow those of the seat that is placing."""
        played = [(seat, card) for card, seat in (*state.queue, *state.waiting)]
        return {**super().public(state), "played": played}
