"""The messages about a match to the process of a person, in order. It receives nothing else."""

from dataclasses import dataclass
from typing import Any

from bullring.arena.watching.picture.picture import Frame


@dataclass(frozen=True)
class Preparing:
    """The match has not begun; `text` tells people why: a sandbox is proven, a bot is built."""

    text: str


@dataclass(frozen=True)
class Question:
    """A person is asked. One question is open at a time: the next one comes when it is answered, at whatever seat.

    It comes after the frames of everything that has led to it.
    """

    seat: int
    message: dict[str, Any]
    """The message `decide` of SPEC.md, as every bot gets it: "id", "kind", "options", "view", "events", ..."""
    limit: float | None
    """Seconds for the answer; None if no clock runs. `Table.time_left` has the clock."""

    @property
    def id(self) -> int:
        """The id that the answer must have."""
        return int(self.message["id"])

    @property
    def kind(self) -> str:
        """The kind of the decision: "card", "row", ..."""
        return str(self.message["kind"])

    @property
    def options(self) -> list[Any]:
        """The answers that are legal: numbers, words or lists of numbers. Never empty."""
        return list(self.message["options"])

    def allows(self, option: object) -> bool:
        """Whether this is one of the options; a list must be a list, and true is not a number."""
        return any(type(one) is type(option) and one == option for one in self.options)

    @property
    def view(self) -> dict[str, Any]:
        """All that the seat knows of the state: "hand", "rows", "scores", ..."""
        return dict(self.message["view"])


@dataclass(frozen=True)
class Remark:
    """Something to tell the person at a seat: why an answer was refused (its question comes again), or that the referee moves."""

    seat: int
    text: str


@dataclass(frozen=True)
class Over:
    """The match is over. The last frame, with the places, came before."""

    facts: dict[str, Any]
    """As `bullring match --json` prints them, with "record" (the path), "names", "people" (their seats), "deals" (the heads of
    each deal by seat), and "curve" ("deal", "turn" and the "heads" by seat after it); "sheet" in games that have one."""


@dataclass(frozen=True)
class Broken:
    """The match cannot go on now; `text` gives the reason and the remedy. If `record` is not empty, it can be resumed."""

    text: str
    record: str = ""


News = Preparing | Question | Frame | Remark | Over | Broken
