"""What every game of the family is to the rest of the program.

A game is a state machine over values: `Game.deal` and `Game.apply` make a new state and leave the old one alone. (Both are
a copy and a step in place, `advance_deal` and `advance`, which may be taken alone by who shares the state with nobody.)
A state always says what it waits for in `pending`:

* a `Shuffle`: cards are to be dealt. Whoever runs the game hands them in with `Game.deal`.
* a `Batch` of decision requests: the answers are handed in all at once with `Game.apply`. A batch of n requests is a
  hidden simultaneous play, a batch of one is anything else (a row, a draft, an open play). Nobody sees an answer of a batch
  before it is complete.
* `None`: the match is over.

Every request lists its legal options and an answer is one of them, so a player that always takes the first one is legal.

Events are public. All that a seat knows alone is its hand.

A game is written as: its `deck` and how much of it is dealt, how a deal `begin`s, a method ``on_<kind>`` for each kind of decision,
and what can be seen. It also declares all that is to be said of it: its decisions, its events, the keys of its view, its rules in
words, what lies on the table. Documents, displays and ladders ask the game, and know none by name.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypeVar

from bullring.arena.rules.board import Board, Told
from bullring.arena.rules.decision import Decision
from bullring.arena.rules.events import Event
from bullring.arena.rules.figures import Figure, figures_of_deck
from bullring.arena.rules.options import OptionSpec, OptionValue, resolve
from bullring.arena.rules.wording.text import Rules, Text
from bullring.errors import IllegalAnswer, SeatsError

Option = int | str | tuple[int, ...]
"""One legal answer: a card, a row (1..4), a word, or a few numbers."""


TAKEN = "deal"
"""The column of the heads that each seat has taken in this deal, in games that count them at once."""


class Shuffle(NamedTuple):
    """Cards are wanted: the first `cards` of a shuffle of `deck`."""

    deck: tuple[int, ...]
    cards: int


class Batch(NamedTuple):
    """Decisions that are made at the same time, hidden from each other: one request for each of `seats`."""

    kind: str
    """What is decided: "card", "row", ..."""
    seats: tuple[int, ...]
    options: Sequence[Sequence[Option]]
    """The legal answers of each seat, in the order of `seats`."""


class State(Protocol):
    """What all states have; each game has more of its own."""

    @property
    def pending(self) -> Batch | Shuffle | None:
        """What the game waits for."""

    @property
    def deal(self) -> int:
        """The deal that is played, from 1; 0 before the first."""

    @property
    def turn(self) -> int:
        """The turn of this deal, from 1; 0 before the first."""

    @property
    def scores(self) -> Sequence[int]:
        """Each seat's heads in all deals so far."""

    def copy(self) -> Self:
        """A state that shares nothing that may change."""


S = TypeVar("S", bound=State)


class Game(ABC, Generic[S]):
    """The rules of one game, for a number of seats and with its options given.

    An instance holds no state of a match: one serves any number of them.
    """

    id: ClassVar[str]
    title: ClassVar[Text]
    aliases: ClassVar[tuple[str, ...]] = ()
    seat_range: ClassVar[tuple[int, int]]
    """The fewest and the most seats."""
    option_specs: ClassVar[tuple[OptionSpec, ...]] = ()
    heads: ClassVar[Sequence[int]]
    """By card, the heads that it bears."""
    decisions: ClassVar[tuple[Decision, ...]]
    """All that can be asked."""
    events: ClassVar[tuple[type, ...]]
    """All that can happen, as `TypedDict`s."""
    view_type: ClassVar[type]
    """The keys of `public`, as a `TypedDict`."""
    is_duplicate: ClassVar[bool] = False
    """Whether in one match everybody plays the same cards, so that nobody need repeat it in other seats."""

    summary: ClassVar[str]
    """One sentence that says what is different here."""
    source: ClassVar[Text]
    """Which rulebook, which section."""
    rules: ClassVar[Rules]
    """The rules in words, for people."""
    for_bots: ClassVar[str]
    """The rules as SPEC.md tells them to authors of bots, in Markdown."""
    course: ClassVar[str]
    """Which events come in a deal, between its first and its last, in Markdown."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None, start: int = 0) -> None:
        """Raise `SeatsError` or `OptionError` if the game is not played so. `start` is the starting seat, where one matters."""
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
        """The cards that are shuffled for each deal, in their listed order."""

    @abstractmethod
    def dealt(self) -> int:
        """How many cards of the deck a deal wants."""

    @abstractmethod
    def new(self) -> S:
        """The state before the first card is dealt."""

    def deal(self, state: S, cards: Sequence[int]) -> tuple[S, list[Event]]:
        """The state after `cards` are dealt to one whose `pending` is a `Shuffle`, and what everybody sees of it.

        Raises `IllegalAnswer` if they are not from its deck. Changes nothing of `state`.
        """
        after = state.copy()
        return after, self.advance_deal(after, cards)

    def apply(self, state: S, answers: Sequence[Option]) -> tuple[S, list[Event]]:
        """The state after `answers` to the pending `Batch`, in its order, and what everybody sees of it.

        Raises `IllegalAnswer` if one is not among its options. Changes nothing of `state`.
        """
        after = state.copy()
        return after, self.advance(after, answers)

    def advance_deal(self, state: S, cards: Sequence[int]) -> list[Event]:
        """As `deal`, but in place: for who alone holds the state, like a simulation or the referee."""
        if not isinstance(state.pending, Shuffle):
            raise IllegalAnswer("cards were dealt where none are wanted")
        deck, count = self.shuffle
        # Different cards are the usual case, and seen at once; equal ones may be in the deck, too.
        if len(cards) != count or (
            len(self._cards.intersection(cards)) != count and not Counter(cards) <= Counter(deck)
        ):
            raise IllegalAnswer(f"a deal must be {count} cards, none of them more often than in the deck")
        return self.begin(state, cards)

    def advance(self, state: S, answers: Sequence[Option]) -> list[Event]:
        """As `apply`, but in place: for who alone holds the state. After an `IllegalAnswer` the state is as before."""
        batch = state.pending
        if not isinstance(batch, Batch):
            raise IllegalAnswer("answers were given where none are wanted")
        if len(answers) != len(batch.seats):
            raise IllegalAnswer(f"{len(batch.seats)} answers are wanted, not {len(answers)}")
        for seat, options, answer in zip(batch.seats, batch.options, answers, strict=True):
            if answer not in options:
                raise IllegalAnswer(f"seat {seat} must answer {batch.kind} with one of {list(options)}, not {answer!r}")
        events: list[Event] = getattr(self, f"on_{batch.kind}")(state, *answers)
        return events

    @abstractmethod
    def begin(self, state: S, cards: Sequence[int]) -> list[Event]:
        """The next deal with these cards, which are of the deck."""

    @abstractmethod
    def public(self, state: S) -> Mapping[str, Any]:
        """The part of the view that all seats share."""

    @abstractmethod
    def hand(self, state: S, seat: int) -> Sequence[int]:
        """The cards that `seat` holds: the only part of the view that is its own."""

    @abstractmethod
    def fallback(self, state: S, index: int) -> Option:
        """The move made for request number `index` of the pending batch when its bot gives none.

        Legal, the cheapest in the obvious sense and the same for everybody.
        """

    @abstractmethod
    def resample(self, state: S, seat: int, shuffle: Callable[[list[int]], None]) -> S:
        """The same state with all that `seat` cannot know drawn anew by `shuffle` (in place).

        For bots that search, and for the test that no view leaks anything.
        """

    @abstractmethod
    def board(self, state: S) -> Board:
        """What lies open on the table."""

    def columns(self, state: S) -> Mapping[str, Sequence[int]]:
        """Figures of the seats that are shown beside their names, by title (`TAKEN` is one)."""
        return {}

    def tell(self, before: S, events: Sequence[Event]) -> Iterator[Told]:
        """What came of answers to the state `before`, in sentences. The answers themselves, and the ends of deals, tell others."""
        return iter(())

    def planned_deals(self) -> int | None:
        """How many deals a match has, if that is settled before it begins."""
        return None

    def goal(self) -> str:
        """What ends a match whose deals are not settled: "to 66 heads"."""
        return ""

    @classmethod
    def figures(cls) -> dict[str, Figure]:
        """The figures in its rules, by the name that a sentence calls them."""
        return figures_of_deck(cls)

    @classmethod
    def decision(cls, kind: str) -> Decision:
        """The decision of this kind. Raises `KeyError` if it has none."""
        for decision in cls.decisions:
            if decision.kind == kind:
                return decision
        raise KeyError(kind)

    def view(self, state: S, seat: int) -> dict[str, Any]:
        """All that `seat` may know of `state`."""
        return {**self.public(state), "seat": seat, "hand": self.hand(state, seat)}

    def __repr__(self) -> str:
        return f"<{self.id} for {self.seats}, {self.options}>"
