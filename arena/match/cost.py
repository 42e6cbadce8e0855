"""The cost of a bot in a match, and the times of its decisions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass
class Cost:
    """The cost of a bot in one match besides its decisions: its start, its end, processor time. Times in microseconds."""

    starts: int = 0
    """1 if a process was started for this match; 0 if one was waiting."""
    start_us: int = 0
    """From the start of that process to its hello, or to the verdict that there was none."""
    asked: bool = False
    """Whether the bot itself made the start necessary: it wants a new process for each match, or its last one ended by itself.

    Otherwise the arena needed one more process, or had ended one to make room.
    """
    end_us: int = 0
    """From the end of the match until its process was gone, if the process ended with the match."""
    cpu_us: int = 0
    """Processor time since its process was last measured. A bot that costs little is measured once in several matches, and the
    others report 0, so only sums over many matches mean something."""

    def spent(self, times_us: Sequence[int], shrank: int = 0, grew: int = 0) -> "Spent":
        """Its cost together with the times of its decisions."""
        wall_us = sum(times_us) + self.end_us + (self.start_us if self.asked else 0)
        return Spent(wall_us, self.cpu_us, self.starts, shrank, grew)


@dataclass(frozen=True)
class Spent:
    """The cost of a bot in one match, as in its record. Times in microseconds."""

    wall_us: int = 0
    """For how long it was waited for: its decisions, its end, and its start if it made that necessary itself (`Cost.asked`)."""
    cpu_us: int = 0
    """Processor time since it was last measured (`Cost.cpu_us`)."""
    starts: int = 0
    shrank: int = 0
    """Pairs of its decisions in which it thought much less where others had its core for longer (`clock.plain_time`)."""
    grew: int = 0
    """Those in which it thought much more."""

    def facts(self) -> dict[str, int]:
        """The entry of a record. There are no pairs of most bots."""
        facts = {**vars(self)}
        return facts if self.shrank or self.grew else {key: facts[key] for key in ("wall_us", "cpu_us", "starts")}

    @classmethod
    def of(cls, facts: Mapping[str, int]) -> "Spent":
        """The cost in an entry of a record, which may have further keys."""
        pairs = facts.get("shrank", 0), facts.get("grew", 0)
        return cls(facts["wall_us"], facts["cpu_us"], facts["starts"], *pairs)


NOTHING = Spent()
"""The cost of bots in records that do not tell it."""


def timing(times_us: Sequence[int]) -> dict[str, Any]:
    """The number of decisions, and their median, 99th percentile and maximum time in milliseconds (None without decisions)."""
    times = sorted(times_us)
    if not times:
        return {"count": 0, "median_ms": None, "p99_ms": None, "max_ms": None}
    last = len(times) - 1
    middle = (times[last // 2] + times[(last + 1) // 2]) / 2
    high = times[min(last, -(-99 * len(times) // 100) - 1)]
    return {"count": len(times), "median_ms": middle / 1e3, "p99_ms": high / 1e3, "max_ms": times[-1] / 1e3}
