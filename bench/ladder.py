"""The ladder: the speed-up of two workers over one, the cost of the ladder itself beside its matches, its growth in memory."""

import argparse
from functools import partial
from statistics import median

from rich.console import Console

from bench.figures import Target, fresh, interleaved, ratios, spread, table, wide_console

MATCHES = 3000
SPEEDUP = 1.7
OWN = 10.0
"""Most CPU of the ladder itself, in per cent of that of its matches. Instant bots are the hardest case: thinking lowers it."""
GROWTH = 16.0
"""Most growth in memory over the second half of a run, in MiB."""


def section(console: Console, rounds: int) -> list[Target]:
    """Measure with one worker and with two, and print the table."""
    found = interleaved({f"{jobs}": partial(fresh, "ladders", jobs, "--matches", MATCHES) for jobs in (1, 2)}, rounds)
    shown = table(
        f"Ladder: {MATCHES} matches of four instant bots, standard, one deal, all records kept: median (min-max) of {rounds}",
        *("workers", "matches/s", "ladder's CPU, % of the matches'", "growth in the second half, MiB"),
    )
    for jobs, runs in found.items():
        shares = [100 * run["own"] / run["matches"] for run in runs]
        shown.add_row(
            jobs,
            spread([run["rate"] for run in runs], 0),
            spread(shares, 1),
            spread([run["growth"] for run in runs], 1),
        )
    console.print(shown)
    speedup = median(ratios([run["rate"] for run in found["2"]], [run["rate"] for run in found["1"]]))
    share = median([100 * run["own"] / run["matches"] for runs in found.values() for run in runs])
    growth = median([run["growth"] for runs in found.values() for run in runs])
    return [
        Target("two workers v one", speedup, SPEEDUP, at_least=True),
        Target("a ladder's own work on top of its matches", share, OWN, unit="%"),
        Target("a ladder's growth in memory over its second half", growth, GROWTH, unit="MiB"),
    ]


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    section(wide_console(), parser.parse_args().rounds)


if __name__ == "__main__":
    main()
