"""The delay with which the referee notices a hung bot while 32 other matches keep it busy. Prints one line of JSON.

The hung bot gets three strikes and is closed, then the next match starts a new one. With `--decisions`, run until the busy matches
have taken that many decisions, to check that none of their bots is ever called late.
"""

import argparse
import json
import time
from dataclasses import dataclass, field
from itertools import count

import trio

from bench.figures import lateness
from bench.programs import as_bot, hung_bot, instant_bot
from bench.tables import Table, decisions, pool_in
from bullring.arena.match.faults import FaultKind
from bullring.arena.settings.limits import Limits

LIMITS = Limits.seconds(card=0.05, row=0.05, other=0.05)
LIMIT_US = 50_000
SEATS = 4
CEILING = 280.0
"""Seconds after which the measurement ends in any case."""


@dataclass
class Found:
    """The findings of a measurement."""

    late_us: list[int] = field(default_factory=list)
    """Microseconds from the limit until a hung bot was called late; negative if that was too early."""
    innocent: int = 0
    """Number of faults of bots that answer at once."""
    void: int = 0
    """Number of matches given up because the machine stood still."""
    decisions: int = 0
    """Number of decisions taken by the busy matches."""
    warm: int = 0
    """Number of busy tables that have played a match: before that, bots are still being started."""


async def busy(table: Table, found: Found) -> None:
    """Play match after match until cancelled."""
    for match in count():
        result = await table.match()
        found.warm += match == 0
        found.decisions += decisions(result)
        found.innocent += sum(len(seat.faults) for seat in result.seats)
        found.void += result.void is not None


async def hung(table: Table, found: Found) -> None:
    """Play match after match in which the last seat never answers, until cancelled."""
    while True:
        result = await table.match()
        *innocent, guilty = result.seats
        found.innocent += sum(len(seat.faults) for seat in innocent)
        found.void += result.void is not None
        found.late_us += [fault.elapsed_us - LIMIT_US for fault in guilty.faults if fault.kind is FaultKind.TIMEOUT]


async def measure(given: argparse.Namespace) -> tuple[Found, float]:
    """Warm up, then measure. Returns the findings and the seconds measured."""
    good, bad = as_bot(instant_bot()), as_bot(hung_bot())
    found, seconds = Found(), 0.0
    with trio.move_on_after(CEILING):
        async with pool_in(LIMITS) as pool, trio.open_nursery() as nursery:
            for _ in range(given.matches):
                table = Table(pool, [good] * SEATS, LIMITS, 5)
                nursery.start_soon(busy, table, found)
            table = Table(pool, [*[good] * (SEATS - 1), bad], LIMITS, 1)
            nursery.start_soon(hung, table, found)
            while found.warm < given.matches:
                await trio.sleep(0.1)
            vars(found).update(vars(Found()))
            began = time.monotonic()
            while found.decisions < given.decisions if given.decisions else seconds < given.seconds:
                await trio.sleep(0.1)
                seconds = time.monotonic() - began
            nursery.cancel_scope.cancel()
    return found, seconds


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=32, help="number of simultaneous busy matches")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--decisions", type=int, default=0, help="measure until this many are taken, not for a time")
    found, seconds = trio.run(measure, parser.parse_args())
    facts = {**lateness(found.late_us), **vars(found), "seconds": round(seconds, 1)}
    del facts["late_us"], facts["warm"]
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
