"""Whether processes run: as the scheduler has counted it, so that a busy machine only makes it take longer to know."""

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
