"""The ladder: the speed-up of two workers over one, the cost of the ladder itself beside its matches, its growth in memory;
its rate with many bots, and that of quick bots beside a costly one."""

import argparse
from functools import partial
from statistics import median

from rich.console import Console

from bench.figures import Target, fresh, interleaved, ratios, show_targets, spread, table, wide_console

MATCHES = 3000
SPEEDUP = 1.8
OWN = 5.0
"""Most CPU of the ladder itself, in per cent of that of its matches. Instant bots are the hardest case: thinking lowers it."""
GROWTH = 16.0
"""Most growth in memory over the second half of a run, in MiB."""
CROWD = 200
"""Bots of a large ladder, of which a worker can keep half running."""
CROWDED = 0.6
"""Least rate with these, as a part of that with six."""
SECONDS = 40.0
"""Length of the runs with many bots and with costly ones, in seconds: long enough for all to have played."""
COSTLY = ("hello", "answers", "later", "over", "farewell")
"""The ways of a costly bot (`costly_bot`)."""
BESIDE = 0.6
"""Least rate of quick bots among themselves beside a costly one, as a part of that without it: it has a lane of its own, whose
tables take quick bots and processor time, too."""


def section(console: Console, rounds: int) -> list[Target]:
    """Measure with one worker and with two, and print the table."""
    found = interleaved(
        {f"{jobs}": partial(fresh, "ladders", f"jobs:{jobs}", "--pin", "--matches", MATCHES) for jobs in (1, 2)}, rounds
    )
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


def crowds(console: Console, seconds: float) -> list[Target]:
    """Measure the rate with many bots and beside costly ones, and print the table."""
    run = partial(fresh, "ladders", "jobs:1", "--pin", "--seconds", seconds)
    few, many = run("--bots", 6), run("--bots", CROWD)
    shown = table(
        f"Ladder: one worker on one core, {seconds:g} s",
        *("instant bots", "matches/s", "without the costly one, matches/s", "most bots at a time", "ending, s"),
    )
    costly = {way: run("--bots", 6, "--costly", way) for way in COSTLY}
    rows = {"6": few, str(CROWD): many, **{f"6 and costly: {way}": found for way, found in costly.items()}}
    for title, found in rows.items():
        cells = (f"{found[key]:.{digits}f}" for key, digits in (("rate", 0), ("quick", 0), ("most", 0), ("ending", 1)))
        shown.add_row(title, *cells)
    console.print(shown)
    return [
        Target(f"{CROWD} instant bots v 6", many["rate"] / few["rate"], CROWDED, at_least=True),
        *(
            Target(
                f"quick bots beside a costly one ({way}) v alone", found["quick"] / few["quick"], BESIDE, at_least=True
            )
            for way, found in costly.items()
        ),
        Target("ending a worker with as many bots as it may have", many["ending"], 3.0, unit="s"),
    ]


def main() -> None:
    """Measure and print only this table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="the length of the runs with many or costly bots"
    )
    parser.add_argument("--crowds", action="store_true", help="only those")
    given, console = parser.parse_args(), wide_console()
    targets = [] if given.crowds else section(console, given.rounds)
    show_targets(console, [*targets, *crowds(console, given.seconds)])


if __name__ == "__main__":
    main()
