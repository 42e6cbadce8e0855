"""Takes memory that is no heap: a memfd, a shared mapping, its box. Bound: twice what it may have, for two seconds."""

import mmap
import os
import time

from hostile import HOME, MIB, TARGETS, WAY, escaped, held, name_of, only_in, play

only_in("docker", "bwrap")
PIECE = 8 * MIB
kept = []


def memfd():
    fd = os.memfd_create("a-bot-was-here")
    kept.append(fd)
    for _ in range(PIECE // MIB):
        os.write(fd, b"\1" * MIB)


def shared():
    area = mmap.mmap(-1, PIECE)
    kept.append(area)
    for at in range(0, PIECE, MIB):
        area[at : at + MIB] = b"\1" * MIB


def box():
    # What fits into the box is granted; the rest is asked of the heap.
    try:
        with (HOME / str(len(kept))).open("wb", buffering=0) as file:
            for _ in range(PIECE // MIB):
                file.write(b"\1" * MIB)
        kept.append(file)
    except OSError:
        shared()


def question(number, message):
    if number != 2:
        return
    try:
        while len(kept) * PIECE < 2 * TARGETS["memory"]:
            {"memfd": memfd, "shared": shared, "box": box}[WAY]()
    except (OSError, MemoryError) as error:
        held(f"{len(kept) * PIECE // MIB} MiB of {WAY}, then {name_of(error)}")
        return
    time.sleep(2)
    escaped(f"{len(kept) * PIECE // MIB} MiB of {WAY}")


play(question)
