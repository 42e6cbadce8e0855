"""Ratings in lopsided lists: slopes of ratings on strengths, and intervals that hold."""

import numpy as np
from rich.console import Console

from bench.figures import table
from bench.schedules import KINDS, SPREAD, mean
from bench.verdicts.ranks import Field, looks
from bullring.ladder.rating.estimate import chances_of
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.scales import ELO, Floats

FIELDS = (
    Field("10, one at +600", np.append(np.zeros(9), 600.0), 4, (100, 400, 1200)),
    Field("10, one at -600", np.append(np.zeros(9), -600.0), 4, (100, 400, 1200)),
    Field("10, half at ±300", np.repeat([-300.0, 300.0], 5), 4, (100, 400, 1200)),
    Field("100, normal", SPREAD * np.sort(np.random.default_rng(1).standard_normal(100)), 4, (3000,)),
)


def looked(live: Live, truth: Floats) -> list[float]:
    """The slope, the surprise in it, and the shares of ratings and of differences of bots whose intervals hold, in %."""
    found = live.estimate()
    away, actual, apart = truth - truth.mean(), truth - found.weights @ truth, np.subtract.outer(truth, truth)
    matches, balance = live.sums.met()
    surprise = away @ (balance - matches * (2 * chances_of(truth / ELO) - 1)).sum(axis=1)
    low, high = found.bounds
    held = ((low <= apart) & (apart <= high))[np.triu_indices(len(truth), 1)]
    whole = (found.low <= actual) & (actual <= found.high)
    return [away @ found.ratings / (away @ away), surprise, 100 * whole.mean(), 100 * held.mean()]


def corrected(slopes: Floats, surprises: Floats) -> list[float]:
    """The slopes less what follows from the surprise in them, which is 0 on average: most of the chance in a list."""
    fitted = np.cov(slopes, surprises)[0, 1] / surprises.var(ddof=1)
    return list(slopes - fitted * surprises)


def section(console: Console, lists: int = 80) -> None:
    """Print slopes and intervals at random tables and under the schedule."""
    shown = table(
        f"Lopsided lists, means of {lists} ± their errors, a quarter as many of 100 bots: slope of ratings on strengths;"
        " intervals of ratings, and of differences of pairs, that hold, %",
        *("bots", "groups", *(f"{kind}: {what}" for kind in KINDS for what in ("slope", "ratings", "pairs"))),
    )
    for field in FIELDS:
        count = lists if len(field.truth) < 20 else max(2, lists // 4)
        kinds = [
            np.array([[looked(*look) for look in looks(field, seed, kind)] for seed in range(count)]) for kind in KINDS
        ]
        for at, groups in enumerate(field.groups):
            cells = []
            for found in kinds:
                slopes, surprises, whole, held = found[:, at].T
                cells += [mean(corrected(slopes, surprises), 3), mean(whole.tolist(), 1), mean(held.tolist(), 1)]
            shown.add_row(field.title, str(groups), *cells)
    console.print(shown)
