"""One place at the table during a match."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from bullring.arena.clock.judge import SeatClock
from bullring.arena.clock.waves import Thinker
from bullring.arena.faults import Fault
from bullring.arena.rules.game import Option
from bullring.arena.seats.player import Player
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder


@dataclass(eq=False, slots=True)
class Place:
    """A seat, its player, and what the referee knows about both."""

    index: int
    clock: SeatClock
    player: Player | None = None
    """The player, or None once the seat is closed."""
    encoder: Encoder = ENCODERS[Dialect.MSGPACK]
    faults: list[Fault] = field(default_factory=list)
    times_us: list[int] = field(default_factory=list)
    told: int = 0
    """How many steps of the journal the bot has been told."""
    last_us: int = 0
    """The time of its last answer."""
    complaint: str | None = None
    """The description of its last fault, sent with the next question."""
    closed: bool = False
    seat_piece: bytes = b""
    """The encoded piece of its view with the seat number."""
    clock_pieces: dict[int, bytes] = field(default_factory=dict)
    """The encoded pieces of its questions with limit and bank, by limit; cleared when the bank changes."""
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
    stained: bool = False
    """Whether complaint, received or the clock's former windows are set. This is rare, so they are cleaned only then."""

    def clean(self) -> None:
        """Reset what belonged to the last question."""
        self.stained, self.complaint, self.received = False, None, 0
        self.clock.clear()

    def clock_piece(self, limit_us: int) -> bytes:
        """Encode, and keep, the piece of a question with this limit and the bank."""
        piece = self.clock_pieces[limit_us] = self.encoder.clock(limit_us, self.clock.bank_us)
        return piece
