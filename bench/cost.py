"""What a program that takes decisions from bots costs: its own CPU time and the wall clock, for each decision."""

import argparse
import json
import os
import resource
import time

PARTS = 10
"""The decisions are taken in so many parts, after one more to warm up."""
ENOUGH = 5.0
"""Seconds after which no further part is begun: on a busy machine fewer decisions must do."""


def cpu() -> float:
    """Seconds of CPU this process has used, its bots left out."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Meter:
    """Started when everything is warm; `finish` prints the line of JSON that all these programs end with."""

    def __init__(self) -> None:
        self._cpu, self._wall = cpu(), time.perf_counter()

    @property
    def enough(self) -> bool:
        """Whether it took so long already that no further part is to be begun."""
        return time.perf_counter() - self._wall > ENOUGH

    def finish(self, decisions: int) -> None:
        """`decisions` were taken since the start."""
        used, passed = cpu() - self._cpu, time.perf_counter() - self._wall
        facts = {"cpu_us": used / decisions * 1e6, "wall_us": passed / decisions * 1e6, "decisions": decisions}
        print(json.dumps(facts))


def parser(what: str | None) -> argparse.ArgumentParser:
    """The command line that all these programs share."""
    made = argparse.ArgumentParser(description=what)
    made.add_argument("--matches", type=int, default=8, help="matches at the same time")
    made.add_argument("--seats", type=int, default=4)
    made.add_argument("--decisions", type=int, default=100_000, help="about so many are measured")
    made.add_argument("--pin", action="store_true", help="keep this program and its bots on one core")
    return made


def parsed(made: argparse.ArgumentParser) -> argparse.Namespace:
    """What was given; from here on the program is pinned, if it is to be."""
    given = made.parse_args()
    if given.pin:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return given
