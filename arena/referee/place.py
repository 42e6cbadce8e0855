"""One place at the table while a match is played."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bullring.arena.clock.judge import SeatClock
from bullring.arena.referee.faults import Fault
from bullring.arena.rules.game import Option
from bullring.arena.seats.player import Player
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder


@dataclass(eq=False, slots=True)
class Place:
    """A seat, its player, and what the referee knows of the two."""

    index: int
    clock: SeatClock
    player: Player | None = None
    """None once the seat is closed."""
    encoder: Encoder = ENCODERS[Dialect.MSGPACK]
    faults: list[Fault] = field(default_factory=list)
    times_us: list[int] = field(default_factory=list)
    told: int = 0
    """How many steps of the journal the bot knows."""
    last_us: int = 0
    """The time of its last answer."""
    complaint: str | None = None
    """What is to be said of its last fault with the next question."""
    closed: bool = False
    seat_piece: bytes = b""
    """The piece of its view that says which seat it is."""
    clock_pieces: dict[int, bytes] = field(default_factory=dict)
    """The pieces of its questions that say the limit and the bank, by limit; empty when the bank has changed."""
    request: int = -1
    """Which request of the present batch it has to answer, or -1."""
    options: Sequence[Option] = ()
    """Of that request."""
    received: int = 0
    """Bytes since the question that were not an answer."""
    waited: float | None = None
    """How long the program had waited for the processor in all when its turn became a slow one; None before that."""
    stained: bool = False
    """Whether complaint, received, waited or the clock's credit are set: rarely, so they are cleaned only then."""

    def clean(self) -> None:
        """Forget what belonged to the last question."""
        self.stained, self.complaint, self.received, self.waited = False, None, 0, None
        self.clock.credit_us = 0

    def clock_piece(self, limit_us: int) -> bytes:
        """The piece of a question with this limit and the bank."""
        piece = self.clock_pieces[limit_us] = self.encoder.clock(limit_us, self.clock.bank_us)
        return piece
