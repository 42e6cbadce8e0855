"""Simulated ladders: what each schedule needs until ratings are known, and whether ratings are right under it.

The schedule, the ratings and their sums are those of a ladder. Only matches are made up: bots have strengths, and luck that makes each
pair a Bradley-Terry pair. As in a run, tables are in flight while others are drawn, and ratings come some tables late.
"""

import argparse
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import fmean, stdev

import numpy as np
from rich.console import Console

from bench.figures import table, wide_console
from bullring.ladder.pairing.informed import Informed, Lineup
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats

FLIGHT = 32
"""Tables in flight."""
REFRESH = 50
"""Tables between two ratings, in small lists; in longer ones a fiftieth of the list."""
SPREAD = 150.0
"""Standard deviation of the strengths of the bots, in Elo."""
SCHEDULES = ("random", "nearest", "informed")


class Chance:
    """All tables are equally likely."""

    def __init__(self, seats: int, random: np.random.Generator) -> None:
        self._seats, self._random = seats, random

    def learn(self, known: Known, active: Collection[int]) -> None:
        """Whatever is known has no say."""

    def next(self, able: Sequence[int], among: None = None, costs: Mapping[int, float] | None = None) -> Lineup:
        return tuple(self._random.choice(len(able), self._seats, replace=False).tolist())


class Nearest(Chance):
    """What ladders did before: a bot by its uncertainty, with the bots that are rated nearest to it; a fifth by chance."""

    def learn(self, known: Known, active: Collection[int]) -> None:
        bots = len(active)
        self._ratings = np.nan_to_num(np.pad(known.ratings, (0, bots - len(known.ratings)), constant_values=np.nan))
        played = known.met.sum(axis=1) / (self._seats - 1) if len(known.bots) else np.zeros(bots)
        self._played = played.astype(float)

    def next(self, able: Sequence[int], among: None = None, costs: Mapping[int, float] | None = None) -> Lineup:
        if self._random.random() < 0.2:
            found = super().next(able)
        else:
            uncertain = 350 / np.sqrt(self._played + 1)
            first = int(self._random.choice(len(able), p=uncertain**2 / (uncertain**2).sum()))
            away = np.abs(self._ratings - self._ratings[first]) - self._random.exponential(size=len(able)) * uncertain
            away[first] = -np.inf
            found = tuple(np.argsort(away)[: self._seats].tolist())
        self._played[list(found)] += 1
        return found


KINDS: Mapping[str, Callable[[int, np.random.Generator], Chance | Informed]] = {
    "random": Chance,
    "nearest": Nearest,
    "informed": Informed,
}


@dataclass(frozen=True)
class Ladder:
    """A list to simulate."""

    seats: int
    bots: int
    target: float
    """Half of the widest interval at which it ends, in Elo."""
    looked: int
    """Groups after which slope and coverage are measured."""
    slow: float = 1.0
    """What the last bot costs, in multiples of any other."""
    most: int = 40_000

    def __str__(self) -> str:
        return f"{self.bots} bots, {self.seats} seats"


@dataclass
class Run:
    """What became of one list."""

    slope: float = np.nan
    covered: float = np.nan
    groups: int = 0
    seconds: float = 0.0
    end_slope: float = np.nan
    end_covered: float = np.nan
    slow_groups: int = 0
    other: list[float] = field(default_factory=list)


def played(random: np.random.Generator, truth: Floats, lineups: Sequence[Lineup]) -> Results:
    """Results of one deal each."""
    tables = np.array(lineups)
    value = truth[tables] / ELO + random.gumbel(size=tables.shape)
    ranks = 1 + (value[:, None, :] > value[:, :, None]).sum(axis=-1)
    ones = np.ones(len(tables), dtype=np.int64)
    return Results(len(truth), tables, ones, ranks, ranks, ones)


def simulated(kind: str, ladder: Ladder, seed: int) -> Run:
    """Play until the widest interval is as narrow as wanted."""
    random = np.random.default_rng([seed, ladder.seats, ladder.bots])
    truth = random.permutation(np.array([SPREAD * z for z in _normal(ladder.bots)]))
    schedule = KINDS[kind](ladder.seats, random)
    bots = range(ladder.bots)
    costs = dict.fromkeys(bots, 1.0) | {ladder.bots - 1: ladder.slow}
    live, run = Live(ladder.seats), Run()
    flying: deque[Lineup] = deque()
    ended: list[Lineup] = []
    schedule.learn(Known.nothing(ladder.target), bots)
    able = list(bots)
    looked = False
    while run.groups < ladder.most:
        lineup = schedule.next(able, None, costs)
        assert lineup is not None
        flying.append(lineup)
        if len(flying) <= FLIGHT:
            continue
        ended.append(flying.popleft())
        run.groups += 1
        run.seconds += sum(costs[bot] for bot in ended[-1])
        due = len(ended) >= max(REFRESH, run.groups // 50)
        look = not looked and run.groups == ladder.looked
        if due or look:
            live.add(played(random, truth, ended))
            ended = []
            found = live.estimate(0, 1500.0)
            known = Known.of(found, tuple(bots), ladder.target)
            schedule.learn(known, bots)
            if look:
                looked = True
                run.slope, run.covered = _right(found.ratings, found.low, found.high, truth)
            if looked and np.nan_to_num(known.widths, nan=np.inf).max() <= ladder.target:
                break
    run.end_slope, run.end_covered = _right(found.ratings, found.low, found.high, truth)
    return run


def _right(ratings: Floats, low: Floats, high: Floats, truth: Floats) -> tuple[float, float]:
    """Slope of the ratings on the strengths, and the share of intervals that hold."""
    away = truth - truth.mean()
    actual = 1500.0 + truth - truth[0]
    right = (low <= actual) & (actual <= high)
    return float(away @ ratings / (away @ away)), float(right[1:].mean())


def _normal(bots: int) -> list[float]:
    from statistics import NormalDist

    return [NormalDist().inv_cdf((at + 0.5) / bots) for at in range(bots)]


def figure(values: Sequence[float], digits: int) -> str:
    """A mean with its standard error."""
    return f"{fmean(values):.{digits}f} ±{stdev(values) / len(values) ** 0.5:.{digits}f}"


LISTS = (
    Ladder(2, 12, 15.0, 160),
    Ladder(2, 12, 15.0, 640),
    Ladder(4, 12, 15.0, 240),
    Ladder(10, 12, 15.0, 160),
    Ladder(2, 40, 20.0, 640),
    Ladder(4, 40, 20.0, 640),
    Ladder(10, 40, 20.0, 240),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replicates", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--lists", type=int, nargs="*", default=range(len(LISTS)))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--schedules", nargs="*", default=SCHEDULES)
    given = parser.parse_args()
    with ProcessPoolExecutor(given.jobs) as pool:
        for number in given.lists:
            ladder = LISTS[number]
            if given.short:
                ladder = replace(ladder, target=1e9)
            for kind in given.schedules:
                runs = list(pool.map(partial(simulated, kind, ladder), range(given.replicates)))
                print(
                    f"{ladder} {kind:9} at {ladder.looked}: slope {figure([r.slope for r in runs], 3)} covered {figure([100 * r.covered for r in runs], 1)}"
                    f" | to ±{ladder.target:g}: {figure([r.groups for r in runs], 0)} slope {figure([r.end_slope for r in runs], 3)} covered {figure([100 * r.end_covered for r in runs], 1)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
