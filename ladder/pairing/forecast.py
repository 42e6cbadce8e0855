"""Matches needed for narrower intervals, or to tell bots apart: the schedule plans as if it went on, and nothing is played."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from bullring.ladder.pairing.informed import BASE, Informed
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
class Plan:
    """The matches that the schedule would play."""

    matches: int
    seconds: float
    """Machine seconds that these take, on all cores together."""
    matches_of: Mapping[int, float]
    """By bot."""


@dataclass(frozen=True)
class Forecast:
    """The cost of narrower intervals."""

    width: float
    """Half of the widest interval then, in Elo."""
    plan: Plan


def forecast(
    known: Known,
    costs: Mapping[int, float],
    target: float | None,
    *,
    seats: int,
    active: Collection[int],
    size: int = 1,
) -> Forecast | None:
    """Forecast until no interval is wider than ± `target` Elo; without a target, or if that is reached, than now less 5 Elo.

    `active` are the bots that play on, `costs` the machine seconds of a match of each, `size` the matches of each line-up. None if
    there are too few bots, or too few matches yet to tell.
    """
    if len(active) < seats or not known.met.any():
        return None
    schedule = Informed(seats, np.random.default_rng(0), size)
    schedule.learn(known, active)
    before = max(schedule.widths().values())
    goal = target if target is not None and target < before else before - STEP
    if goal <= 0 or (target is None and before > EARLY):
        return None
    plan = _planned(schedule, active, costs, size, lambda: max(schedule.widths().values()) / goal)
    return None if plan is None else Forecast(float(goal), plan)


def until_apart(
    known: Known,
    costs: Mapping[int, float],
    wanted: Mapping[tuple[int, int], float],
    *,
    seats: int,
    active: Collection[int],
    size: int = 1,
) -> Plan | None:
    """Forecast until the error of the difference of each pair of bots is at most `wanted`, as a part of what it is now.

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
        lambda: float((schedule.errors(pairs) / goals).max()),
    )


def _planned(
    schedule: Informed,
    active: Collection[int],
    costs: Mapping[int, float],
    size: int,
    left: Callable[[], float],
) -> Plan | None:
    """Plan until nothing is `left`: a figure that falls to 1. None if that takes too many tables."""
    matches, seconds, tables, now = 0, 0.0, 0, left()
    matches_of = dict.fromkeys(active, 0.0)
    usual = float(np.median(list(costs.values()))) if costs else 1.0
    while now > 1 and tables < TABLES:
        schedule.size = max(size, round(matches * SHARE / schedule.block))
        for _ in range(schedule.block):
            lineup = schedule.next(active, None, costs)
            if lineup is None:
                return None
            tables += 1
            matches += schedule.size
            seconds += schedule.size * (BASE + sum(costs.get(bot, usual) for bot in lineup))
            for bot in lineup:
                matches_of[bot] += schedule.size
        last, now = now, left()
        if now <= 1 < last:  # not all of the last block
            surplus = (1 - now) / (last - now) * schedule.block * schedule.size
            part = 1 - surplus / matches
            seconds *= part
            matches_of = {bot: count * part for bot, count in matches_of.items()}
            matches -= round(surplus)
    return Plan(matches, float(seconds), matches_of) if now <= 1 else None
