"""Intervals of ranks in simulated lists: whether they hold, by the schedule and ratings of a ladder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console

from bench.figures import table
from bench.schedules import KINDS, played
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.ranks import better, ranks
from bullring.ladder.rating.scales import Floats

REFRESH = 50
"""Tables between two ratings."""


@dataclass(frozen=True)
class Field:
    """Lists of one kind."""

    title: str
    truth: Floats
    """(K,): the strengths in Elo."""
    seats: int
    groups: Sequence[int]
    """Numbers of groups after which the intervals are looked at."""


FIELDS = (
    Field("12 equal", np.zeros(12), 4, (60, 240, 960)),
    Field("6 pairs of equals, 60 apart", np.repeat(60.0 * np.arange(6.0), 2), 4, (60, 240, 960)),
    Field("8 equal, two-seat tables", np.zeros(8), 2, (160, 640)),
    Field("8, 40 apart", 40.0 * np.arange(8.0), 4, (160, 640, 2560)),
    Field("30 equal, six-seat tables", np.zeros(30), 6, (300,)),
)


@dataclass(frozen=True)
class Found:
    """The intervals of one list."""

    whole: bool
    """Whether all of them hold."""
    each: float
    """The share that holds."""
    width: float
    """The mean number of places in one."""


def judged(live: Live, truth: Floats) -> Found:
    """Compare the intervals with the ranks that bots have; equals may be put in any order."""
    low, high = ranks(better(live.estimate(), np.arange(len(truth))))
    ahead = (truth[:, None] > truth).sum(axis=0)
    behind = (truth[:, None] < truth).sum(axis=0)
    held = (low <= 1 + ahead) & (len(truth) - behind <= high)
    return Found(bool(held.all()), float(held.mean()), float((high - low + 1).mean()))


def looks(field: Field, seed: int, kind: str = "informed") -> Iterator[tuple[Live, Floats]]:
    """Play a list, and look at it after each of the numbers of groups, beside the strengths of its bots."""
    random = np.random.default_rng([seed, field.seats, len(field.truth)])
    bots = tuple(range(len(field.truth)))
    truth = random.permutation(field.truth)
    live, schedule = Live(field.seats), KINDS[kind](field.seats, random)
    schedule.learn(Known.nothing(), bots)
    done = 0
    for until in field.groups:
        while done < until:
            count = min(REFRESH, until - done)
            lineups = [schedule.next(bots) for _ in range(count)]
            live.add(played(random, truth, [lineup for lineup in lineups if lineup is not None]))
            schedule.learn(Known.of(live.estimate(), bots), bots)
            done += count
        yield live, truth


def section(console: Console, lists: int = 100) -> None:
    """Print how often all intervals of a list hold, and how wide they are."""
    shown = table(
        f"Intervals of ranks, {lists} lists each: lists in which all hold, % (promised 95), intervals that hold, %, mean places",
        *("bots", "seats", "groups", "all hold", "each holds", "places"),
    )
    for field in FIELDS:
        count = lists if len(field.truth) < 20 else max(1, lists // 2)
        runs = [[judged(*look) for look in looks(field, seed)] for seed in range(count)]
        for at, groups in enumerate(field.groups):
            found = [run[at] for run in runs]
            share = float(np.mean([one.whole for one in found]))
            error = (share * (1 - share) / len(found)) ** 0.5
            shown.add_row(
                field.title,
                str(field.seats),
                str(groups),
                f"{100 * share:.1f} ± {100 * error:.1f}",
                f"{100 * np.mean([one.each for one in found]):.1f}",
                f"{np.mean([one.width for one in found]):.1f}",
            )
    console.print(shown)
