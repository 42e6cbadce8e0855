"""The files in which the kernel tells about processes, read at the least cost: a referee reads some between two matches."""

import os

SIZE = 65536


def read(path: str) -> bytes:
    """All bytes of a file. Raises `OSError`."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = os.read(fd, SIZE)
        while more := os.read(fd, SIZE):
            data += more
        return data
    finally:
        os.close(fd)


def fields(path: str) -> list[bytes]:
    """The fields of a file stat after the name, which may hold anything: proc_pid_stat(5). Raises `OSError`."""
    return read(path).rpartition(b")")[2].split()
