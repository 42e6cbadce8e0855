"""A kind of decision: all that is to be said of it, on the wire, in SPEC.md and to people."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Decision:
    """A kind of decision of a game. Its answers go to the game's method ``on_<kind>``."""

    kind: str
    """Its name on the wire."""
    asked: str
    """Who is asked: "all seats at the same time"."""
    options: str
    """What the options are: "the cards of your hand, ascending"."""
    fallback: str
    """What the referee chooses for a bot that gives no answer."""
    told: Callable[[Any], str]
    """What a seat does with an answer: "plays 32"."""
    waits: str = "thinking"
    """What a seat does while it is asked: "picks row"."""
    purpose: str = "play"
    """What the time is for: "take a row"."""
    begins_move: bool = False
    """Whether it begins a move of a seat; all others continue one."""
    shows: Callable[[Any], str] | None = None
    """What is shown as the card of a seat after its answer: "32"; None if the answer is no play."""

    def __repr__(self) -> str:
        return f"<Decision {self.kind}>"
