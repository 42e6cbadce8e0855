"""Simulated gauges that stop when their interval is narrow enough: whether it holds then."""

import numpy as np
from rich.console import Console

from bench.figures import table
from bench.verdicts.duels import percent
from bullring.ladder.gauge.score import ENOUGH, as_elo
from bullring.ladder.rating.control_variates import FIRST, USUAL, Mean, adjusted
from bullring.ladder.rating.scales import Floats, elo, student

ERRORS = (15.0, 30.0, 60.0, 90.0)


def matches(random: np.random.Generator, strength: float, count: int, seats: int) -> tuple[Floats, Floats]:
    """(count,): the share of the house's seats that a stranger is ahead of; (count, 2): the luck, known but for its effect."""
    luck = random.normal(size=(count, 2)) * (0.4, 0.5)
    own = strength + luck.sum(axis=1) + 0.8 * random.gumbel(size=count)
    return (own[:, None] > 0.8 * random.gumbel(size=(count, seats - 1))).mean(axis=1), 0.25 * luck


def stopped(random: np.random.Generator, strength: float, seats: int, error: float) -> tuple[Mean, int]:
    """The adjusted share of a gauge that stops at an interval of ± `error` Elo, and its number of matches."""
    results, luck = matches(random, strength, 128, seats)
    while True:
        results, luck = (
            np.concatenate(part)
            for part in zip((results, luck), matches(random, strength, len(luck), seats), strict=True)
        )
        count = len(results)
        each, start, end = np.empty(count), 0, min(FIRST, count)
        while start < count:
            known = adjusted(results[:start], luck[:start]).coefficients if start else USUAL
            each[start:end] = results[start:end] - luck[start:end] @ np.array(known)
            start, end = end, min(2 * end, count)
        played = np.arange(ENOUGH, count + 1)
        mean = np.cumsum(each)[ENOUGH - 1 :] / played
        variance = (np.cumsum(each**2)[ENOUGH - 1 :] - played * mean**2) / (played - 1)
        half = np.sqrt(variance / played) * student(played - 1)
        within = (mean - half > 0) & (mean + half < 1)
        ends = elo(np.clip(np.stack([mean - half, mean + half]), 1e-9, 1 - 1e-9))
        enough = within & (ends[1] - ends[0] <= 2 * error)
        if enough.any():
            last = int(played[enough.argmax()])
            return adjusted(results[:last], luck[:last]).adjusted, last


def section(console: Console, gauges: int = 300) -> None:
    """Print how often the interval holds, and the estimate is too high."""
    shown = table(
        f"Gauges that stop at an interval of ± so many Elo, {gauges} each: that hold, % (promised 95), too high, % (50)",
        *("seats", "true Elo", "until ±", "hold", "too high", "matches"),
    )
    for seats, strength in ((4, 0.0), (4, 0.6), (4, 2.0), (2, 0.6)):
        true = float(np.mean(matches(np.random.default_rng(1), strength, 2_000_000, seats)[0]))
        for error in ERRORS:
            random = np.random.default_rng([28, seats, int(10 * strength), int(error)])
            found = [stopped(random, strength, seats, error) for _ in range(gauges)]
            holds, high = (
                float(np.mean(part))
                for part in zip(*((mean.low <= true <= mean.high, mean.value > true) for mean, _ in found), strict=True)
            )
            shown.add_row(
                str(seats),
                f"{as_elo(Mean(true, 0, 0)).value:.0f}",
                f"{error:g}",
                percent(holds, gauges),
                percent(high, gauges),
                f"{np.mean([played for _, played in found]):.0f}",
            )
    console.print(shown)
