"""The cost of freezing bots while they have nothing to decide, at eight tables of four bots, as in a ladder's worker.

If all answer at once, nobody is frozen, so freezing should cost nothing. Bots that sleep for 1 to 5 ms before they answer make
nearly every turn slow, so that bots that have answered are frozen until the next question.
"""

from functools import partial
from statistics import median

from rich.console import Console

from bench.figures import alone, fresh, interleaved, ratios, spread, table
from bench.tiers import missing

DECISIONS = 12_000
BOTS = {"instant": (), "thinking": ("--think",)}
CASES = {"none": ("--tier", "none"), "bwrap": ("--tier", "bwrap"), "bwrap, frozen": ("--tier", "bwrap", "--freeze")}


def section(console: Console, rounds: int) -> None:
    """Measure and print the table. There is no target: the cost depends on how long bots think."""
    if reason := missing("bwrap"):
        console.print(f"freezing: left out: tier bwrap: {reason}", markup=False, highlight=False)
        return
    shown = table(
        f"Microseconds per decision, 8 matches of 4 bots: median (min-max) of {rounds} rounds",
        *("bots", "tier", "referee's CPU", "wall clock", "decisions/s", "CPU v bwrap", "wall clock v bwrap"),
    )
    for bots, kind in BOTS.items():
        run = partial(fresh, "referee", "--matches", 8, "--deals", 2, "--decisions", DECISIONS, *kind)
        found = interleaved({name: partial(run, *arguments) for name, arguments in CASES.items()}, rounds)
        cpu = {name: [facts["cpu_us"] for facts in runs] for name, runs in found.items()}
        wall = {name: [facts["wall_us"] for facts in runs] for name, runs in found.items()}
        for name in CASES:
            shown.add_row(
                bots,
                name,
                spread(cpu[name], 1),
                spread(wall[name], 1),
                f"{1e6 / median(wall[name]):,.0f}",
                spread(ratios(cpu[name], cpu["bwrap"])),
                spread(ratios(wall[name], wall["bwrap"])),
            )
        shown.add_section()
    console.print(shown)


if __name__ == "__main__":
    alone(section, __doc__, rounds=3)
