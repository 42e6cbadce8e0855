"""Reserves memory and never touches it, at once or writable only later. Bound: 2,000 times 1 GiB of each kind."""

import ctypes
import mmap

from hostile import checked, escaped, held, libc, name_of, play

SIZE, MOST = 1 << 30, 2000
WRITABLE = mmap.PROT_READ | mmap.PROT_WRITE
PRIVATE, SHARED = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
NORESERVE = 0x4000
WORD = ctypes.c_size_t

C = libc()
C.mmap.restype = ctypes.c_ssize_t


def reserve(flags, first, then):
    area = checked(C.mmap(None, WORD(SIZE), first, flags, -1, WORD(0)))
    if then != first:
        checked(C.mprotect(WORD(area), WORD(SIZE), then))
    return area


def hoard(name, *how):
    areas = []
    try:
        while len(areas) < MOST:
            areas.append(reserve(*how))
    except OSError as error:
        held(f"{len(areas)} GiB {name}, then {name_of(error)}")
    else:
        escaped(f"{len(areas)} GiB {name}")
    for area in areas:
        C.munmap(WORD(area), WORD(SIZE))


hoard("private", PRIVATE, WRITABLE, WRITABLE)
hoard("private without a promise", PRIVATE | NORESERVE, WRITABLE, WRITABLE)
hoard("private and writable later", PRIVATE, 0, WRITABLE)
hoard("shared", SHARED, WRITABLE, WRITABLE)
play()
