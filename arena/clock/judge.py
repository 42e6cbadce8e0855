"""Where a time loss is judged: the clock of one seat, and what is to be said of it when its deadline has passed.

Pure: a test hands in moments and evidence. All times are whole microseconds; moments are counted from any fixed one.

A deadline is the moment of the question, plus the limit, plus what is left of the bank, plus the *credit*: time in which the
machine stood still or others had the processor. A bot is late only when its deadline has passed, its pipe was read once more
and was empty, and no evidence moves the deadline (law 8: a fault of the host is never blamed on a bot).
"""

from dataclasses import dataclass
from enum import Enum, auto

STALL_MARGIN_US = 50_000
"""If the referee itself woke up later than this, its machine stood still, and that time is not the bot's."""

STALL_SHARE = 0.25
"""If more than this share of a bot's time was lost to stalls, nothing can be said of its time, and the match is void."""

WAITING_MARGIN_US = 5_000
"""If a bot wanted to run and could not for longer than this, because others did, that time is not its own."""


class Ruling(Enum):
    """What is said of a seat whose deadline has passed and whose pipe was empty."""

    LATE = auto()
    """It is late."""
    MORE_TIME = auto()
    """Its deadline has moved and lies in the future again."""
    UNKNOWN = auto()
    """The machine stood still for so long that nothing can be said of the bot's time."""


@dataclass(frozen=True)
class Evidence:
    """What the referee measured of the machine while a seat was thinking."""

    stalled_us: int = 0
    """How long the machine is known to have stood still since the question."""
    waited_us: int = 0
    """How long the bot wanted to run and could not, because others had the processor."""


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat: of its present question, and its bank for the whole match."""

    bank_us: int = 0
    limit_us: int = 0
    """The limit of the present question."""
    asked_us: int = 0
    """When it was asked."""
    credit_us: int = 0
    """What has been given back since then."""
    stalled: bool = False
    """Whether the credit is for a stall of the machine; otherwise others had the processor."""

    @property
    def allowed_us(self) -> int:
        """The time for the present question, the bank included."""
        return self.limit_us + self.bank_us

    @property
    def deadline_us(self) -> int:
        """The moment after which an answer is late."""
        return self.asked_us + self.limit_us + self.bank_us + self.credit_us

    def stop(self, elapsed_us: int) -> bool:
        """An answer has come after so long: charge the bank with what exceeds the limit. Returns whether the bank has changed."""
        over = elapsed_us - self.limit_us - self.credit_us
        if over <= 0 or not self.bank_us:
            return False
        self.bank_us = max(0, self.bank_us - over)
        return True

    def judge(self, now_us: int, evidence: Evidence) -> Ruling:
        """Rule on a deadline that has passed. `LATE` empties the bank; `MORE_TIME` has given back what the evidence shows."""
        if evidence.stalled_us > STALL_SHARE * self.allowed_us:
            return Ruling.UNKNOWN
        if self.give_back(evidence) and self.deadline_us > now_us:
            return Ruling.MORE_TIME
        self.bank_us = 0
        return Ruling.LATE

    def give_back(self, evidence: Evidence) -> bool:
        """Move the deadline by what the evidence shows, waiting at most by the whole time allowed. Returns whether it has moved."""
        waited = min(evidence.waited_us, self.allowed_us)
        if evidence.stalled_us <= max(self.credit_us, STALL_MARGIN_US) and waited <= self.credit_us + WAITING_MARGIN_US:
            return False
        self.stalled = evidence.stalled_us >= waited
        self.credit_us = max(evidence.stalled_us, waited)
        return True

    def given_back(self) -> str:
        """What was given back, to be told with a time loss; empty if nothing was."""
        if not self.credit_us:
            return ""
        why = "the machine stood still" if self.stalled else "others had the processor"
        return f" (not counting {self.credit_us / 1000:.0f} ms in which {why})"
