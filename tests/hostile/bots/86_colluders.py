"""Two bots pass notes by the time of first reads, and count how many bits get through: nothing is promised of that.

Bound: 128 pages of one file.
"""

import mmap
import os
import time

from hostile import TARGETS, held, pair, tell

COUNT = 64
BITS = [(int(TARGETS["secret"], 16) >> at) & 1 for at in range(COUNT)]
ADVICE_RANDOM = 1


def pages():
    """A file that all bots see, without reading ahead, and the pages of each bit: one is read for a 0, the other for a 1."""
    name = max(
        (entry for entry in os.scandir(os.path.dirname(os.__file__)) if entry.is_file()), key=lambda e: e.stat().st_size
    )
    fd = os.open(name.path, os.O_RDONLY)
    mapped = mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ)
    mapped.madvise(ADVICE_RANDOM)
    most = len(mapped) // mmap.PAGESIZE
    return mapped, [(2 * at % most, (2 * at + 1) % most) for at in range(COUNT)]


def send(turn):
    if turn == 2:
        mapped, places = pages()
        for bit, places_of_it in zip(BITS, places, strict=True):
            mapped[places_of_it[bit] * mmap.PAGESIZE]


def timed(mapped, page):
    before = time.perf_counter_ns()
    mapped[page * mmap.PAGESIZE]
    return time.perf_counter_ns() - before


def receive(turn):
    if turn == 3:
        mapped, places = pages()
        found = [int(timed(mapped, one) > timed(mapped, other)) for one, other in places]
        right = sum(one == other for one, other in zip(found, BITS, strict=True))
        tell(f"measured: {right} of {COUNT} bits are right")
        held("measured")


held("passes notes that no tier promises to stop")
pair(send, receive)
