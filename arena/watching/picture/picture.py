"""The picture of a table at one moment, as a value. All texts in it are harmless."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bullring.arena.games.rulebook.language import Reader
from bullring.arena.games.rulebook.wording import Wording, wording
from bullring.arena.games.rules.board import Board
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.picture.steps import Step

Tone = Literal["plain", "take", "deal", "fault", "end"]
"""The subject of a line of the history."""


@dataclass(frozen=True)
class Line:
    """A line of the running history."""

    deal: int
    turn: int
    text: str
    tone: Tone = "plain"
    seat: int | None = None
    """The seat that it is about, if it is about one."""


@dataclass(frozen=True)
class SeatPicture:
    """The public part of a seat."""

    name: str
    person: bool = False
    """Whether a person sits there."""
    reads: bool = False
    """Whether that person is the one who looks at the picture, and is addressed by sentences."""
    score: int = 0
    """Heads in all."""
    heads: int | None = None
    """Heads of this deal; None in games that count them later."""
    figures: Mapping[str, int] = field(default_factory=dict)
    """Other figures of the game beside the name, by title."""
    cards: tuple[int, ...] = ()
    """The cards that it has shown in this turn."""
    left: int = 0
    """Cards in its hand."""
    asked: bool = False
    """Whether it is being asked and has not answered yet."""
    down: bool = False
    """Whether its answer lies face down before it, because others still think."""
    took: int = 0
    """Heads taken in this turn."""
    us: int | None = None
    """The time of its latest decision, in microseconds."""
    times: tuple[int, ...] = ()
    """The times of all its decisions, in microseconds."""
    faults: int = 0
    closed: bool = False
    """Whether the referee plays this seat."""
    rank: int | None = None
    """Its place, when the match is over."""
    hand: tuple[int, ...] | None = None
    """Its hand, if hands are open."""

    @property
    def called(self) -> str:
        """Its name in sentences."""
        return Reader(self.name) if self.reads else self.name


@dataclass(frozen=True)
class Picture:
    """The picture of a table. Seats count from 0, rows and stacks from 1."""

    game: str = ""
    """The id of the game."""
    bears: tuple[int, ...] = ()
    """Heads by card."""
    deal: int = 0
    planned: int | None = None
    """The number of deals, if it is settled."""
    target: int | None = None
    """The total that ends the match otherwise, if there is one."""
    turn: int = 0
    """0 before the first turn of a deal, during a draft for example."""
    kind: str = ""
    """The kind of decision that is asked for; empty while no seat is asked."""
    limit_us: int | None = None
    """The limit of the decision; None without a clock."""
    seats: tuple[SeatPicture, ...] = ()
    board: Board = ()
    fresh: tuple[int, ...] = ()
    """The cards that are new on the table in this turn."""
    falling: int | None = None
    """The number of the row or stack that is about to be taken."""
    mover: int | None = None
    """The seat that moves right now."""
    moving: int | None = None
    """The card that moves right now."""
    taken: tuple[int, ...] = ()
    """The cards on their way to the mover."""
    deals: tuple[tuple[int, ...], ...] = ()
    """By deal that is over, the heads by seat."""
    log: tuple[Line, ...] = ()
    """The last lines of the history."""
    over: bool = False
    void: str | None = None

    @property
    def words(self) -> Wording:
        """The texts of the game. There must be one."""
        return wording(GAMES[self.game])

    def with_seat(self, seat: int, **changes: object) -> "Picture":
        """The picture with one seat changed."""
        seats = list(self.seats)
        seats[seat] = replace(seats[seat], **changes)  # type: ignore[arg-type]  # the callers know the fields
        return replace(self, seats=tuple(seats))


def timeless(picture: Picture) -> Picture:
    """The picture without clocks: where no time passes, or nobody asks for them."""
    return replace(picture, limit_us=None, seats=tuple(replace(seat, us=None, times=()) for seat in picture.seats))


@dataclass(frozen=True)
class Frame:
    """A step and the picture after it."""

    step: Step
    picture: Picture
    said: tuple[Line, ...] = ()
    """The lines of history that this step has added."""
    line: int = 0
    """The line of the record that it follows from, from 1."""
