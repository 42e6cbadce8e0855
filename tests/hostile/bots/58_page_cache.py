"""Asks which pages of a file are in memory, which tells what others have read. Bound: one file."""

import ctypes
import mmap
import os
from pathlib import Path

from hostile import checked, escaped, held, libc, name_of, play, refused, syscall

FILE = Path(os.__file__).with_name("this.py")


def cachestat():
    fd = os.open(FILE, os.O_RDONLY)
    reach, told = (ctypes.c_uint64 * 2)(0, 0), (ctypes.c_uint64 * 5)()
    syscall("cachestat", fd, reach, told, 0)
    return f"{told[0]} pages are in memory"


def mincore():
    fd = os.open(FILE, os.O_RDONLY)
    size = os.fstat(fd).st_size
    pages = -(-size // mmap.PAGESIZE)
    system = libc()
    system.mmap.restype = ctypes.c_void_p
    at = system.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, mmap.MAP_SHARED, fd, ctypes.c_long(0))
    told = ctypes.create_string_buffer(pages)
    checked(system.mincore(ctypes.c_void_p(at), ctypes.c_size_t(size), told))
    return told.raw


refused("cachestat", cachestat)
try:
    told = mincore()
except OSError as error:
    held(f"mincore: {name_of(error)}")
else:
    # The kernel itself says "all" to whoever may not write the file; only a difference tells anything.
    (held if set(told) == {1} else escaped)(f"mincore: {sum(told)} of {len(told)} pages")
play()
