"""`python -m bench.verdicts`: print the simulated error rates of all verdicts, or of some, part by part. All take ten minutes."""

import argparse
import time

from bench.figures import wide_console
from bench.verdicts import alarms, cycles, duels, gauges, lopsided, luce, overall, ranks

PARTS = {
    part.__name__.rpartition(".")[2]: part for part in (ranks, alarms, lopsided, luce, cycles, overall, duels, gauges)
}
"""The parts by name. Each takes less than two minutes on one core."""


def main() -> None:
    """Simulate the parts that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m bench.verdicts", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default: all of {', '.join(PARTS)}")
    chosen = parser.parse_args().parts or list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    began = time.monotonic()
    console = wide_console()
    for name in chosen:
        PARTS[name].section(console)
    console.print(f"simulated in {time.monotonic() - began:.0f} s", highlight=False)


if __name__ == "__main__":
    main()
