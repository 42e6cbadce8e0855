"""The program of the bridge: `python -m bullring.ladder.run.cluster.bridge_process [WORKERS]`.

It first starts so many Dask workers on this machine. Dask takes a third of a second to import, and so they import it while this
process does.
"""

import asyncio
import subprocess
import sys
import warnings

from bullring.arena.cells.processes.kinds import DASK_WORKER
from bullring.arena.cells.processes.with_asyncio import AsyncioChild


def main() -> None:
    """Run the bridge."""
    warnings.simplefilter("ignore")  # Dask's, about its own objects
    count = int(sys.argv[1]) if sys.argv[1:] else 0
    workers = [AsyncioChild(DASK_WORKER, stdout=subprocess.DEVNULL) for _ in range(count)]

    from bullring.ladder.run.cluster.bridge import bridge

    asyncio.run(bridge(workers))


if __name__ == "__main__":
    main()
