"""How long a bot makes its tables wait, learnt from its last matches."""

from dataclasses import dataclass

QUICK_US = 2000.0
"""Largest mean time for a decision, in microseconds, of a quick bot. What it asks for besides, such as a new process for each
match, counts as if it had thought for as long."""

_WEIGHT = 1 / 8
"""The weight of the last match: one slow match of a quick bot makes it slow at once, and then it takes some quick ones."""


@dataclass
class Pace:
    """The mean time of a bot for a decision, in microseconds; None before its first match."""

    mean_us: float | None = None

    @property
    def known(self) -> bool:
        """Whether it has played."""
        return self.mean_us is not None

    @property
    def quick(self) -> bool:
        """Whether nobody waits for it. A bot that is not known counts as quick."""
        return self.mean_us is None or self.mean_us <= QUICK_US

    def learn(self, wall_us: int, decisions: int) -> None:
        """Add a match: the time for which it was waited for, and the number of its decisions."""
        spent = wall_us / max(1, decisions)
        self.mean_us = spent if self.mean_us is None else self.mean_us + _WEIGHT * (spent - self.mean_us)

    def held_up(self, wall_us: int) -> None:
        """A match is waiting for it for so long already."""
        self.mean_us = max(self.mean_us or 0.0, float(wall_us))
