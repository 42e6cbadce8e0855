"""A thousand tables whose bots wait for a second before each answer: the cost of the referee, and how late it notices hung bots.

`python -m bench.waiting` plays a deal at each table. The bots are programs in C, four at a table, and one table in ten has one that
never answers. The processor time is that of the referee process alone, from when all sit down until the last deal ends.
"""

import argparse
import resource
import time
from dataclasses import dataclass, field

import trio

from bench.figures import Target, lateness, show_targets, wide_console
from bench.programs import as_bot, hung_bot, waiting_bot
from bench.tables import Table, decisions, pool_in
from bullring.arena.match.faults import FaultKind
from bullring.arena.match.referee.hall import PATIENCE_US, the_hall
from bullring.arena.settings.limits import MICRO, Limits

LIMIT = 3.0
LIMITS = Limits.seconds(start=300.0, card=LIMIT, row=LIMIT, other=LIMIT)
SEATS = 4
HUNG = 10
"""One table in so many has a bot that never answers."""

SHARE = 15.0
"""Most processor time of the referee, in per cent of a core."""

LATE_MS = 50.0
FILES = 8
"""Files that a running bot needs."""


@dataclass
class Found:
    """What happened at all tables."""

    decisions: int = 0
    innocent: int = 0
    """Faults of bots that answer."""
    void: int = 0
    late_us: list[int] = field(default_factory=list)
    """Microseconds from the limit until a hung bot was called late."""
    seated: int = 0
    """Tables whose bots have said hello."""
    ready: int = 0
    """Tables that may begin."""


async def measure(tables: int, *, freeze: bool) -> tuple[Found, float, float]:
    """Play, and return the findings, the seconds, and the processor time in them."""
    good, bad, found = as_bot(waiting_bot()), as_bot(hung_bot()), Found()
    together, begun = trio.Event(), trio.Event()

    async def one(number: int) -> None:
        bots = [*[good] * (SEATS - 1), good if number % HUNG else bad]
        table = Table(pool, bots, LIMITS, 1)
        players = await pool.seat(bots)
        found.seated += 1
        if found.seated == tables:
            together.set()
        await together.wait()
        await pool.release(players)  # only now, or the next table would have the same bots
        found.ready += 1
        if found.ready == tables:
            begun.set()
        await begun.wait()
        result = await table.match()
        found.void += result.void is not None
        found.decisions += decisions(result)
        for bot, seat in zip(bots, result.seats, strict=True):
            if bot is good:
                found.innocent += len(seat.faults)
            else:
                late = [fault for fault in seat.faults if fault.kind is FaultKind.TIMEOUT]
                found.late_us += [fault.elapsed_us - round(LIMIT * MICRO) for fault in late]

    the_hall().patience_us = PATIENCE_US
    async with pool_in(LIMITS, freeze=freeze, bots=SEATS * tables) as pool:
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                nursery.start_soon(one, number)
            await begun.wait()
            began, used = time.monotonic(), time.process_time()
        seconds, used = time.monotonic() - began, time.process_time() - used
    return found, seconds, used


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--freeze", action="store_true", help="bots take turns at thinking, as in a ladder")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = FILES * SEATS * given.tables + 512
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(hard, wanted), hard))
    found, seconds, used = trio.run(lambda: measure(given.tables, freeze=given.freeze))
    console = wide_console()
    console.print(
        f"{given.tables} tables, {found.decisions} decisions in {seconds:.1f} s, {used:.2f} s of them the referee's:"
        f" {used / found.decisions * MICRO:.0f} us a decision",
        highlight=False,
    )
    # A quick machine asks every bot once a second; a busy one is slower, and is not charged for that.
    share = 100 * SEATS * given.tables * used / found.decisions
    show_targets(
        console,
        [
            Target("the referee's processor time, of a core, if each bot is asked once a second", share, SHARE, "%"),
            Target("faults of bots that answer", found.innocent, 0, "times"),
            Target("void matches", found.void, 0, "times"),
            Target("lateness of a hung bot, p99", lateness(found.late_us)["p99_us"] / 1e3, LATE_MS, "ms"),
        ],
    )


if __name__ == "__main__":
    main()
