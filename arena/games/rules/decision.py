"""A kind of decision: its name on the wire, its description for documents, and its answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal


def cards_of(game: Any) -> Sequence[int]:
    """All cards of a game, ascending; equal cards are listed once. `game` is an `arena.games.rules.game.Game`."""
    return sorted(set(game.deck()))


def nothing(game: Any) -> Sequence[int]:
    """No numbers."""
    return ()


Thing = Literal["card", "row", "stack", "seat"]
"""Something on the table that a number can name. Rows and stacks count from 1, seats from 0."""


@dataclass(frozen=True)
class Decision:
    """A kind of decision in a game. The game's method ``on_<kind>`` takes its answers; its texts put them into words."""

    kind: str
    """The name on the wire."""
    asked: str
    """The seats that are asked: "all seats at the same time"."""
    options: str
    """The options: "the cards of your hand, ascending"."""
    fallback: str
    """The referee's choice for a bot that gives no answer."""
    begins_move: bool = False
    """Whether it begins a seat's move; all other kinds continue one."""
    shows: Callable[[Any], str] | None = None
    """Turns an answer into the card shown beside the seat: "32"; None if an answer does not play a card."""
    answers: Callable[[Any], Sequence[int | str]] = cards_of
    """The numbers and words that an answer may be in some position of a game; `bullring.train` makes its actions of them."""
    parts: Callable[[Any], Sequence[int]] = nothing
    """The numbers that occur in answers of several numbers."""
    names: Thing = "card"
    """The thing that an answer of one number names, so that people can point at it."""
    each: tuple[Thing, ...] = ("card",)
    """The things that an answer of several numbers names: one thing for all of them, in any order, or one for each in turn."""

    def __repr__(self) -> str:
        return f"<Decision {self.kind}>"
