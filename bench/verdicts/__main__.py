"""`python -m bench.verdicts`: print the simulated error rates of all verdicts, or of some, part by part. All take ten minutes."""

import argparse
import time
from collections.abc import Callable

from bench.figures import wide_console
from bench.verdicts import alarms, cycles, duels, gauges, lopsided, luce, overall, ranks

PARTS: dict[str, Callable[..., None]] = {
    "ranks": ranks.section,
    "alarms": alarms.section,
    "lopsided": lopsided.section,
    "luce": luce.section,
    "cycles": cycles.section,
    "overall": overall.section,
    "duels": duels.section,
    "stopped": duels.intervals,
    "gauges": gauges.section,
}
"""The parts by name. Each takes less than two minutes on one core, unless it is given a number of simulations."""


def main() -> None:
    """Simulate the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench.verdicts", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default: all of {', '.join(PARTS)}")
    parser.add_argument("--count", type=int, help="simulations of each kind; default: the part's own number")
    wish = parser.parse_args()
    chosen = wish.parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    if wish.count is not None and wish.count < 2:
        parser.error(f"--count must be at least 2, not {wish.count}")
    began = time.monotonic()
    console = wide_console()
    for name in chosen:
        PARTS[name](console, *([] if wish.count is None else [wish.count]))
    console.print(f"simulated in {time.monotonic() - began:.0f} s", highlight=False)


if __name__ == "__main__":
    main()
