"""The layout of observations and actions of one game with its seats and options, as plain data.

`bullring.train.layout` makes it of a game's own declarations. It is saved with a policy, so a bot needs nothing else to read
its questions as they were read in training.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

NUMBER, SEAT, NUMBERS, BY_SEAT, SHEET = "number", "seat", "numbers", "by seat", "sheet"
CARDS, LISTS, CARDS_BY_SEAT, WHICH_LIST = "cards", "lists", "cards by seat", "which list"
PAIRS_BY_SEAT, WHICH_STACK, SHARED = "pairs by seat", "which stack", "shared"
KIND, GIVEN = "kind", "given"

FORMS: dict[str, tuple[str, str]] = {
    NUMBER: ("(1,)", "the number, or 1 for true"),
    SEAT: ("(seats,)", "1 at the seat, counted from the own one"),
    NUMBERS: ("(n,)", "the numbers"),
    BY_SEAT: ("(seats,)", "the number of each seat, the own one first"),
    SHEET: (
        "(seats, seats)",
        "the number plus 1, or 0 for null; seats are counted from the own one in both directions",
    ),
    CARDS: ("(cards,)", "how often each card occurs"),
    LISTS: ("(lists, cards)", "how often each card occurs in each list"),
    CARDS_BY_SEAT: ("(seats, cards)", "how often each card occurs, the own seat first"),
    WHICH_LIST: ("(cards,)", "the number of the list that each card is in, from 1; 0 if it is in none"),
    PAIRS_BY_SEAT: ("(seats, cards)", "how often each card occurs, the own seat first"),
    WHICH_STACK: ("(cards,)", "the number of the stack of each card, from 1; 0 if it has none"),
    SHARED: ("(seats, cards)", "how often each card occurs, for both of its seats, the own one first"),
    KIND: ("(kinds,)", "1 at the kind"),
    GIVEN: ("(cards,)", "1 for each number"),
}
"""By form: the shape in words, and what the numbers of the array are."""


@dataclass(frozen=True)
class Field:
    """One part of an observation: an array of numbers, which are whole numbers though the array is of float32."""

    name: str
    """A key of the view, or "kind", "hand", "given"."""
    form: str
    """The form of the array that the value of the view becomes: one of the words above."""
    shape: tuple[int, ...]
    low: int
    high: int
    """The smallest and the largest number, both inclusive; larger ones are cut off."""
    meaning: str

    @property
    def size(self) -> int:
        """The count of its numbers."""
        size = 1
        for length in self.shape:
            size *= length
        return size


@dataclass(frozen=True)
class Action:
    """One action: an answer, a part of one, or the end of one."""

    kind: str
    """The kind of decision it answers; empty for waiting."""
    what: str
    """Either "answer", "part", "end" or "wait"."""
    value: int | str | None
    """The number or word; None for "end" and "wait"."""

    def __str__(self) -> str:
        return " ".join(str(part) for part in (self.kind, self.what, self.value) if part not in (None, ""))


@dataclass(frozen=True)
class Layout:
    """The observations and actions of a game with a number of seats and options."""

    game: str
    seats: int
    cards: int
    """The highest card of the deck. Arrays over cards have this length; card n is at n - 1."""
    kinds: tuple[str, ...]
    """The kinds of decisions, in the order of the field "kind"."""
    fields: tuple[Field, ...]
    actions: tuple[Action, ...]
    """By number. The last one is to wait: it is legal for a seat that is not asked, and only in the parallel environment."""

    @property
    def size(self) -> int:
        """The length of an observation."""
        return sum(field.size for field in self.fields)

    def slices(self) -> dict[str, slice]:
        """The place of each field in an observation, by its name."""
        at, found = 0, {}
        for field in self.fields:
            found[field.name] = slice(at, at + field.size)
            at += field.size
        return found

    def facts(self) -> dict[str, Any]:
        """The layout as values that JSON has."""
        return asdict(self)

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Layout":
        """The layout of such values. Raises `KeyError` or `TypeError` if they are something else."""
        return cls(
            game=facts["game"],
            seats=facts["seats"],
            cards=facts["cards"],
            kinds=tuple(facts["kinds"]),
            fields=tuple([Field(**{**field, "shape": tuple(field["shape"])}) for field in facts["fields"]]),
            actions=tuple([Action(**action) for action in facts["actions"]]),
        )
