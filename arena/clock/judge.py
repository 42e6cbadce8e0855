"""The clock of one seat, and the ruling when its deadline has passed.

Pure: times and evidence are passed in. All times are whole microseconds; points in time count from an arbitrary origin.

A deadline is the time of the question, plus the limit, plus what is left of the bank, plus the *credit*: time during which the
machine stood still or others had the processor. A bot is late only if its deadline has passed, its pipe was read once more
and was empty, and no evidence moves the deadline (law 8: a fault of the host is never blamed on a bot).
"""

from dataclasses import dataclass
from enum import Enum, auto

STALL_MARGIN_US = 50_000
"""If the referee itself woke up more than this late, its machine stood still, and the bot gets that time back."""

STALL_SHARE = 0.25
"""If stalls cost a bot more than this share of its time, the bot's time cannot be judged, and the match is void."""

WAITING_MARGIN_US = 5_000
"""If a bot was ready to run for longer than this while others had the processor, it gets that time back."""


class Ruling(Enum):
    """The ruling on a seat whose deadline has passed and whose pipe was empty."""

    LATE = auto()
    """The seat is late."""
    MORE_TIME = auto()
    """The deadline has moved and is in the future again."""
    UNKNOWN = auto()
    """The machine stood still for so long that the bot's time cannot be judged."""


@dataclass(frozen=True)
class Evidence:
    """Delays caused by the machine while a seat was thinking, as measured by the referee."""

    stalled_us: int = 0
    """How long the machine is known to have stood still since the question."""
    waited_us: int = 0
    """How long the bot was ready to run while others had the processor."""


@dataclass(slots=True)
class SeatClock:
    """The clock of one seat: the time of its current question, and its bank for the whole match."""

    bank_us: int = 0
    limit_us: int = 0
    """The limit of the current question."""
    asked_us: int = 0
    """When the current question was asked."""
    credit_us: int = 0
    """The time given back since then."""
    stalled: bool = False
    """Whether the credit is for a stall of the machine; if not, others had the processor."""

    @property
    def allowed_us(self) -> int:
        """The time allowed for the current question, including the bank."""
        return self.limit_us + self.bank_us

    @property
    def deadline_us(self) -> int:
        """The time after which an answer is late."""
        return self.asked_us + self.limit_us + self.bank_us + self.credit_us

    def stop(self, elapsed_us: int) -> bool:
        """Charge the bank with what an answer's elapsed time exceeds the limit. Returns whether the bank has changed."""
        over = elapsed_us - self.limit_us - self.credit_us
        if over <= 0 or not self.bank_us:
            return False
        self.bank_us = max(0, self.bank_us - over)
        return True

    def judge(self, now_us: int, evidence: Evidence) -> Ruling:
        """Rule on a deadline that has passed. `LATE` empties the bank; `MORE_TIME` gives back the time the evidence shows."""
        if evidence.stalled_us > STALL_SHARE * self.allowed_us:
            return Ruling.UNKNOWN
        if self.give_back(evidence) and self.deadline_us > now_us:
            return Ruling.MORE_TIME
        self.bank_us = 0
        return Ruling.LATE

    def give_back(self, evidence: Evidence) -> bool:
        """Move the deadline by the time the evidence shows; waiting counts up to the time allowed. Returns whether it moved."""
        waited = min(evidence.waited_us, self.allowed_us)
        if evidence.stalled_us <= max(self.credit_us, STALL_MARGIN_US) and waited <= self.credit_us + WAITING_MARGIN_US:
            return False
        self.stalled = evidence.stalled_us >= waited
        self.credit_us = max(evidence.stalled_us, waited)
        return True

    def given_back(self) -> str:
        """A note on the time given back, for the report of a time loss; empty if none was."""
        if not self.credit_us:
            return ""
        why = "the machine stood still" if self.stalled else "others had the processor"
        return f" (not counting {self.credit_us / 1000:.0f} ms in which {why})"
