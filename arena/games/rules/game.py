"""The interface that every game of the family offers to the rest of the program.

A game is a state machine over values: `Game.deal` and `Game.apply` return a new state and leave the old one unchanged. Both copy
the state and then step in place; callers that own a state exclusively may call the steps, `advance_deal` and `advance`, directly.
The `pending` of a state says what it waits for:

* a `Shuffle`: cards to be dealt. The caller passes them to `Game.deal`.
* a `Batch` of decision requests: the caller passes all answers at once to `Game.apply`. A batch of n requests is a hidden
  simultaneous play; a batch of one is anything else (a row, a draft, an open play). No answer is seen before the batch is
  complete.
* `None`: the match is over.

Every request lists its legal options, and an answer is one of them, so a player that always takes the first option plays legally.

Events are public. The only thing that a seat alone knows is its hand.

To write a game, define its `deck`, how many cards are dealt, how a deal begins (`begin`), a method ``on_<kind>`` for each kind of
decision, and what is visible. A game also declares its decisions, its events, the keys of its view and what lies on the
table. What it says to people is in its texts (`arena.games.rulebook.wording`). Documents, displays and ladders ask the game and
know no game by name.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from bullring.arena.games.rules.board import Board
from bullring.arena.games.rules.decision import Decision
from bullring.arena.games.rules.errors import IllegalAnswer, SeatsError
from bullring.arena.games.rules.events import Event
from bullring.arena.games.rules.figures import Figure, figures_of_deck
from bullring.arena.games.rules.lessons import Lessons
from bullring.arena.games.rules.options import OptionSpec, OptionValue, resolve
from bullring.arena.games.rules.reasons import Reasons
from bullring.arena.games.rules.sayings import counted
from bullring.arena.games.rules.stages import Changed, DealOver, Opened, Stage

Option = int | str | tuple[int, ...]
"""One legal answer: a card, a row (1..4), a word, or a few numbers."""


TAKEN = "deal"
"""Title of the column with the heads each seat took in this deal, in games that count heads immediately."""


class Shuffle(NamedTuple):
    """A request for cards: the first `cards` of a shuffled `deck`."""

    deck: tuple[int, ...]
    cards: int


class Batch(NamedTuple):
    """Decisions made at the same time and hidden from each other: one request for each of `seats`."""

    kind: str
    """The kind of decision: "card", "row", ..."""
    seats: tuple[int, ...]
    options: Sequence[Sequence[Option]]
    """The legal answers of each seat, in the order of `seats`."""


class Landing(NamedTuple):
    """A row in which a card may be laid."""

    place: int
    """The number of the row, from 1."""
    heads: int
    """The heads that its owner takes then; 0 where there is room for the card."""
    left: bool = False
    """Whether it goes to the left end."""


class State(Protocol):
    """The common part of the states of all games."""

    @property
    def pending(self) -> Batch | Shuffle | None:
        """The cards or answers that the game waits for."""

    @property
    def deal(self) -> int:
        """The number of the current deal, from 1; 0 before the first."""

    @property
    def turn(self) -> int:
        """The number of the turn in this deal, from 1; 0 before the first."""

    @property
    def scores(self) -> Sequence[int]:
        """By seat, the heads of all deals so far."""

    def copy(self) -> Self:
        """A copy that shares no mutable data with this state."""


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """The rules of one game for a given number of seats and given options.

    An instance holds no match state, so one instance serves any number of matches.
    """

    id: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    seat_range: ClassVar[tuple[int, int]]
    """The fewest and the most seats."""
    option_specs: ClassVar[tuple[OptionSpec, ...]] = ()
    heads: ClassVar[Sequence[int]]
    """Heads by card."""
    decisions: ClassVar[tuple[Decision, ...]]
    """All kinds of decisions."""
    events: ClassVar[tuple[type, ...]]
    """All types of events, as `TypedDict`s."""
    view_type: ClassVar[type]
    """The keys of `public`, as a `TypedDict`."""
    is_duplicate: ClassVar[bool] = False
    """Whether by its rules every seat plays the same cards within one match, so that nothing is left to be played again."""
    family: ClassVar[str] = ""
    """The name under which texts of a class that several games are made of are looked up; empty in the games themselves."""
    lessons: ClassVar[Lessons] = Lessons()
    """The lessons of turns for people who learn the game; their sentences are in its texts."""
    reasons: ClassVar[Reasons] = Reasons()
    """The facts that speak for or against an option; their sentences are in its texts."""
    course: ClassVar[str]
    """The sequence of events between the first and the last of a deal, in Markdown."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None, start: int = 0) -> None:
        """Raise `SeatsError` or `OptionError` for seats or options the game does not allow.

        `start` is the starting seat, for games in which one matters.
        """
        low, high = self.seat_range
        if not low <= seats <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise SeatsError(f"{self.id} is for {wanted} seats, not {seats}")
        if not 0 <= start < seats:
            raise SeatsError(f"the starting seat must be one of 0..{seats - 1}, not {start}")
        self.seats = seats
        self.start = start
        self.options: dict[str, OptionValue] = resolve(self.option_specs, options or {}, self.id)
        deck = self.deck()
        self.shuffle = Shuffle(deck, self.dealt())
        self._cards = frozenset(deck)
        self._seats = tuple(range(seats))

    @abstractmethod
    def deck(self) -> tuple[int, ...]:
        """The cards shuffled for each deal, in the order before the shuffle."""

    @abstractmethod
    def dealt(self) -> int:
        """The number of cards of the deck that a deal takes."""

    @abstractmethod
    def new(self) -> S:
        """The state before the first card is dealt."""

    def deal(self, state: S, cards: Sequence[int]) -> tuple[S, list[Event]]:
        """Deal `cards` to a state whose `pending` is a `Shuffle`. Returns the new state and the events.

        Raises `IllegalAnswer` if the cards are not from its deck. Leaves `state` unchanged.
        """
        after = state.copy()
        return after, self.advance_deal(after, cards)

    def apply(self, state: S, answers: Sequence[Option]) -> tuple[S, list[Event]]:
        """Apply `answers`, in the order of the pending `Batch`. Returns the new state and the events.

        Raises `IllegalAnswer` if an answer is not among its options. Leaves `state` unchanged.
        """
        after = state.copy()
        return after, self.advance(after, answers)

    def advance_deal(self, state: S, cards: Sequence[int]) -> list[Event]:
        """Like `deal`, but in place, for callers that own the state exclusively, such as a simulation or the referee."""
        if not isinstance(state.pending, Shuffle):
            raise IllegalAnswer("cards were dealt while none are expected")
        deck, count = self.shuffle
        # The set is a fast check for the usual case of distinct cards; decks with equal cards need the counters.
        if len(cards) != count or (
            len(self._cards.intersection(cards)) != count and not Counter(cards) <= Counter(deck)
        ):
            raise IllegalAnswer(f"a deal must be {count} cards of the deck, none more often than the deck has it")
        return self.begin(state, cards)

    def advance(self, state: S, answers: Sequence[Option]) -> list[Event]:
        """Like `apply`, but in place, for callers that own the state exclusively. An `IllegalAnswer` leaves the state unchanged."""
        batch = state.pending
        if not isinstance(batch, Batch):
            raise IllegalAnswer("answers were given while none are expected")
        if len(answers) != len(batch.seats):
            raise IllegalAnswer(f"expected {counted(len(batch.seats), 'answer')}, not {len(answers)}")
        for seat, options, answer in zip(batch.seats, batch.options, answers, strict=True):
            if answer not in options:
                raise IllegalAnswer(f"seat {seat} must answer {batch.kind} with one of {list(options)}, not {answer!r}")
        events: list[Event] = getattr(self, f"on_{batch.kind}")(state, *answers)
        return events

    @abstractmethod
    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """Begin the next deal with these cards, already checked against the deck. Returns the events."""

    @abstractmethod
    def public(self, state: S) -> Mapping[str, Any]:
        """The part of the view that all seats share."""

    @abstractmethod
    def hand(self, state: S, seat: int) -> Sequence[int]:
        """The cards that `seat` holds: the only private part of its view."""

    @abstractmethod
    def fallback(self, state: S, index: int) -> Option:
        """The referee's answer to request number `index` of the pending batch when the bot gives none.

        It is legal, the cheapest in the obvious sense, and chosen the same way for every seat.
        """

    @abstractmethod
    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """A copy of the state with everything `seat` cannot know redrawn; `shuffle` shuffles a list in place.

        For bots that search, and for the test that views leak nothing.
        """

    @abstractmethod
    def board(self, state: S) -> Board:
        """The open cards on the table."""

    def landings(self, view: Mapping[str, Any], card: int) -> Sequence[Landing]:
        """The rows in which the owner of a view could lay a card if it were laid now, before all others: several where there is a
        choice, and none in games without rows."""
        return ()

    def columns(self, state: S) -> Mapping[str, Sequence[int]]:
        """Figures by seat that displays show beside the names, keyed by title (`TAKEN` is one)."""
        return {}

    def stages(self, before: S, events: Sequence[Event]) -> Iterator[Stage]:
        """Yield the stages between the state `before` and the next question, one after the other.

        A game that tells nothing better has one stage for the deal, one for all else, and one for the end of the deal.
        """
        for event in events:
            yield self.ending(event) or (Opened() if event["type"] == "deal" else Changed())

    @staticmethod
    def ending(event: Event) -> DealOver | None:
        """The stage for the end of a deal; None for other events."""
        if event["type"] != "deal_over":
            return None
        hands = event.get("hands")
        shown = None if hands is None else tuple(tuple(hand) for hand in hands)
        return DealOver(event["deal"], tuple(event["heads"]), tuple(event["scores"]), shown)

    def planned_deals(self) -> int | None:
        """The number of deals in a match, or None if it is not known before the match begins."""
        return None

    def goal(self) -> str:
        """The end of a match without a fixed number of deals: "to 66 heads"."""
        return ""

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """The figures in the rules text, by their names in braces."""
        return figures_of_deck(cls)

    @classmethod
    def decision(cls, kind: str) -> Decision:
        """The decision of this kind. Raises `KeyError` if the game does not have it."""
        for decision in cls.decisions:
            if decision.kind == kind:
                return decision
        raise KeyError(kind)

    def view(self, state: S, seat: int) -> dict[str, Any]:
        """Everything `seat` may know of `state`."""
        return {**self.public(state), "seat": seat, "hand": self.hand(state, seat)}

    def __repr__(self) -> str:
        return f"<{self.id} for {self.seats}, {self.options}>"
