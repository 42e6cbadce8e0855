"""The ladder's ratings: CPU seconds for a list of a million matches, beside one np.bincount over the same places; and
the cost of one more match in a list that grows."""

import time
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
from rich.console import Console

from bench.figures import Target, alone, interleaved, ratios, spread, table
from bullring.ladder.rating.elo import Walk
from bullring.ladder.rating.estimate import Estimate, estimate
from bullring.ladder.rating.history import history
from bullring.ladder.rating.live import Live
from bullring.ladder.rating.pairs import pairs
from bullring.ladder.rating.points import points
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.tally import tally

MATCHES = 1_000_000
SEATS = 4
BOTS = 50
POINTS = 50
"""Number of points of the history."""
RUNNING = 10_000
"""Number of matches for the running Elo, a loop in Python."""
WANTED = 160.0
"""Most time for everything a list shows, in multiples of one np.bincount over all places of all matches."""
SECONDS = 5.0

BLOCK = 50
"""Matches of a block."""
FLOOR = "one np.bincount: heads of each bot"
ALL = "all of these: what a list shows"


def made(matches: int) -> Results:
    """Random tables; heads from strengths, luck and a seed, ties included."""
    rng = np.random.default_rng(1)
    steps = rng.integers(1, BOTS // SEATS, (matches, SEATS))
    lineups = ((np.cumsum(steps, axis=1) + rng.integers(0, BOTS, (matches, 1))) % BOTS).astype(np.int16)
    luck = rng.standard_normal((matches, 1, SEATS), dtype=np.float32)
    strengths = np.linspace(-1.5, 1.5, BOTS, dtype=np.float32)
    heads = np.clip(np.rint(9 - strengths[lineups][:, None, :] + 7 * luck), 0, None).astype(np.int16)
    ranks = np.ones(heads.shape, dtype=np.int8)
    for rival in range(SEATS):
        ranks += heads > heads[:, :, rival, None]
    return Results.stacked(BOTS, lineups, ranks, heads)


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def cases(results: Results) -> dict[str, Callable[[], object]]:
    """The calls to measure, by name. All except the tally start from a finished one."""
    tallied = tally(results)
    codes = np.repeat(results.lineups, results.sizes, axis=0).astype(np.int64).ravel()
    heads = results.heads.astype(np.float64).ravel()
    after = np.linspace(0, results.groups, POINTS + 1, dtype=np.int64).tolist()
    some = results.chosen(slice(0, RUNNING))

    def everything() -> Estimate:
        own = tally(results)
        points(own)
        pairs(own)
        return estimate(own)

    tallied.met()
    assert np.allclose(np.bincount(codes, heads, BOTS) / points(tallied).deals, points(tallied).mean)
    return {
        FLOOR: lambda: np.bincount(codes, heads, BOTS),
        "sums: the one pass over all matches": lambda: tally(results).met(),
        "ratings, with errors": lambda: estimate(tallied),
        "heads per deal, with errors": lambda: points(tallied),
        "results of pairs, with intervals": lambda: pairs(tallied),
        ALL: everything,
        f"history: ratings at {POINTS} points": lambda: history(tallied, after),
        f"history: ratings and intervals at {POINTS} points": lambda: history(tallied, after),
        f"running Elo, the first {RUNNING:,} matches alone": lambda: Walk().add(some),
    }


def section(console: Console, rounds: int) -> list[Target]:
    """Measure and print the table."""
    results = made(MATCHES)
    found = interleaved({name: partial(seconds, call) for name, call in cases(results).items()}, rounds)
    shown = table(
        f"Ratings: {MATCHES:,} matches, {SEATS} seats, {BOTS} bots: "
        f"seconds of CPU, median (min-max) of {rounds} rounds",
        *("what", "s", "v one np.bincount"),
    )
    for name, times in found.items():
        shown.add_row(name, spread(times), spread(ratios(times, found[FLOOR]), 1))
    console.print(shown)
    return [
        Target("ratings of a million matches v one np.bincount", median(ratios(found[ALL], found[FLOOR])), WANTED),
        Target("ratings of a million matches", median(found[ALL]), SECONDS, "s"),
        *growing(console),
    ]


def growing(console: Console) -> list[Target]:
    """Measure what a block of matches costs in a short and in a long list, with a rating after each, and print the table."""
    results = made(MATCHES)
    live, found = Live(SEATS), {}
    for count in (BLOCK * 200, MATCHES):
        while live.sums.groups < count - BLOCK * 100:
            live.add(results.chosen(slice(live.sums.groups, live.sums.groups + BLOCK * 100)))
        live.estimate()
        began = time.process_time()
        for _ in range(100):
            live.add(results.chosen(slice(live.sums.groups, live.sums.groups + BLOCK)))
        adding = time.process_time() - began
        began = time.process_time()
        for _ in range(10):
            live.add(results.chosen(slice(0, 1)))
            live.estimate()
            live.points()
        found[count] = (adding / BLOCK / 100, (time.process_time() - began) / 10, live.kept)
    shown = table(
        f"A list that grows by blocks of {BLOCK} matches, {SEATS} seats, {BOTS} bots",
        *("matches", "a match more, us", "all ratings, ms", "groups kept"),
    )
    for count, (adding, rating, kept) in found.items():
        shown.add_row(f"{count:,}", f"{1e6 * adding:.1f}", f"{1e3 * rating:.1f}", f"{kept:,}")
    console.print(shown)
    (first, _, _), (last, _, _) = found.values()
    return [Target("a match more at the end of a long list v a short one", last / first, 1.2)]


if __name__ == "__main__":
    alone(section, __doc__, rounds=5)
