"""A match before it is played and after: what was settled, and how everybody fared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.clock.limits import Limits
from bullring.arena.referee.faults import Fault
from bullring.arena.rules.board import Board
from bullring.arena.rules.game import Game
from bullring.arena.seeds import Seed


@dataclass(frozen=True)
class MatchSpec:
    """All that is settled before the first card."""

    game: Game[Any]
    names: Sequence[str]
    """What to call each seat's bot."""
    seed: Seed
    limits: Limits = field(default_factory=Limits)
    pace: float = 0.0
    """Seconds to pause after each turn, while no clock runs, so that people can follow."""
    began: str = ""
    """When, as people write it; goes into the record."""
    version: str = ""
    """The version of this program; goes into the record."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What else belongs into the head of the record."""


@dataclass
class SeatResult:
    """How one seat fared."""

    score: int
    """Heads in all."""
    rank: int
    """From 1; equals share a place, and closed seats share the last one. 0 in a void match."""
    faults: list[Fault]
    times_us: list[int]
    """The time of each decision that was asked of the bot, in microseconds."""


@dataclass
class MatchResult:
    """How a match ended."""

    seats: list[SeatResult]
    void: str | None
    """Why the match does not count, or None if it does."""
    deals: int = 0
    """How many deals were played."""
    board: Board = ()
    """What lies on the table in the end."""


def ranks(scores: Sequence[int], closed: Sequence[bool]) -> list[int]:
    """Places from 1: fewest heads first, equals share (A03), and all closed seats share the last places."""
    keys = [(1, 0) if out else (0, score) for score, out in zip(scores, closed, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]
