"""What bots can do wrong: one enum, one report."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FaultKind(StrEnum):
    """Why a move was made by the referee instead of the bot."""

    START = "start"
    """It could not be started or said no hello in time."""
    TIMEOUT = "timeout"
    """No answer when the deadline passed."""
    CRASH = "crash"
    """It ended, or closed its output."""
    ILLEGAL = "illegal"
    """Its answer is none of the options."""
    PROTOCOL = "protocol"
    """It sent what SPEC.md does not allow."""
    OUTPUT = "output"
    """It wrote more than is allowed."""
    MEMORY = "memory"
    """It took more memory than is allowed."""


FATAL = frozenset({FaultKind.START, FaultKind.CRASH, FaultKind.OUTPUT, FaultKind.MEMORY})
"""Faults that close the seat at once. Others are strikes. (A protocol fault after which no message can be found is fatal, too.)"""

STRIKES = 3
"""So many faults in one match close the seat."""


@dataclass
class Fault:
    """One fault of one seat, with all that its author needs to find it."""

    kind: FaultKind
    seat: int
    decision: str
    """Which decision: "deal 2, turn 5, card"."""
    expected: str
    got: str
    elapsed_us: int
    """From the question to the verdict."""
    strike: int
    closed: bool
    """Whether the seat was closed with this fault."""
    exit: str = ""
    """How the process ended, once that is known."""
    stderr: str = ""
    """The end of what the bot wrote to stderr in this match, once the match is over."""

    def facts(self) -> dict[str, Any]:
        """For the record and for `--json`."""
        facts: dict[str, Any] = {
            "kind": self.kind.value,
            "decision": self.decision,
            "expected": self.expected,
            "got": self.got,
            "elapsed_ms": self.elapsed_us / 1000,
            "strike": self.strike,
            "closed": self.closed,
        }
        if self.exit:
            facts["exit"] = self.exit
        if self.stderr:
            facts["stderr"] = self.stderr
        return facts
