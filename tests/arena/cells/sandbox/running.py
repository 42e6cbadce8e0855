"""Tell whether processes run, by the scheduler's counts: a busy machine only makes it take longer."""

from collections.abc import Iterable
from pathlib import Path

import trio


def ran(pids: Iterable[int]) -> int:
    """Nanoseconds that all threads of these processes have run."""
    files = [path for pid in pids for path in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(int(path.read_text().split()[0]) for path in files)


async def stand_still(pids: Iterable[int]) -> None:
    """Until these processes no longer run; it takes a moment where they are on other cores."""
    before = -1
    while before != (now := ran(pids)):
        before = now
        await trio.sleep(0.1)


async def run_on(pids: Iterable[int]) -> None:
    """Until these processes have run."""
    before = ran(pids)
    while ran(pids) == before:
        await trio.sleep(0.001)


ASKS_FOR_MORE = """
import os
before = os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)
os.sched_setaffinity(0, range(1024))
os.setpriority(os.PRIO_PROCESS, 0, 5)
os.nice(3)
os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
os.sched_setparam(0, os.sched_param(0))
print((os.sched_getaffinity(0), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)) == before)
"""
"""A program that dies if it may not ask for cores and priorities, as .NET and Mono do, and prints True if it does not get them."""
