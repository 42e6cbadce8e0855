"""The thinking that a bot gets per decision: alone, beside three thinkers, and with all cores taken by others.

The bot counts steps of a fixed size until its own clock shows a third of its limit. A limit is time on a core of one's own, so
the count should not depend on who else is there.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from rich.console import Console

from bench.figures import Facts, Target, alone, fresh, interleaved, ratios, spread, table
from bench.programs import HERE
from bench.tiers import missing

WANTED = 0.03
"""Greatest difference."""

STRANGERS = 3
"""Spinning programs per core."""


@contextmanager
def taken(tier: str) -> Iterator[None]:
    """Keep all cores busy: a table of four thinkers on each, and strangers."""
    spin = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        "import time\nend = time.monotonic() + 300\nwhile time.monotonic() < end: pass",
    ]
    with ExitStack() as stack:
        for core in sorted(os.sched_getaffinity(0)):
            other = [sys.executable, "-m", "bench.thinkers", "--tier", tier, "--thinkers", "4", "--core", str(core)]
            for command in [[*other, "--for", "300"], *[spin] * STRANGERS]:
                process = subprocess.Popen(
                    command, cwd=HERE.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                stack.callback(process.wait)
                stack.callback(process.terminate)
        yield


def among_others(tier: str) -> Facts:
    """Measure with all cores taken."""
    with taken(tier):
        return fresh("thinkers", "--tier", tier, "--thinkers", 4)


def section(console: Console, rounds: int, tier: str = "bwrap") -> list[Target]:
    """Measure and print the table."""
    if reason := missing(tier):
        console.print(f"thinking: left out: tier {tier}: {reason}", markup=False, highlight=False)
        return []
    run = partial(fresh, "thinkers", "--tier", tier)
    found = interleaved(
        {
            "alone": partial(run, "--thinkers", 1),
            "beside three thinkers": partial(run, "--thinkers", 4),
            "with all cores taken": partial(among_others, tier),
        },
        rounds,
    )
    shown = table(
        f"Steps of thinking per decision in tier {tier}, limit 120 ms: median (min-max) of {rounds} rounds",
        *("the bot is", "steps", "v alone", "decisions", "faults", "void"),
    )
    steps = {name: [facts["steps"] for facts in runs] for name, runs in found.items()}
    for name, runs in found.items():
        figures = (sum(facts[key] for facts in runs) for key in ("decisions", "faults", "void"))
        shown.add_row(
            name,
            spread(steps[name], 0),
            spread(ratios(steps[name], steps["alone"]), 3),
            *(f"{sum_:,.0f}" for sum_ in figures),
        )
    console.print(shown)
    middle = {name: sorted(each)[len(each) // 2] for name, each in steps.items()}
    return [
        Target(f"thinking {name} v alone, difference", abs(middle[name] / middle["alone"] - 1), WANTED, "")
        for name in list(middle)[1:]
    ]


if __name__ == "__main__":
    alone(section, __doc__, rounds=5, tier="bwrap")
