"""Matches needed for narrower intervals, or to tell bots apart: the schedule plans as if it went on, and nothing is played.

Bots that are waited for do not hold up the others: a run plays their tables beside tables of quick bots. So the plan has both in
the parts in which they are played (`Mix`), not in those in which a core would be used best.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.known import Known

STEP = 5.0
"""Elo by which the widest interval is to become narrower on each side, without a target."""

EARLY = 200.0
"""While an interval is wider than this on a side, in Elo, its next 5 Elo are not forecast: they take a match or two."""

SHARE = 0.2
"""Matches planned at once, as a part of those planned before: the further away, the coarser."""

TABLES = 8192
"""Most line-ups that are planned for a forecast."""


@dataclass(frozen=True)
class Mix:
    """What is played beside what."""

    slow: frozenset[int] = frozenset()
    """Bots that make their tables wait."""
    share: float = 0.0
    """The part of all matches that have such a bot."""


ALL_ALIKE = Mix()


@dataclass(frozen=True)
class Forecast:
    """The cost of narrower intervals."""

    width: float
    """Half of the widest interval then, in Elo."""
    matches: int


def forecast(
    known: Known,
    costs: Mapping[int, float],
    target: float | None,
    *,
    seats: int,
    active: Collection[int],
    size: int = 1,
    mix: Mix = ALL_ALIKE,
) -> Forecast | None:
    """Forecast until no interval is wider than ± `target` Elo; without a target, or if that is reached, than now less 5 Elo.

    `active` are the bots that play on, `costs` the machine seconds of a match of each, `size` the matches of each line-up, `mix`
    what is played beside what. None if there are too few bots, or too few matches yet to tell.
    """
    if len(active) < seats or not known.met.any():
        return None
    schedule = Informed(seats, np.random.default_rng(0), size)
    schedule.learn(known, active)
    before = max(schedule.widths().values())
    goal = target if target is not None and target < before else before - STEP
    if goal <= 0 or (target is None and before > EARLY):
        return None
    matches = _planned(schedule, active, costs, size, mix, lambda: max(schedule.widths().values()) / goal)
    return None if matches is None else Forecast(float(goal), matches)


def until_apart(
    known: Known,
    costs: Mapping[int, float],
    wanted: Mapping[tuple[int, int], float],
    *,
    seats: int,
    active: Collection[int],
    size: int = 1,
    mix: Mix = ALL_ALIKE,
) -> int | None:
    """The matches until the error of the difference of each pair of bots is at most `wanted`, as a part of what it is now.

    None if there are too few bots, or too few matches yet to tell.
    """
    if len(active) < seats or not known.met.any():
        return None
    schedule = Informed(seats, np.random.default_rng(0), size)
    schedule.learn(known, active)
    pairs = list(wanted)
    goals = np.array([wanted[pair] for pair in pairs]) * schedule.errors(pairs)
    return _planned(
        schedule,
        active,
        costs,
        size,
        mix,
        lambda: float((schedule.errors(pairs) / goals).max()),
    )


def _planned(
    schedule: Informed,
    active: Collection[int],
    costs: Mapping[int, float],
    size: int,
    mix: Mix,
    left: Callable[[], float],
) -> int | None:
    """The matches until nothing is `left`: a figure that falls to 1. None if that takes too many tables."""
    matches, tables, now = 0, 0, left()
    able = _able(mix, schedule.seats, active)
    while now > 1 and tables < TABLES:
        schedule.size = max(size, round(matches * SHARE / schedule.block))
        for _ in range(schedule.block):
            lineup = schedule.next(*next(able), costs)
            if lineup is None:
                return None
            tables += 1
            matches += schedule.size
        last, now = now, left()
        if now <= 1 < last:  # not all of the last block
            matches -= round((1 - now) / (last - now) * schedule.block * schedule.size)
    return matches if now <= 1 else None


def _able(mix: Mix, seats: int, active: Collection[int]) -> Iterator[tuple[Collection[int], Collection[int] | None]]:
    """For each table the bots that may sit at it, and those of which one has to; None if that does not matter."""
    slow = mix.slow.intersection(active)
    quick = frozenset(active) - slow
    if not slow or not mix.share or len(quick) < seats:  # where none was played, nothing tells how many will be
        yield from repeat((active, None))
    due = 0.0
    while True:
        due += mix.share
        yield (active, slow) if due >= 1 else (quick, None)
        due %= 1.0
