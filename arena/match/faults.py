"""The faults of bots: their kinds, and the report of one fault."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FaultKind(StrEnum):
    """The kind of a fault."""

    START = "start"
    """The bot could not be started, or did not send its hello in time."""
    TIMEOUT = "timeout"
    """No answer before the deadline."""
    CRASH = "crash"
    """The bot ended, or closed its output."""
    ILLEGAL = "illegal"
    """An answer that is not one of the options."""
    PROTOCOL = "protocol"
    """A message that SPEC.md does not allow."""
    OUTPUT = "output"
    """More output than is allowed."""
    MEMORY = "memory"
    """More memory than is allowed."""


FATAL = frozenset({FaultKind.START, FaultKind.CRASH, FaultKind.OUTPUT, FaultKind.MEMORY})
"""Faults that close the seat at once. The others are strikes, except a protocol fault after which the next message cannot be
found, which is also fatal."""

STRIKES = 3
"""The number of faults in one match that closes the seat."""

BETWEEN = "between its decisions"
"""The decision named by a fault of a seat that is asked nothing."""


KEPT = 500
"""Bytes of what came that the report of a fault keeps."""


@dataclass
class Fault:
    """One fault of one seat, with everything the bot's author needs to find the cause."""

    kind: FaultKind
    seat: int
    decision: str
    """The decision, such as "deal 2, turn 5, card"."""
    expected: str
    got: str
    elapsed_us: int
    """From the question to the verdict."""
    strike: int
    closed: bool
    """Whether this fault closed the seat."""
    raw: bytes = b""
    """The beginning of the bytes that came, if they are at fault."""
    exit: str = ""
    """The end of the process in words, once that is known."""
    stderr: str = ""
    """The end of what the bot wrote to stderr in this match, once the match is over."""

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> "Fault":
        """A fault as it is in a record, without the bytes that came."""
        words = {key: facts[key] for key in ("seat", "decision", "expected", "got", "strike", "closed")}
        return cls(FaultKind(facts["kind"]), elapsed_us=round(facts["elapsed_ms"] * 1000), **words)

    def facts(self) -> dict[str, Any]:
        """The fault as JSON, for the record and for `--json`."""
        facts: dict[str, Any] = {
            "kind": self.kind.value,
            "decision": self.decision,
            "expected": self.expected,
            "got": self.got,
            "elapsed_ms": self.elapsed_us / 1000,
            "strike": self.strike,
            "closed": self.closed,
        }
        if self.raw:
            facts["bytes"] = self.raw[:KEPT].decode("latin-1").encode("unicode_escape").decode("ascii")
        if self.exit:
            facts["exit"] = self.exit
        if self.stderr:
            facts["stderr"] = self.stderr
        return facts


def complaint(kind: str, expected: str, got: str) -> str:
    """The description of a fault that the bot gets with its next question."""
    return f"{kind}: expected {expected}; got {got}"


def failed_seat(seat: int) -> str:
    """The beginning of the reason of a void match if the machine failed one seat, which is closed with it."""
    return f"the machine failed seat {seat}: "
