"""The cost of a program that takes decisions from bots: its own CPU time and the wall-clock time per decision."""

import argparse
import cProfile
import json
import os
import pstats
import resource
import time
from collections.abc import Awaitable, Callable

PARTS = 10
"""Number of parts in which the decisions are taken, after one more to warm up."""
ENOUGH = 5.0
"""Seconds after which no further part is begun: on a busy machine, fewer decisions must suffice."""


def cpu() -> float:
    """CPU seconds used by this process, without its bots."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def measured(part: Callable[[], Awaitable[int]], profile: cProfile.Profile | None = None) -> None:
    """Take decisions, part by part, once to warm up; `part` returns their number. Prints the line of JSON with their cost.

    With a `profile`, prints also where the time went.
    """
    await part()
    if profile:
        profile.enable()
    used, began, decisions = cpu(), time.perf_counter(), 0
    for _ in range(PARTS):
        decisions += await part()
        if time.perf_counter() - began > ENOUGH:
            break
    used, passed = cpu() - used, time.perf_counter() - began
    if profile:
        profile.disable()
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
    facts = {"cpu_us": used / decisions * 1e6, "wall_us": passed / decisions * 1e6, "decisions": decisions}
    print(json.dumps(facts))


def parser(what: str | None) -> argparse.ArgumentParser:
    """The command line shared by all these programs."""
    made = argparse.ArgumentParser(description=what)
    made.add_argument("--matches", type=int, default=8, help="matches at the same time")
    made.add_argument("--seats", type=int, default=4)
    made.add_argument("--decisions", type=int, default=100_000, help="approximate number of decisions to measure")
    made.add_argument("--pin", action="store_true", help="keep this program and its bots on one core")
    return made


def parsed(made: argparse.ArgumentParser) -> argparse.Namespace:
    """The parsed arguments; pins the program to a core if that was asked for."""
    given = made.parse_args()
    if given.pin:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return given
