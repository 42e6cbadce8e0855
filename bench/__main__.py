"""`make bench`: print all tables, then each figure beside its target. See README.md."""

import os
import time

from bench import (
    deadlines,
    decisions,
    freezing,
    ladder,
    rating,
    rules,
    simulator,
    starting,
    thinking,
    tiers,
    training,
    viewers,
    wire,
)
from bench.figures import Target, show_targets, wide_console
from bench.programs import compiled


def main() -> None:
    """Measure everything. The exit code does not depend on the figures."""
    began = time.monotonic()
    console = wide_console()
    if compiled("instant") is None:
        console.print("no gcc: the instant bots are slow ones in Python")
    targets: list[Target] = []
    targets += decisions.section(console, rounds=5)
    decisions.one_deal(console, rounds=5, old=None)
    targets += deadlines.section(console, seconds=10.0)
    targets += rules.section(console, rounds=9)
    targets += simulator.section(console, rounds=5)
    wire.section(console, rounds=9)
    targets += starting.section(console, rounds=5)
    targets += tiers.section(console)
    freezing.section(console, rounds=3)
    targets += thinking.section(console, rounds=3)
    targets += rating.section(console, rounds=5)
    targets += training.section(console, rounds=5)
    targets += viewers.section(console, rounds=3)
    targets += ladder.section(console, rounds=3)
    targets += ladder.crowds(console, ladder.SECONDS)
    show_targets(console, targets)
    console.print(f"{sum(target.reached for target in targets)} of {len(targets)} reached", end="; ")
    # Our own programs keep about two cores busy; any load above that is foreign and spoils lateness and starting most.
    load = os.getloadavg()[0]
    console.print(
        f"measured in {time.monotonic() - began:.0f} s, load {load:.1f} on {os.cpu_count()} cores", highlight=False
    )


if __name__ == "__main__":
    main()
