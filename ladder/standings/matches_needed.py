"""Matches needed for narrower intervals, by the schedule, and the time that they take where the list is played.

The schedule counts machine seconds, in which a match with a slow bot is many matches with quick ones. How many of these pass in a
second is measured on what was played: by how many matches a second, and what they cost on the average. Tables of a slow bot are
played one by one, so its part takes at least the time that as many of its matches took.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from bullring.ladder.pairing.forecast import STEP, Forecast, Plan
from bullring.ladder.pairing.informed import BASE
from bullring.ladder.standings.conduct import Conduct

LAST = 5000
"""Last matches of a list by which its speed is measured."""

LEAST = 20
"""Matches from which on a speed is known."""

LEAST_SLOW = 5
"""Matches of a slow bot from which on its own speed is known."""

SLOW = 3.0
"""A bot whose matches cost more than this many times the median is slow: its tables are played one by one (`run.workers.lanes`)."""

SLOW_S = 0.05
"""Least machine seconds a match of a slow bot."""

Played = tuple[str, str, Collection[int]]
"""The times at which a match began and ended, and the ids of its bots."""


@dataclass(frozen=True)
class More:
    """The matches and the time for narrower intervals."""

    width: float
    """Half of the widest interval then, in Elo."""
    by: float | None
    """Elo by which that is narrower than now; None for the target of a run."""
    matches: int
    seconds: float | None
    """By the clock; None if nothing tells how fast this list is played."""
    least: float = 0.0
    """Seconds that slow bots need for their part, however fast the others play."""

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return {key: value for key, value in vars(self).items() if key != "least"}


def costs(conducts: Mapping[int, Conduct]) -> dict[int, float]:
    """The machine seconds of a match of each bot, by id: those for which it is waited for."""
    return {bot: own.sums["wall_us"] / own.matches / 1e6 for bot, own in conducts.items() if own.matches}


@dataclass(frozen=True)
class Tempo:
    """The pace at which a list is played."""

    speed: float | None
    """Matches a second; None if nothing tells it."""
    usual: float
    """Mean machine seconds of a match until now."""
    slow: Mapping[int, float]
    """Matches a second of each slow bot: its tables wait for each other, however fast the rest of the list is played."""

    @classmethod
    def of(cls, conducts: Mapping[int, Conduct], seats: int, last: Sequence[Played]) -> "Tempo":
        """From the cost of all matches, and the times at which the last ones were played."""
        matches = sum(own.matches for own in conducts.values()) / seats
        seconds = sum(own.sums["wall_us"] for own in conducts.values()) / 1e6
        usual = BASE + seconds / matches if matches else 0.0
        known = costs(conducts)
        limit = SLOW * float(np.median(list(known.values()))) if known else 0.0
        slow = {}
        for bot in (bot for bot, cost in known.items() if cost > max(limit, SLOW_S)):
            own = speed(((began, ended) for began, ended, bots in last if bot in bots), LEAST_SLOW)
            if own is not None:
                slow[bot] = own
        return cls(speed((began, ended) for began, ended, _ in last), usual, slow)

    def seconds(self, plan: Plan) -> float | None:
        """The time of a plan by the clock."""
        if not self.speed or not self.usual:
            return None
        return max(plan.seconds / (self.speed * self.usual), self.alone(plan))

    def alone(self, plan: Plan) -> float:
        """The time that slow bots need for their part of it."""
        return max((plan.matches_of.get(bot, 0.0) / speed for bot, speed in self.slow.items()), default=0.0)


def more(found: Forecast | None, target: float | None, tempo: Tempo) -> More | None:
    """A forecast in the time of this list."""
    if found is None:
        return None
    reached = target is not None and found.width == target
    plan = found.plan
    return More(
        found.width, None if reached else STEP, max(1, plan.matches), tempo.seconds(plan), least=tempo.alone(plan)
    )


def speed(times: Iterable[tuple[str, str]], least: int = LEAST) -> float | None:
    """Matches a second, from when each began and ended, in any order; time in which none was played does not count.

    The store has whole seconds, so this is rough for lists that were played for a few of them. None for too few matches.
    """
    spans = sorted((_second(began), _second(ended) + 1) for began, ended in times)
    if len(spans) < least:
        return None
    busy, until = 0.0, 0.0
    for began, ended in spans:
        busy += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return len(spans) / busy


def _second(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
