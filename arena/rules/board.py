"""What lies open on the table, in the few forms there are: a game says what it has, and whoever shows it draws the forms.

Nothing here may change: what a game puts in is a copy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Cards = Sequence[int]


@dataclass(frozen=True)
class Rows:
    """Rows that have room for so many different cards, with their heads; some grow at both ends."""

    rows: Sequence[Cards]
    heads: Sequence[int]
    room: int
    both_ends: bool = False


@dataclass(frozen=True)
class Stacks:
    """Stacks, from the bottom to the top, and how many cards are left to turn up."""

    stacks: Sequence[Cards]
    left: int


@dataclass(frozen=True)
class Pool:
    """Cards that anybody may take."""

    cards: Cards


@dataclass(frozen=True)
class Waiting:
    """Open cards that have no place yet, each with its seat."""

    cards: Sequence[tuple[int, int]]
    """As (seat, card)."""


@dataclass(frozen=True)
class OpenHands:
    """What everybody knows of the hands, by seat, and how that is called: "holds"."""

    title: str
    hands: Sequence[Cards]


@dataclass(frozen=True)
class Sheet:
    """A score sheet that is full: hands, and of each hand, by seat, the heads taken with it."""

    hands: Sequence[Cards]
    heads: Sequence[Sequence[int]]


Part = Rows | Stacks | Pool | Waiting | OpenHands | Sheet
Board = tuple[Part, ...]


@dataclass(frozen=True)
class Told:
    """A sentence about seats: "{0} takes row 3", in which {0} stands for the first of `seats`."""

    text: str
    seats: tuple[int, ...] = ()

    def by_name(self, names: Sequence[str]) -> str:
        """The sentence with the names of the seats."""
        return self.text.format(*[names[seat] for seat in self.seats])
