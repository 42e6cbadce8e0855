"""The open cards on the table. A game describes its board with these parts, and displays draw the parts.

Parts are immutable: a game fills them with copies.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Cards = Sequence[int]


@dataclass(frozen=True)
class Rows:
    """Rows with their heads. Each has `room` for that many different cards; some grow at both ends."""

    rows: Sequence[Cards]
    heads: Sequence[int]
    room: int
    both_ends: bool = False


@dataclass(frozen=True)
class Stacks:
    """Stacks, each from bottom to top, and the number of cards left to turn up."""

    stacks: Sequence[Cards]
    left: int


@dataclass(frozen=True)
class Pool:
    """Open cards that any seat may take."""

    cards: Cards


@dataclass(frozen=True)
class Waiting:
    """Open cards that are not placed yet, each with its seat."""

    cards: Sequence[tuple[int, int]]
    """As (seat, card)."""


@dataclass(frozen=True)
class OpenHands:
    """The publicly known cards of each hand, by seat, and the words shown before them, such as "holds"."""

    title: str
    hands: Sequence[Cards]


@dataclass(frozen=True)
class Sheet:
    """A completed score sheet: the hands and, for each hand, the heads that each seat took with it."""

    hands: Sequence[Cards]
    heads: Sequence[Sequence[int]]


Part = Rows | Stacks | Pool | Waiting | OpenHands | Sheet
Board = tuple[Part, ...]
