"""The whole referee: pool, rules, wire, clocks, checks and record, as a ladder has them. Prints one line of JSON.

Each table plays match after match with the same bots. `--profile` prints where the time goes instead.
"""

import argparse
import cProfile
import time
from functools import partial

import trio

from bench.cost import PARTS, measured, parsed, parser
from bench.programs import as_bot, instant_bot, thinking_bot
from bench.tables import Table, decisions, pool_in
from bullring.arena.match.seats.pool import Pool
from bullring.arena.settings.limits import Limits

DEALS = 5
"""Deals per match, about as many as in a match to 66 heads."""
PER_DEAL = 10
"""Turns per deal; rows of low cards are additional decisions."""
LIMITS = Limits.seconds(card=10.0, row=10.0, other=10.0)
"""Long enough for a busy machine."""


async def play(tables: list[Table], matches: int) -> int:
    """Play this many matches at every table. Returns the number of decisions."""
    taken = 0

    async def one(table: Table) -> None:
        nonlocal taken
        for _ in range(matches):
            result = await table.match()
            if result.void or any(seat.faults for seat in result.seats):
                raise RuntimeError("an instant bot at fault, or a void match: the figure would mean nothing")
            taken += decisions(result)

    async with trio.open_nursery() as nursery:
        for table in tables:
            nursery.start_soon(one, table)
    return taken


def arrange(pool: Pool, given: argparse.Namespace) -> list[Table]:
    """The tables; their bots are not started yet."""
    bots = [as_bot(thinking_bot() if given.think else instant_bot())] * given.seats
    return [Table(pool, bots, LIMITS, given.deals) for _ in range(given.matches)]


async def measure(given: argparse.Namespace) -> None:
    """Warm up, then measure."""
    matches = max(1, given.decisions // (given.matches * given.seats * given.deals * PER_DEAL * PARTS))
    profile = cProfile.Profile(time.process_time) if given.profile else None
    async with pool_in(LIMITS, given.tier, freeze=given.freeze) as pool:
        tables = arrange(pool, given)
        await measured(partial(play, tables, matches), profile)


def main() -> None:
    """Measure and print the figures."""
    made = parser(__doc__)
    made.add_argument("--deals", type=int, default=DEALS, help="deals in a match")
    made.add_argument("--tier", default="none", help="the tier that confines the bots, used without proof")
    made.add_argument("--freeze", action="store_true", help="freeze them between their decisions")
    made.add_argument("--think", action="store_true", help="with bots that sleep for 1 to 5 ms before each answer")
    made.add_argument("--profile", action="store_true", help="print where the time goes (which makes it slower)")
    trio.run(measure, parsed(made))


if __name__ == "__main__":
    main()
