"""Reasons to bench a bot: it is at fault so often that its matches tell nothing, or it costs more than its limits grant.

The budget of a match is the time that its limits grant: the limit of each of its decisions, the bank, and a part of the limit for
a start. So a bot that keeps its process never exceeds it by starting or thinking; one that wants a new process for each match,
which takes long to start or to end, does, and so does one that uses the processor when it is not asked. Slowness within the budget
is what the limits allow: it costs the others nothing, as slow bots play in a lane of their own.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from bullring.arena.settings.limits import MICRO, Limits
from bullring.ladder.store.store import Store

WINDOW = 20
"""Last matches of a bot by which it is judged."""

MOST_CLOSED = 5
"""A bot is benched if its seat was closed (it crashed or had three strikes) in this many of them."""
MOST_UNSTARTED = 2
"""A bot is benched if it failed to start, or sent no hello, this many times in a row: each costs the table the start limit."""

ENOUGH = 5
"""Matches before a bot is judged by its cost."""

STARTS = 10
"""A bot is granted one start for as many matches, beside those that the arena needs."""


def faults_verdict(store: Store, bot: int, since: int) -> str | None:
    """The reason to bench the bot for faults in its matches from match `since` on; None if it may go on."""
    recent = [seat for seat, _ in store.recent(bot, since, WINDOW)]
    if sum("start" in seat.faults for seat in recent[:MOST_UNSTARTED]) == MOST_UNSTARTED:
        return f"it did not start in its last {MOST_UNSTARTED} matches"
    closed = [seat.faults for seat in recent if seat.closed]
    if len(closed) >= MOST_CLOSED:
        kinds = Counter(kind for faults in closed for kind in faults)
        common = ", ".join(f"{kind} {count} times" for kind, count in kinds.most_common(3))
        return f"its seat was closed in {len(closed)} of its last {len(recent)} matches ({common})"
    return None


class Costs(Protocol):
    """The cost of a bot in a match, as in `arena.match.cost.Spent`."""

    @property
    def wall_us(self) -> int: ...

    @property
    def cpu_us(self) -> int: ...

    @property
    def starts(self) -> int: ...


@dataclass(frozen=True)
class Budget:
    """The most that a match may cost."""

    limits: Limits
    every_match: bool = False
    """Whether the operator wants a new process of every bot for each match; then all of their starts are granted."""

    @cached_property
    def _granted(self) -> tuple[int, int]:
        """The microseconds granted for a decision, and besides."""
        limits = self.limits
        start = limits.start_us if self.every_match else limits.start_us // STARTS
        return max(limits.card_us, limits.row_us, limits.other_us), limits.bank_us + start

    def wall_us(self, decisions: int) -> int:
        """The microseconds granted in a match with this many decisions."""
        each, besides = self._granted
        return decisions * each + besides

    def cpu_us(self, decisions: int, starts: int) -> int:
        """The microseconds of processor time granted: as above, on one core, and all of each start."""
        return self.wall_us(decisions) + starts * self.limits.start_us

    def exceeded_by(self, decisions: int, spent: Costs) -> bool:
        """Whether one match cost more. A single one may, so this only says when to look at more."""
        granted = self.wall_us(decisions)
        return spent.wall_us > granted or spent.cpu_us > granted + spent.starts * self.limits.start_us

    def verdict(self, store: Store, bot: int, since: int) -> str | None:
        """The reason to bench the bot for its cost in its matches from match `since` on; None if it may go on."""
        recent = [(seat.decisions, seat.spent) for seat, _ in store.recent(bot, since, WINDOW)]
        matches = len(recent)
        if matches < ENOUGH:
            return None
        last = f"a match in its last {matches} matches, where"
        wall, granted = (
            sum(spent.wall_us for _, spent in recent),
            sum(self.wall_us(decisions) for decisions, _ in recent),
        )
        if wall > granted:
            return f"it took {_each(wall, matches)} {last} {_each(granted, matches)} are granted"
        cpu, granted = (
            sum(spent.cpu_us for _, spent in recent),
            sum(self.cpu_us(decisions, spent.starts) for decisions, spent in recent),
        )
        if cpu > granted:
            return f"it used {_each(cpu, matches)} of processor time {last} {_each(granted, matches)} are granted"
        return None


def _each(total_us: int, matches: int) -> str:
    return f"{total_us / matches / MICRO:.3g} s"
