"""Two bots leave notes in memory that all share: one fetches pages of a file or drops them, the other looks which are there.

Bound: 16 pages of one file. What a clock tells of first reads is measured by `86_colluders`.
"""

import mmap
import os
from pathlib import Path

from hostile import RWF_NOWAIT, escaped, held, name_of, pair

FILE = Path(os.__file__).with_name("pickletools.py")
BITS = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0]
PAGE = mmap.PAGESIZE


def tried(what, deed):
    try:
        deed()
    except (OSError, ValueError) as error:
        held(f"{what}: {name_of(error)}")
        return False
    return True


def write(turn):
    if turn != 2:
        return
    fd = os.open(FILE, os.O_RDONLY)
    dropped = tried("dropping pages", lambda: os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED))
    with mmap.mmap(fd, 0, mmap.MAP_SHARED, mmap.PROT_READ) as mapped:
        for advice, name in ((20, "cold"), (21, "page out")):
            dropped |= tried(f"advice: {name}", lambda advice=advice: mapped.madvise(advice))
    if dropped:
        escaped("pages that others use were dropped")
    for at, bit in enumerate(BITS):
        if bit:
            os.pread(fd, 1, at * PAGE)


def look(turn):
    if turn != 3:
        return
    fd = os.open(FILE, os.O_RDONLY)
    found = []
    for at in range(len(BITS)):
        try:
            os.preadv(fd, [bytearray(1)], at * PAGE, RWF_NOWAIT)
            found.append(1)
        except BlockingIOError:
            found.append(0)
        except OSError as error:
            held(f"reading only what is there: {name_of(error)}")
            return
    escaped(f"it was told which pages are there: {found}")


pair(write, look)
