"""The cores that programs are bound to: each program has one, so that its clock means the same everywhere."""

import os
import time
from collections.abc import Iterable
from itertools import cycle
from pathlib import Path


def cores() -> list[int]:
    """One processor of each physical core that this process may use: two threads of one core would share what a limit promises."""
    mine = os.sched_getaffinity(0)
    found: dict[str, int] = {}
    for processor in sorted(mine):
        try:
            siblings = Path(f"/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list").read_text("ascii")
        except OSError:
            siblings = str(processor)
        found.setdefault(siblings, processor)
    return list(found.values())


def in_turn() -> Iterable[int]:
    """The cores again and again, for one program each. Each process begins elsewhere, so that several spread over the machine."""
    mine = cores()
    start = os.getpid() % len(mine)
    return cycle(mine[start:] + mine[:start])


def share(seconds: float = 0.3) -> float:
    """The part of a core that a program gets that computes for so long, beside all that runs now. Blocks."""
    began, used = time.monotonic(), time.thread_time()
    while time.monotonic() < began + seconds:
        pass
    return min(1.0, (time.thread_time() - used) / (time.monotonic() - began))
