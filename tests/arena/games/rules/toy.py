"""A toy game that is in no rulebook: all that a new game has to bring along, in one file and its texts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self, TypedDict

from bullring.arena.games.rulebook import language
from bullring.arena.games.rules.board import Board, Stacks
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.events import DealOver, Event, Key
from bullring.arena.games.rules.game import TAKEN, Batch, Game, Option, Shuffle
from bullring.arena.games.rules.options import OptionSpec
from bullring.arena.games.rules.stages import Changed, Stage

language.FOLDERS.append(Path(__file__).parent / "texts")

BID = Decision(
    "bid",
    "all seats at the same time",
    "the cards of your hand, ascending",
    "The lowest card.",
    begins_move=True,
    shows=str,
)


class ToyDeal(TypedDict):
    """A deal begins."""

    type: Literal["deal"]
    deal: Annotated[int, Key("integer", "Its number.")]


class Bids(TypedDict):
    """All bids are shown."""

    type: Literal["bids"]
    cards: Annotated[list[int], Key("by seat, cards", "What each seat bid.")]


class ToyView(TypedDict):
    """The public part of a view."""

    deal: Annotated[int, Key("integer", "The number of the deal.")]
    turn: Annotated[int, Key("integer", "The turn of this deal.")]
    gone: Annotated[list[list[int]], Key("lists of cards", "The bids of each turn so far.")]
    scores: Annotated[list[int], Key("by seat, integers", "The heads of each seat in all.")]


@dataclass
class ToyState:
    """A position: everything is replaced, nothing changed."""

    pending: Batch | Shuffle | None
    scores: list[int]
    deal: int = 0
    turn: int = 0
    hands: tuple[tuple[int, ...], ...] = ()
    gone: tuple[tuple[int, ...], ...] = ()
    before: tuple[int, ...] = ()
    """The scores when the deal began."""

    def copy(self) -> Self:
        return replace(self, scores=self.scores.copy())


class Toy(Game[ToyState]):
    """The highest bid takes a head for each seat."""

    id: ClassVar[str] = "toy"
    seat_range: ClassVar[tuple[int, int]] = (2, 5)
    option_specs: ClassVar[tuple[OptionSpec, ...]] = (OptionSpec("deals", 2, maximum=9),)
    heads: ClassVar[Sequence[int]] = (1,) * 21
    decisions: ClassVar[tuple[Decision, ...]] = (BID,)
    events: ClassVar[tuple[type, ...]] = (ToyDeal, Bids, DealOver)
    view_type: ClassVar[type] = ToyView
    course: ClassVar[str] = "for each turn `bids`"

    def deck(self) -> tuple[int, ...]:
        return tuple(range(1, 21))

    def dealt(self) -> int:
        return 3 * self.seats

    def new(self) -> ToyState:
        return ToyState(self.shuffle, [0] * self.seats)

    def begin(self, state: ToyState, cards: Sequence[int]) -> list[Event]:
        state.deal, state.turn, state.gone, state.before = state.deal + 1, 1, (), tuple(state.scores)
        state.hands = tuple(tuple(sorted(cards[at : at + 3])) for at in range(0, len(cards), 3))
        self._ask(state)
        event: ToyDeal = {"type": "deal", "deal": state.deal}
        return [event]

    def _ask(self, state: ToyState) -> None:
        state.pending = Batch("bid", self._seats, state.hands)

    def on_bid(self, state: ToyState, *cards: int) -> list[Event]:
        state.hands = tuple(
            tuple(card for card in hand if card != bid) for hand, bid in zip(state.hands, cards, strict=True)
        )
        state.gone = (*state.gone, cards)
        state.scores[cards.index(max(cards))] += self.seats
        bids: Bids = {"type": "bids", "cards": list(cards)}
        events: list[Event] = [bids]
        if state.hands[0]:
            state.turn += 1
            self._ask(state)
        else:
            over: DealOver = {
                "type": "deal_over",
                "deal": state.deal,
                "heads": [now - before for now, before in zip(state.scores, state.before, strict=True)],
                "scores": state.scores.copy(),
            }
            events.append(over)
            state.pending = None if state.deal == self.planned_deals() else self.shuffle
        return events

    def public(self, state: ToyState) -> ToyView:
        gone = [list(cards) for cards in state.gone]
        return {"deal": state.deal, "turn": state.turn, "gone": gone, "scores": state.scores}

    def hand(self, state: ToyState, seat: int) -> Sequence[int]:
        return state.hands[seat] if state.hands else ()

    def fallback(self, state: ToyState, index: int) -> Option:
        return state.hands[index][0]

    def resample(self, state: ToyState, seat: int, shuffle: Callable[[list[int]], None]) -> ToyState:
        return state.copy()

    def board(self, state: ToyState) -> Board:
        return (Stacks(state.gone, 0),) if state.gone else ()

    def columns(self, state: ToyState) -> Mapping[str, Sequence[int]]:
        return {TAKEN: [now - before for now, before in zip(state.scores, state.before or state.scores, strict=True)]}

    def stages(self, before: ToyState, events: Sequence[Event]) -> Iterator[Stage]:
        for stage, event in zip(super().stages(before, events), events, strict=True):
            cards = event.get("cards", ())
            yield Changed("most", (cards.index(max(cards)),)) if cards else stage

    def planned_deals(self) -> int | None:
        return int(str(self.options["deals"]))
