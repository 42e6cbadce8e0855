"""One table of thinking bots on one core, as in a worker of a ladder. Prints one line of JSON: the steps per decision of the first.

With `--for`, play until that many seconds are over, to keep the core busy.
"""

import argparse
import json
import os
import re
import time
from statistics import median

import trio

from bench.programs import as_bot, instant_bot, thinker_bot
from bench.tables import Table, pool_in
from bullring.arena.match.play import Report
from bullring.arena.settings.limits import Limits

LIMITS = Limits.seconds(card=0.12, row=0.12, other=0.12)
SEATS = 4


async def measure(given: argparse.Namespace) -> list[Report]:
    """Play the matches."""
    bots = [as_bot(thinker_bot() if seat < given.thinkers else instant_bot()) for seat in range(SEATS)]
    found: list[Report] = []
    began = time.monotonic()
    async with pool_in(LIMITS, given.tier, freeze=True) as pool:
        table = Table(pool, bots, LIMITS, 1)
        while len(found) < given.matches or time.monotonic() - began < given.seconds:
            found.append(await table.report())
    return found


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tier", default="bwrap")
    parser.add_argument(
        "--thinkers", type=int, default=1, help="how many of the four bots think; the others answer at once"
    )
    parser.add_argument("--matches", type=int, default=2)
    parser.add_argument("--for", dest="seconds", type=float, default=0.0)
    parser.add_argument("--core", type=int, default=min(os.sched_getaffinity(0)))
    given = parser.parse_args()
    os.sched_setaffinity(0, {given.core})
    reports = trio.run(measure, given)
    steps = [int(number) for report in reports for number in re.findall(r"steps (\d+)", report.logs[0])]
    faults = sum(len(seat.faults) for report in reports for seat in report.result.seats)
    void = sum(report.void is not None for report in reports)
    print(json.dumps({"steps": median(steps), "decisions": len(steps), "faults": faults, "void": void}))


if __name__ == "__main__":
    main()
