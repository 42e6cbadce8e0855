"""Matches needed for narrower intervals, by the schedule, and the time that they take where the list is played.

The pace is measured on what was played: how many matches a second, and what part of them are with slow bots, beside whose tables
others are played.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from bullring.ladder.pairing.forecast import ALL_ALIKE, STEP, Forecast, Mix
from bullring.ladder.standings.conduct import Conduct

LAST = 5000
"""Last matches of a list by which its speed is measured."""

LEAST = 20
"""Matches from which on a speed is known."""

SLOW = 3.0
"""A bot whose matches cost more than this many times the median is slow: others play beside its tables (`run.workers.lanes`)."""

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

    def facts(self) -> dict[str, Any]:
        """For JSON."""
        return dict(vars(self))


def costs(conducts: Mapping[int, Conduct]) -> dict[int, float]:
    """The machine seconds of a match of each bot, by id: those for which it is waited for."""
    return {bot: own.sums["wall_us"] / own.matches / 1e6 for bot, own in conducts.items() if own.matches}


@dataclass(frozen=True)
class Tempo:
    """The pace at which a list is played."""

    speed: float | None
    """Matches a second; None if nothing tells it."""
    mix: Mix = ALL_ALIKE
    """What is played beside what."""

    @classmethod
    def of(cls, conducts: Mapping[int, Conduct], last: Sequence[Played]) -> "Tempo":
        """From the cost of all matches, and the times at which the last ones were played."""
        known = costs(conducts)
        limit = SLOW * float(np.median(list(known.values()))) if known else 0.0
        slow = frozenset(bot for bot, cost in known.items() if cost > max(limit, SLOW_S))
        recent = _recent(last)
        waited = sum(not slow.isdisjoint(bots) for _, _, bots in recent)
        mix = Mix(slow, waited / len(recent)) if recent else ALL_ALIKE
        return cls(speed((began, ended) for began, ended, _ in recent), mix)

    def seconds(self, matches: int) -> float | None:
        """The time of so many matches by the clock."""
        return matches / self.speed if self.speed else None


def _recent(last: Sequence[Played]) -> Sequence[Played]:
    """Those of the later half of the time, if they are enough: at first long ones have not ended, and nobody's pace is known."""
    ends = [_second(ended) for _, ended, _ in last]
    middle = (min(ends) + max(ends)) / 2 if ends else 0.0
    found = [match for match, ended in zip(last, ends, strict=True) if ended >= middle]
    return found if len(found) >= LEAST else last


def more(found: Forecast | None, target: float | None, tempo: Tempo) -> More | None:
    """A forecast in the time of this list."""
    if found is None:
        return None
    reached = target is not None and found.width == target
    matches = max(1, found.matches)
    return More(found.width, None if reached else STEP, matches, tempo.seconds(matches))


def speed(times: Iterable[tuple[str, str]]) -> float | None:
    """Matches a second, from when each began and ended, in any order; time in which none was played does not count.

    The store has whole seconds, so this is rough for lists that were played for a few of them. None for too few matches.
    """
    spans = sorted((_second(began), _second(ended) + 1) for began, ended in times)
    if len(spans) < LEAST:
        return None
    busy, until = 0.0, 0.0
    for began, ended in spans:
        busy += max(0.0, ended - max(began, until))
        until = max(until, ended)
    return len(spans) / busy


def _second(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()
