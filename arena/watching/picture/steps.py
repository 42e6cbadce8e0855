"""Steps: the changes of the picture. Most are the stages that games tell; the others are about the match around them."""

from dataclasses import dataclass

from bullring.arena.games.rules.game import Option
from bullring.arena.games.rules.stages import Stage


@dataclass(frozen=True)
class Began:
    """The match begins."""


@dataclass(frozen=True)
class Asked:
    """Seats are asked for a decision of some kind; what they answer stays hidden until the last one has answered."""

    kind: str
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Thinking:
    """Some of the seats that were asked have answered, these have not."""

    seats: tuple[int, ...]


@dataclass(frozen=True)
class Chose:
    """A seat has made a decision that plays no card of its own, such as choosing a row."""

    seat: int
    kind: str
    answer: Option
    referee: bool
    """Whether the referee has chosen for it."""


@dataclass(frozen=True)
class Faulted:
    """A bot was at fault."""

    seat: int
    kind: str
    got: str
    """What came instead, as authors read it; a stranger's text in it is harmless."""
    closed: bool
    """Whether the referee plays this seat from here on."""


@dataclass(frozen=True)
class Ended:
    """The match is over."""

    ranks: tuple[int, ...]
    """By seat, from 1; all 0 or none at all if the match is void."""
    void: str | None


Step = Began | Asked | Thinking | Chose | Faulted | Ended | Stage
