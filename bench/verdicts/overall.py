"""One rating over several lists: whether its intervals hold, and its likelihood of superiority, in simulated homes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console

from bench.figures import table
from bench.schedules import mean, played
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.overall import overall
from bullring.ladder.rating.superiority import of_strengths
from bullring.ladder.rating.tally import tally

SPREAD = 100.0
"""Standard deviation of the strengths that a bot has in all games, in Elo."""

APART = 80.0
"""That of its strength in each game about that."""


@dataclass(frozen=True)
class Home:
    """Homes of one kind, whose tables are drawn at random."""

    bots: int
    lists: Sequence[tuple[str, int, int]]
    """The game, the seats and the matches of each list."""

    def __str__(self) -> str:
        return "; ".join(f"{game} {seats} seats, {matches}" for game, seats, matches in self.lists)


HOMES = (
    Home(8, [("A", 4, 300), ("B", 4, 300), ("C", 4, 300)]),
    Home(8, [("A", 4, 3000), ("B", 2, 500), ("C", 6, 60)]),
    Home(12, [("A", 4, 400), ("B", 3, 400), ("B", 6, 4000)]),
    Home(30, [("A", 4, 6000), ("B", 4, 400)]),
    Home(8, [("A", 4, 1000), ("B", 4, 30)]),
)


@dataclass(frozen=True)
class Found:
    """The rating of one home."""

    slope: float
    """Of ratings on strengths."""
    held: float
    """The share of intervals against the mean that hold, in per cent."""
    pairs: float
    """That of intervals of differences."""
    expected: float
    """The likelihood of superiority of each bot over the next one, in per cent, on average."""
    better: float
    """How many are."""


def simulated(home: Home, random: np.random.Generator) -> Found:
    """Play and rate a home."""
    games = Counter(game for game, *_ in home.lists)
    common = SPREAD * random.normal(size=home.bots)
    truth, lists, shares = np.zeros(home.bots), [], []
    for game, seats, matches in home.lists:
        own = common + APART * random.normal(size=home.bots)
        tables = np.argsort(random.random((matches, home.bots)), axis=1)[:, :seats]
        lists.append(estimate(tally(played(random, own, tables.tolist()))))
        shares.append(1 / len(games) / games[game])
        truth += shares[-1] * own
    found = overall(lists, shares)
    known = np.flatnonzero(found.weights)
    actual = truth - found.weights @ truth
    away = truth[known] - truth[known].mean()
    low, high = found.bounds
    ones, others = np.triu_indices(home.bots, 1)
    apart = np.subtract.outer(truth, truth)[ones, others]
    order = known[np.argsort(-found.ratings[known])]
    return Found(
        slope=float(away @ found.ratings[known] / (away @ away)),
        held=100 * float(((found.low <= actual) & (actual <= found.high)).mean()),
        pairs=100 * float(((low[ones, others] <= apart) & (apart <= high[ones, others])).mean()),
        expected=100 * float(of_strengths(found).over(order[:-1], order[1:]).mean()),
        better=100 * float((truth[order[:-1]] > truth[order[1:]]).mean()),
    )


def section(console: Console, homes: int = 200) -> None:
    """Print whether the intervals of overall ratings hold."""
    shown = table(
        f"Overall ratings, {homes} homes each, means ± their errors: slope, intervals that hold, %; neighbours that are better, %",
        *("matches of each list", "bots", "slope", "against the mean", "of pairs", "better: LOS", "better: are"),
    )
    for number, home in enumerate(HOMES):
        random = np.random.default_rng([25, number])
        runs = [simulated(home, random) for _ in range(homes)]
        shown.add_row(
            str(home),
            str(home.bots),
            mean([run.slope for run in runs], 3),
            *(mean([getattr(run, key) for run in runs], 1) for key in ("held", "pairs", "expected", "better")),
        )
    console.print(shown)
