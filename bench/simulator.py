"""The simulator beside the rules engine: deals by each policy, playouts, tables for training, two threads and two processes."""

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import median

from rich.console import Console

from bench.figures import Target, alone, interleaved, ratios, spread, table
from bench.rules import by_sample, in_place
from bullring.arena.games.simulator import COMPILED, Tables, play, playouts, position

SEATS = 4
DEALS = 40_000
"""Deals in one run of the simulator."""
LONG = 160_000
"""Deals in one run by the clock: several parts for each thread."""
PLAIN = 2_000
"""Deals in one run of the rules engine."""

OPENING = {
    "turn": 1,
    "rows": [[21], [48], [70], [95]],
    "row_heads": [1, 1, 3, 2],
    "played": [],
    "piles": [[], [], [], []],
    "seat": 0,
    "hand": [4, 17, 30, 33, 52, 55, 61, 78, 88, 101],
}
"""A first turn."""


def rules_engine() -> int:
    """Deals of random players by the rules engine. Returns their number."""
    chance = Random(1)
    for _ in range(PLAIN):
        in_place(by_sample, chance)
    return PLAIN


def deals(policy: str) -> int:
    """Play whole deals. Returns their number."""
    play("standard", SEATS, {}, policy, DEALS, 1)
    return DEALS


def whole_playouts(policy: str) -> int:
    """Playouts of ten options from the first turn. Returns their number."""
    count = DEALS // 10
    playouts(position("standard", {}, SEATS, OPENING, "card"), OPENING["hand"], policy, count, 1)  # type: ignore[arg-type]
    return 10 * count


def stepped() -> int:
    """Deals of tables that are stepped, the choice of random cards included. Returns their number."""
    tables = Tables("standard", SEATS, {}, DEALS // 10)
    tables.deal(1)
    while tables.left:
        tables.step(tables.choose("random"))
    return tables.count


CASES: dict[str, Callable[[], int]] = {
    "rules engine, random": rules_engine,
    **{f"deals, {policy}": partial(deals, policy) for policy in ("random", "cheapest", "greedy", "noisy", "trained")},
    "playouts, random": partial(whole_playouts, "random"),
    "playouts, greedy": partial(whole_playouts, "greedy"),
    "tables, random": stepped,
}


def speed(run: Callable[[], int]) -> float:
    """Deals a second of processor time."""
    began = time.process_time()
    return run() / (time.process_time() - began)


def seconds(deals: int, threads: int = 1) -> float:
    """The wall-clock time of deals by greedy."""
    began = time.perf_counter()
    play("standard", SEATS, {}, "greedy", deals, 1, threads=threads)
    return time.perf_counter() - began


def in_two_threads() -> float:
    """The speed-up of two threads over one, by the clock: at most the number of idle cores."""
    return seconds(LONG) / seconds(LONG, threads=2)


def in_two_processes(pool: ProcessPoolExecutor) -> float:
    """The same with two processes that play as many deals each as one played alone."""
    alone = pool.submit(seconds, LONG).result()
    together = [pool.submit(seconds, LONG) for _ in range(2)]
    return sum(alone / each.result() for each in together)


def section(console: Console, rounds: int) -> list[Target]:
    """Measure everything and print the table."""
    if not COMPILED:
        console.print("no numba: the simulator is left out; pip install 'bullring[fast]'", markup=False)
        return []
    for run in CASES.values():
        run()  # compiled, or read from the cache
    found = interleaved({name: partial(speed, run) for name, run in CASES.items()}, rounds)
    shown = table(
        f"Simulator: deals per second of CPU, {SEATS} seats, standard: median (min-max) of {rounds} rounds",
        *("what", "deals/s", "v rules engine"),
    )
    floor = found["rules engine, random"]
    for name, speeds in found.items():
        shown.add_row(name, spread(speeds, 0), spread(ratios(speeds, floor), 1))
    console.print(shown)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        list(pool.map(seconds, [LONG] * 2))  # both have started
        cores: dict[str, Callable[[], float]] = {
            "threads": in_two_threads,
            "processes": partial(in_two_processes, pool),
        }
        for name, times in interleaved(cores, rounds).items():
            console.print(f"two {name}: {spread(times, 2)} times the deals of one, by the clock", highlight=False)
    return [
        Target("simulator v rules engine, random", median(ratios(found["deals, random"], floor)), 54, at_least=True),
        Target("simulator, greedy, v rules engine", median(ratios(found["deals, greedy"], floor)), 8, at_least=True),
    ]


if __name__ == "__main__":
    alone(section, __doc__, rounds=5)
