"""What the table says that more would cost, beside what it then costs.

Lists of bots with known strengths are played by the real schedule. At some moment the forecast is asked for a target, and the
schedule goes on until no interval is wider.
"""

import argparse
from dataclasses import dataclass
from statistics import median

import numpy as np
from rich.console import Console

from bench.figures import table, wide_console
from bullring.ladder.pairing.forecast import forecast
from bullring.ladder.pairing.informed import Informed
from bullring.ladder.pairing.known import Known
from bullring.ladder.rating.estimate import estimate
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO
from bullring.ladder.rating.tally import tally

EVERY = 50
"""Matches between two ratings."""


@dataclass(frozen=True)
class Case:
    """A list, and what is asked of it."""

    bots: int
    seats: int
    spread: float
    """Standard deviation of the strengths, in Elo."""
    after: int
    """Matches before the forecast."""
    target: float


CASES = (
    Case(8, 4, 40.0, 300, 25.0),
    Case(8, 4, 150.0, 300, 25.0),
    Case(12, 4, 150.0, 500, 20.0),
    Case(12, 2, 150.0, 1000, 40.0),
    Case(12, 10, 150.0, 300, 15.0),
)


def said_and_true(case: Case, seed: int) -> tuple[int, int] | None:
    """Matches forecast, and played, until the target; None if nothing was forecast."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.0, case.spread, case.bots)
    bots, costs = list(range(case.bots)), dict.fromkeys(range(case.bots), 0.002)
    schedule = Informed(case.seats, rng)
    schedule.learn(Known.nothing(case.target), bots)
    lineups, ranks = [], []
    said: int | None = None
    while True:
        for _ in range(EVERY):
            lineup = schedule.next(bots, None, costs)
            assert lineup is not None
            luck = truth[list(lineup)] / ELO + rng.gumbel(size=case.seats)
            lineups.append(lineup)
            ranks.append([1 + (luck > luck[:, None]).sum(axis=1)])
        heads = np.zeros((len(lineups), 1, case.seats), dtype=int)
        known = Known.of(estimate(tally(Results.stacked(case.bots, lineups, ranks, heads))), bots, case.target)
        schedule.learn(known, bots)
        if said is None and len(lineups) >= case.after:
            found = forecast(known, costs, case.target, seats=case.seats, active=bots)
            if found is None:
                return None
            said, began = found.matches, len(lineups)
        if said is not None and known.widths[1:].max() <= case.target:
            return said, len(lineups) - began


def section(console: Console, lists: int) -> None:
    """Play the lists and print the table."""
    shown = table(
        f"What more would cost: matches said / played until the target, {lists} lists each",
        *("bots", "seats", "spread", "after", "target", "played", "said / played: median (min-max)"),
    )
    for case in CASES:
        pairs = [pair for seed in range(lists) if (pair := said_and_true(case, seed)) and pair[1]]
        ratios = [said / true for said, true in pairs]
        shown.add_row(
            *(f"{value:g}" for value in (case.bots, case.seats, case.spread, case.after, case.target)),
            f"{median(true for _, true in pairs):.0f}",
            f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
        )
    console.print(shown)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=20)
    section(wide_console(), parser.parse_args().lists)


if __name__ == "__main__":
    main()
