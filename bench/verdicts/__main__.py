"""`python -m bench.verdicts`: print the simulated error rates of all verdicts, part by part. Takes less than ten minutes."""

import time

from bench.figures import wide_console
from bench.verdicts import alarms, cycles, duels, gauges, lopsided, luce, overall, ranks


def main() -> None:
    """Simulate everything."""
    began = time.monotonic()
    console = wide_console()
    # Each part takes less than two minutes on one core: `part.section(console)`.
    ranks.section(console)
    alarms.section(console)
    lopsided.section(console)
    luce.section(console)
    cycles.section(console)
    overall.section(console)
    duels.section(console)
    gauges.section(console)
    console.print(f"simulated in {time.monotonic() - began:.0f} s", highlight=False)


if __name__ == "__main__":
    main()
