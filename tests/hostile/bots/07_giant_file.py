"""Makes a giant file, sparse and real. Bound: a size without blocks, and 64 MiB of real bytes, which it removes."""

import os

from hostile import HOME, MIB, play, refused

file = HOME / "giant"


def sparse():
    fd = os.open(file, os.O_CREAT | os.O_RDWR)
    try:
        os.ftruncate(fd, 1 << 40)
    finally:
        os.close(fd)
    return "a file of 1 TiB"


def real():
    with file.open("wb", buffering=0) as out:
        for _ in range(64):
            if out.write(bytes(MIB)) < MIB:
                out.write(b"more")  # says why the last one was short
    return "a file of 64 MiB"


refused("a sparse file", sparse)
refused("a real file", real)
file.unlink(missing_ok=True)
play()
