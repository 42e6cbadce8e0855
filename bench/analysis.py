"""Does the card that an analysis calls best win? `python -m bench.analysis [--matches N] [--ms MS]`.

One seat plays the best card of playouts, as `bullring analyse` judges cards, against three times @montecarlo. Prints heads a
deal and the share of rivals beaten, each with its standard error, and the Elo difference that this share means. Needs numba.
"""

import argparse
from math import log10
from typing import Any

import numpy as np

import bullring
from bullring.arena.simulator import playouts, position

SEATS = 4


class Best:
    """Plays the option with the fewest expected heads."""

    name = "best card"

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked = 0

    def __call__(self, message: dict[str, Any]) -> Any:
        self.asked += 1
        found = position("standard", {}, SEATS, message["view"], message["kind"])
        drawn = playouts(found, message["options"], "noisy", self.count, self.asked)
        means = drawn[:, :, message["view"]["seat"]].mean(axis=0)
        return message["options"][int(means.argmin())]


def main() -> None:
    """Play, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--ms", type=int, default=50, help="limit of each decision, most of which @montecarlo uses")
    parser.add_argument("--playouts", type=int, default=512)
    given = parser.parse_args()
    best, own, others, beaten, faults = Best(given.playouts), [], [], [], 0
    limits = bullring.Limits(card_us=given.ms * 1000, row_us=given.ms * 1000)
    for seat in range(SEATS):
        players: list[Any] = ["@montecarlo"] * SEATS
        players[seat] = best
        seeds = [f"bench-{seat}-{number}" for number in range(given.matches // SEATS)]
        reports = bullring.play_matches(*players, count=len(seeds), options={"deals": 1}, seeds=seeds, limits=limits)
        for report in reports:
            rivals = [score for at, score in enumerate(report.scores) if at != seat]
            own.append(report.scores[seat])
            others.append(np.mean(rivals))
            beaten.append(np.mean([(score > own[-1]) + (score == own[-1]) / 2 for score in rivals]))
            faults += len(report.faults)
    for title, values in (("heads", own), ("heads of @montecarlo", others), ("share beaten", beaten)):
        print(f"{title}: {np.mean(values):.3f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.3f}")
    share = float(np.mean(beaten))
    print(f"faults: {faults}")
    print(f"Elo: {-400 * log10(1 / share - 1):+.0f} ± {694.9 * np.std(beaten, ddof=1) / len(beaten) ** 0.5:.0f}")


if __name__ == "__main__":
    main()
