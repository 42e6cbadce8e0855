"""Takes more and more memory, and touches it. Bound: twice what it may have, for two seconds."""

import time

from hostile import MIB, TARGETS, escaped, held, only_in, play

only_in("docker", "bwrap")


def question(number, message):
    if number != 2:
        return
    hoard, step = [], 4 * MIB
    try:
        while len(hoard) * step < 2 * TARGETS["memory"]:
            hoard.append(b"\1" * step)
    except MemoryError:
        held(f"{len(hoard) * step // MIB} MiB, then there was no more")
        return
    time.sleep(2)
    escaped(f"{len(hoard) * step // MIB} MiB")


play(question)
