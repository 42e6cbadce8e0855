"""Whether the likelihood of superiority of neighbours in a table is right, although the table was sorted by the same results.

Lists are drawn by the thousand: bots of known strengths, random tables, orders of finishing in which each pair follows the logistic
curve. What each table says of a bot and the next one is compared with who is better. LOS is the figure of the table, `plain` of
a pair that was named before.
"""

import argparse
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench.figures import table, wide_console
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO, Floats
from bullring.ladder.rating.superiority import superiority
from bullring.ladder.rating.tally import tally

BOTS = (6, 12)
GROUPS = (12, 60, 300)
SPREADS = (30.0, 120.0, 350.0)
"""Standard deviations of the strengths, in Elo."""
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def played(rng: np.random.Generator, strengths: Floats, groups: int, seats: int) -> Results:
    """Matches at random tables."""
    lineups = np.argsort(rng.random((groups, len(strengths))), axis=1)[:, :seats]
    luck = strengths[lineups] / ELO + rng.gumbel(size=lineups.shape)
    ranks = 1 + (luck[:, :, None] < luck[:, None, :]).sum(axis=2)
    return Results.stacked(len(strengths), lineups, ranks[:, None, :], np.zeros((groups, 1, seats), dtype=int))


def said_and_true(rng: np.random.Generator, bots: int, groups: int, spread: float, seats: int) -> NDArray[np.float64]:
    """(3, neighbours): LOS, the plain figure, and whether the upper one is the better one, of one table."""
    truth = rng.normal(0.0, spread, bots)
    tallied = tally(played(rng, truth, groups, seats))
    found = estimate(tallied)
    placed = np.flatnonzero(found.comparable)
    order = placed[np.argsort(-found.ratings[placed])]
    one, other = order[:-1], order[1:]
    said = superiority(*tallied.met(), seats, found).over(one, other)
    return np.stack([said, found.superior[one, other], truth[one] > truth[other]])


def section(console: Console, lists: int, seats: int) -> None:
    """Draw the lists and print the tables."""
    shown = table(
        f"LOS of neighbours, {seats} seats: mean said and share in the right order, of {lists:,} lists each; then by what was said",
        *("bots", "groups", "spread", "plain", "LOS", "true"),
        *(f"{low:.2f}-{high:.2f}" for low, high in pairwise(BINS)),
    )
    for bots in BOTS:
        for groups in GROUPS:
            for spread in SPREADS:
                rng = np.random.default_rng([bots, groups, int(spread)])
                drawn = [said_and_true(rng, bots, groups, spread, seats) for _ in range(lists)]
                said, plain, true = np.concatenate(drawn, axis=1)
                cells = []
                for low, high in pairwise(BINS):
                    here = (said >= low) & (said < high)
                    few = here.sum() < 100
                    cells.append("" if few else f"{said[here].mean():.2f}: {true[here].mean():.2f}")
                figures = (f"{values.mean():.3f}" for values in (plain, said, true))
                shown.add_row(str(bots), str(groups), f"{spread:.0f}", *figures, *cells)
    console.print(shown)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=4)
    arguments = parser.parse_args()
    section(wide_console(), arguments.lists, arguments.seats)


if __name__ == "__main__":
    main()
