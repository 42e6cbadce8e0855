"""Matches needed for narrower intervals: the schedule plans as if it went on, and nothing is played."""

from collections.abc import Collection, Mapping
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
class Forecast:
    """The cost of narrower intervals."""

    width: float
    """Half of the widest interval then, in Elo."""
    matches: int
    """Matches until then."""
    seconds: float
    """Machine seconds that these take, on all cores together."""


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
    matches, seconds, tables, now = 0, 0.0, 0, before
    usual = float(np.median(list(costs.values()))) if costs else 1.0
    while now > goal and tables < TABLES:
        schedule.size = max(size, round(matches * SHARE / schedule.block))
        for _ in range(schedule.block):
            lineup = schedule.next(active, None, costs)
            if lineup is None:
                return None
            tables += 1
            matches += schedule.size
            seconds += schedule.size * (BASE + sum(costs.get(bot, usual) for bot in lineup))
        last, now = now, max(schedule.widths().values())
        if now <= goal < last:  # not all of the last block
            surplus = (goal - now) / (last - now) * schedule.block * schedule.size
            seconds *= 1 - surplus / matches
            matches -= round(surplus)
    return Forecast(float(goal), matches, float(seconds)) if now <= goal else None
