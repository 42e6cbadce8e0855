"""The result of a step."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """The verdict on a step."""

    PASS = "pass"
    FAIL = "fail"
    SKIPPED = "skipped"


class Skipped(Exception):
    """The step does not apply. The text says why."""


@dataclass
class Result:
    """One step of a check, for display and for `--json`. Its texts may contain anything that the bot has said."""

    step: str
    """Its name: "hello", "match standard"."""
    title: str
    """The subject of the step in words: "says hello"."""
    verdict: Verdict = Verdict.PASS
    found: str = ""
    """The figures of a pass; the expected and the actual behaviour of a failure; the reason of a skip."""
    remedy: str = ""
    """The remedy of a failure, or advice on something that passes."""
    traffic: Sequence[str] = ()
    """The last messages in both directions, if it failed: "referee: ...", "bot: ..."."""
    stderr: str = ""
    """The end of what the bot wrote to stderr, if it failed."""
    exit: str = ""
    """The end of the process in words, if it failed and the process has ended."""
    seconds: float = 0.0
    """The duration of the step."""

    @property
    def failed(self) -> bool:
        """Whether the bot is at fault."""
        return self.verdict is Verdict.FAIL

    def facts(self) -> dict[str, Any]:
        """The result as JSON values, without what is empty."""
        facts = {key: value for key, value in asdict(self).items() if value not in ("", ())}
        return {**facts, "verdict": self.verdict.value, "seconds": round(self.seconds, 3)}


def passed(results: Sequence[Result]) -> bool:
    """Whether no step has failed."""
    return not any(result.failed for result in results)
