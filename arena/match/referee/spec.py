"""The specification of a match, and its result."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.board import Board
from bullring.arena.games.rules.game import Game
from bullring.arena.match.faults import Fault
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits

Pulse = Callable[[int, tuple[int, ...]], None]
"""Takes the number of the batch, from 1, and the seats whose answers are still missing."""


@dataclass(frozen=True)
class MatchSpec:
    """Everything that is settled before the first card."""

    game: Game[Any]
    names: Sequence[str]
    """The names of the bots, by seat."""
    seed: Seed
    limits: Limits = field(default_factory=Limits)
    pulse: Pulse | None = None
    """A listener for people who watch. It is told who still thinks, never an answer, whenever that changes in a turn that takes
    longer than a moment. It must not block or raise."""
    began: str = ""
    """Date and time of the beginning, as text for the record."""
    version: str = ""
    """The version of this program, for the record."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Further keys for the head of the record."""
    people: Sequence[int] = ()
    """The seats of people: no clock runs for them, and the record says that their answers are theirs."""
    people_us: int = 0
    """The limit that people are told, in microseconds; 0 for none."""


@dataclass
class SeatResult:
    """The result of one seat."""

    score: int
    """Total heads."""
    rank: int
    """From 1; ties share a place, and closed seats share the last one. 0 in a void match."""
    faults: list[Fault]
    times_us: list[int]
    """The time of each decision that the bot was asked for, in microseconds."""
    shrank: int = 0
    """Pairs of decisions in which it thought much less where others had its core for longer (`clock.plain_time`)."""
    grew: int = 0
    """Those in which it thought much more."""


@dataclass
class MatchResult:
    """The result of a match."""

    seats: list[SeatResult]
    void: str | None
    """The reason why the match does not count, or None if it counts."""
    deals: int = 0
    """The number of deals played."""
    board: Board = ()
    """The table at the end."""
    ended: str = ""
    """Date and time of the end, as text for the record."""
