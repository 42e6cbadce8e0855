"""Starting bots: the time from the start of the process to its hello, and the gain from keeping bots between matches."""

import time
from statistics import median

import trio
from rich.console import Console

from bench.figures import Target, alone, ratios, spread, table
from bench.programs import as_bot, compiled, instant_bot, python_bot
from bench.tables import Table, pool_in
from bullring.arena.cells.bots.bot import Bot
from bullring.arena.match.seats.hello import start
from bullring.arena.match.seats.pool import Pool
from bullring.arena.settings.limits import Limits

LIMITS = Limits()
SEATS = 4
STARTS = 10
"""Starts per round."""
KEPT = 40
"""Deals per round with bots that are kept; with bots started anew, an eighth of that."""

Row = tuple[str, list[float], list[float], list[float]]


async def starts(pool: Pool, bot: Bot) -> float:
    """Median milliseconds from the start of the process to its hello."""
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        player = await start(bot, pool.sandbox, LIMITS.start_us, pool.watch.stalls)
        times.append((time.perf_counter() - began) * 1e3)
        await player.close("that was all")
    return median(times)


async def deals(pool: Pool, bot: Bot, count: int) -> float:
    """Deals per second in matches of one deal each, played one after another."""
    at = Table(pool, [bot] * SEATS, LIMITS, 1)
    began = time.perf_counter()
    for _ in range(count):
        result = await at.match()
        if any(seat.faults for seat in result.seats):
            raise RuntimeError("an instant bot at fault")
    return count / (time.perf_counter() - began)


async def measure(rounds: int) -> list[Row]:
    """For each kind of bot: start-up times, and deals per second with bots kept and with bots started anew."""
    kinds = {"Python": python_bot()}
    if compiled("instant"):
        kinds = {"C": instant_bot(), **kinds}
    rows: list[Row] = [(name, [], [], []) for name in kinds]
    async with pool_in(LIMITS) as pool:
        for command in kinds.values():
            await deals(pool, as_bot(command), 1)  # not counted: starts the bots that are kept
        for _ in range(rounds):
            for (_, started, kept, anew), command in zip(rows, kinds.values(), strict=True):
                started.append(await starts(pool, as_bot(command)))
                kept.append(await deals(pool, as_bot(command), KEPT))
                anew.append(await deals(pool, as_bot(command, restart=True), KEPT // 8))
    return rows


def section(console: Console, rounds: int) -> list[Target]:
    """Measure and print the table."""
    rows = trio.run(measure, rounds)
    shown = table(
        f"Starting bots, {SEATS} seats, one match at a time: median (min-max) of {rounds} rounds",
        *("bots", "start to hello, ms", "deals/s, bots kept", "deals/s, started anew", "kept v anew"),
    )
    targets = []
    for name, started, kept, anew in rows:
        gain = ratios(kept, anew)
        shown.add_row(name, spread(started), spread(kept, 0), spread(anew, 1), spread(gain, 1))
        wanted = 5.0 if name == "C" else 30.0
        targets.append(Target(f"bots kept v started anew, {name}", median(gain), wanted, at_least=True))
    console.print(shown)
    return targets


if __name__ == "__main__":
    alone(section, __doc__, rounds=5)
