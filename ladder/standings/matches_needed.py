"""Matches needed for narrower intervals, by the schedule, and the time that they take where the list is played.

The schedule counts machine seconds, in which a match with a slow bot is many matches with quick ones. How many of these pass in a
second is measured on what was played: by how many matches a second, and what they cost on the average.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bullring.ladder.pairing.forecast import STEP, Forecast
from bullring.ladder.pairing.informed import BASE
from bullring.ladder.standings.conduct import Conduct

LAST = 5000
"""Last matches of a list by which its speed is measured."""

LEAST = 20
"""Matches from which on a speed is known."""


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
        return vars(self)


def costs(conducts: Mapping[int, Conduct]) -> dict[int, float]:
    """The machine seconds of a match of each bot, by id: those for which it is waited for."""
    return {bot: own.sums["wall_us"] / own.matches / 1e6 for bot, own in conducts.items() if own.matches}


def more(
    found: Forecast | None, target: float | None, conducts: Mapping[int, Conduct], seats: int, speed: float | None
) -> More | None:
    """A forecast in the time of this list, at `speed` matches a second."""
    if found is None:
        return None
    matches = sum(own.matches for own in conducts.values()) / seats
    seconds = None
    if speed and matches:
        usual = BASE + sum(own.sums["wall_us"] for own in conducts.values()) / 1e6 / matches
        seconds = found.seconds / (speed * usual)
    reached = target is not None and found.width == target
    return More(found.width, None if reached else STEP, max(1, found.matches), seconds)


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
