"""One place at the table during a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bullring.arena.games.rules.game import Option
from bullring.arena.match.clock.judge import SeatClock
from bullring.arena.match.clock.plain_time import Thought
from bullring.arena.match.clock.waves import Thinker
from bullring.arena.match.composer import Addressee
from bullring.arena.match.faults import Fault
from bullring.arena.match.seats.player import Player


@dataclass(eq=False, slots=True)
class Place(Addressee):
    """A seat, its player, and what the referee knows about both."""

    clock: SeatClock = field(default_factory=SeatClock)
    course: Any = None
    """The course of its match."""
    player: Player | None = None
    """The player, or None once the seat is closed."""
    faults: list[Fault] = field(default_factory=list)
    times_us: list[int] = field(default_factory=list)
    closed: bool = False
    person: bool = False
    """Whether a person sits here."""
    welcome: bytes = b""
    """Its welcome, until it is sent."""
    request: int = -1
    """The index of the request in the current batch that it has to answer, or -1."""
    options: Sequence[Option] = ()
    """The options of that request."""
    received: int = 0
    """Bytes received since the question that were not an answer."""
    thinker: Thinker | None = None
    """The seat as the waves see it; None if it never had a player."""
    thinks: bool = False
    """Whether it is among the waves."""
    long: bool = False
    """Whether its last decision was a long one."""
    shrank: int = 0
    """The pairs of its bot's decisions that were ended here, in which it thought much less where others had its core for longer."""
    grew: int = 0
    """Those in which it thought much more (`clock.plain_time`)."""
    thought: Thought = field(default_factory=Thought)
    """What is known of the bot's thinking about its question, once it has thought for a while."""
    stained: bool = False
    """Whether complaint, received or the clock's former windows are set. This is rare, so they are cleaned only then."""

    def clean(self) -> None:
        """Reset what belonged to the last question."""
        self.stained, self.complaint, self.received = False, None, 0
        self.clock.clear()
        self.thought.rested_us = self.thought.unread_us = 0
