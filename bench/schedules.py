"""Simulated ladders: whether ratings are right under each schedule, and what it needs until they are known.

The schedule, the ratings and their sums are those of a ladder. Only matches are made up: bots have strengths, and luck that makes
each pair a Bradley-Terry pair. As in a run, tables are in flight while others are drawn, and ratings come some tables late.
"""

import argparse
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist, fmean, stdev

import numpy as np
from rich.console import Console

from bench.figures import table, wide_console
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.known import Known
from bullring.ladder.pairing.schedule import Lineup
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats

FLIGHT = 32
"""Tables in flight."""
REFRESH = 50
"""Tables between two ratings, in small lists; in longer ones a fiftieth of the list."""
SPREAD = 150.0
"""Standard deviation of the strengths of the bots, in Elo."""


class Chance:
    """All tables are equally likely."""

    def __init__(self, seats: int, random: np.random.Generator) -> None:
        self._seats, self._random = seats, random

    def learn(self, known: Known, active: Collection[int]) -> None:
        """Ignore everything that is known."""

    def next(self, able: Sequence[int], among: None = None, costs: Mapping[int, float] | None = None) -> Lineup:
        return tuple(self._random.choice(len(able), self._seats, replace=False).tolist())


KINDS: Mapping[str, Callable[[int, np.random.Generator], Chance | Informed]] = {
    "random": Chance,
    "informed": Informed,
}


@dataclass(frozen=True)
class Lists:
    """Lists of one kind."""

    seats: int
    bots: int
    until: float
    """Half of the widest interval at which a list ends, in Elo; inf: after `groups`."""
    groups: int = 0
    """Least number of groups."""
    slow: float = 1.0
    """The cost of a match of the last bot, in multiples of that of any other."""


@dataclass
class Run:
    """The outcome of one list."""

    groups: int = 0
    seconds: float = 0.0
    """Machine seconds, one for each bot at a table, but for a slow one."""
    slope: float = np.nan
    """The slope of ratings on strengths."""
    covered: float = np.nan
    """The share of intervals that hold."""
    known: float = np.nan
    """Machine seconds until the slow bot was known as well as wanted."""


def played(random: np.random.Generator, truth: Floats, lineups: Sequence[Lineup]) -> Results:
    """Results of one deal each."""
    tables = np.array(lineups)
    value = truth[tables] / ELO + random.gumbel(size=tables.shape)
    ranks = 1 + (value[:, None, :] > value[:, :, None]).sum(axis=-1)
    ones = np.ones(len(tables), dtype=np.int64)
    return Results(len(truth), tables, ones, ranks, ranks, ones)


def simulated(kind: str, lists: Lists, seed: int) -> Run:
    """Play a list to its end."""
    random = np.random.default_rng([seed, lists.seats, lists.bots])
    bots = tuple(range(lists.bots))
    truth = SPREAD * random.permutation([NormalDist().inv_cdf((at + 0.5) / len(bots)) for at in bots])
    slow = len(bots) - 1
    costs = dict.fromkeys(bots, 1.0) | {slow: lists.slow}
    schedule, live, run = KINDS[kind](lists.seats, random), Live(lists.seats), Run()
    flying: deque[Lineup] = deque()
    ended: list[Lineup] = []
    schedule.learn(Known.nothing(), bots)
    while True:
        while len(flying) <= FLIGHT:
            lineup = schedule.next(bots, None, costs)
            assert lineup is not None
            flying.append(lineup)
        ended.append(flying.popleft())
        run.groups += 1
        run.seconds += sum(costs[bot] for bot in ended[-1])
        if len(ended) < max(REFRESH, run.groups // 50) and run.groups != lists.groups:
            continue
        live.add(played(random, truth, ended))
        ended = []
        found = live.estimate(None, 1500.0)
        known = Known.of(found, bots, lists.until if np.isfinite(lists.until) else None)
        schedule.learn(known, bots)
        widths = np.nan_to_num(known.widths, nan=np.inf)
        if np.isnan(run.known) and widths[slow] <= lists.until:
            run.known = run.seconds
        if run.groups >= lists.groups and (widths.max() <= lists.until):
            break
    away, actual = truth - truth.mean(), 1500.0 + truth - found.weights @ truth
    run.slope = float(away @ found.ratings / (away @ away))
    run.covered = 100 * float(((found.low <= actual) & (actual <= found.high)).mean())
    return run


def mean(values: Sequence[float], digits: int = 0) -> str:
    """A mean with its standard error."""
    return f"{fmean(values):.{digits}f} ± {stdev(values) / len(values) ** 0.5:.{digits}f}"


RIGHT = (
    *(Lists(2, 12, np.inf, groups) for groups in (160, 640, 2560)),
    *(Lists(4, 12, np.inf, groups) for groups in (240, 960)),
    *(Lists(10, 12, np.inf, groups) for groups in (160, 640)),
    *(Lists(2, 40, np.inf, groups) for groups in (640, 2560)),
    *(Lists(4, 40, np.inf, groups) for groups in (640, 2560)),
    Lists(10, 40, np.inf, 640),
)
KNOWN = (
    Lists(2, 12, 15.0),
    Lists(4, 12, 15.0),
    Lists(10, 12, 15.0),
    Lists(2, 40, 30.0),
    Lists(4, 40, 20.0),
    Lists(10, 40, 20.0),
)
SLOW = (Lists(4, 6, 20.0, slow=20.0), Lists(4, 12, 20.0, slow=20.0), Lists(4, 12, 20.0, slow=100.0))


Simulate = Callable[[str, Lists, int], list[Run]]
Chosen = Callable[[Lists], bool]


def right(console: Console, kinds: Sequence[str], count: int, simulate: Simulate, chosen: Chosen) -> None:
    """Print whether ratings are right after few groups."""
    shown = table(
        f"Ratings after some groups, means of {count} lists ± their errors: slope of ratings on strengths, and intervals"
        " against the mean that hold, %",
        *("bots", "seats", "groups", *(f"{kind}: {what}" for kind in kinds for what in ("slope", "hold"))),
    )
    for lists in filter(chosen, RIGHT):
        cells = [str(lists.bots), str(lists.seats), str(lists.groups)]
        for kind in kinds:
            runs = simulate(kind, lists, count)
            cells += [mean([run.slope for run in runs], 3), mean([run.covered for run in runs], 1)]
        shown.add_row(*cells)
    console.print(shown)


def known(console: Console, kinds: Sequence[str], count: int, simulate: Simulate, chosen: Chosen) -> None:
    """Print how many groups it takes until all bots are known."""
    shown = table(
        f"Groups until no interval is wider than ±, means of {count} lists ± their errors; slope and intervals that hold then",
        *("bots", "seats", "±", *(f"{kind}: {what}" for kind in kinds for what in ("groups", "slope", "hold"))),
    )
    for lists in filter(chosen, KNOWN):
        cells = [str(lists.bots), str(lists.seats), f"{lists.until:g}"]
        for kind in kinds:
            runs = simulate(kind, lists, count)
            cells += [mean([run.groups for run in runs]), mean([run.slope for run in runs], 3)]
            cells += [mean([run.covered for run in runs], 1)]
        shown.add_row(*cells)
    console.print(shown)


def slow(console: Console, kinds: Sequence[str], count: int, simulate: Simulate, chosen: Chosen) -> None:
    """Print what it costs to know a slow bot."""
    shown = table(
        f"One bot is slow: thousands of machine seconds until it is within ±, and until all are, means of {count} lists",
        *("bots", "seats", "cost", "±", *(f"{kind}: {what}" for kind in kinds for what in ("slow one", "all"))),
    )
    for lists in filter(chosen, SLOW):
        cells = [str(lists.bots), str(lists.seats), f"{lists.slow:g}", f"{lists.until:g}"]
        for kind in kinds:
            runs = simulate(kind, lists, count)
            cells += [mean([run.known / 1000 for run in runs], 1), mean([run.seconds / 1000 for run in runs], 1)]
        shown.add_row(*cells)
    console.print(shown)


PARTS = {"right": right, "known": known, "slow": slow}


def main() -> None:
    """Simulate, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=20, help="lists simulated for each figure")
    parser.add_argument("--jobs", type=int, default=1, help="processes that simulate")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="the schedules")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="the tables")
    parser.add_argument("--seats", type=int, help="only lists of this many seats")
    parser.add_argument("--bots", type=int, help="only lists of this many bots")
    given, console = parser.parse_args(), wide_console()

    def chosen(lists: Lists) -> bool:
        return given.seats in (None, lists.seats) and given.bots in (None, lists.bots)

    with ProcessPoolExecutor(given.jobs) as pool:

        def simulate(kind: str, lists: Lists, count: int) -> list[Run]:
            return list(pool.map(partial(simulated, kind, lists), range(count)))

        for part in given.parts:
            PARTS[part](console, given.kinds, given.lists, simulate, chosen)


if __name__ == "__main__":
    main()
