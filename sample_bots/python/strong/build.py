"""Compile the kernels once, into the folder that the bot plays from: two processes, because one kernel takes half of the time."""

import gc
import os
import subprocess
import sys
from importlib.util import find_spec

SHARES = ("standard",), ("eleven", "hand", "nifty")
"""The games whose kernels a process compiles."""


def main() -> int:
    """Compile all kernels, and print how far it is."""
    if find_spec("numba") is None:  # without it the kernels would run as they are, a few hundred times slower
        print("the bot strong needs numba, which comes with the extra fast of bullring: pip install 'bullring[fast]'")
        return 1
    total = sum(map(len, SHARES))
    print(f"compiled 0 of {total} kernels", flush=True)
    reads, writes = os.pipe()
    workers = [subprocess.Popen([sys.executable, __file__, *share], stdout=writes) for share in SHARES]
    os.close(writes)
    with os.fdopen(reads) as lines:
        for number, game in enumerate(lines, 1):
            print(f"compiled {number} of {total} kernels: {game.strip()}", flush=True)
    return max(worker.wait() for worker in workers)


def work(share: list[str]) -> None:
    """Compile the kernels of some games."""
    import kernels  # noqa: F401  # before numba, which reads its settings once
    from games import warm_up

    gc.disable()  # a sixth of the time, for nothing: a compiler keeps most of what it makes
    for game in share:
        warm_up(game)
        print(game, flush=True)


if __name__ == "__main__":
    if share := sys.argv[1:]:
        work(share)
    else:
        sys.exit(main())
