"""Asks that its pages be merged with equal ones of others: the next write then tells what others hold. Bound: a page."""

import mmap

from hostile import checked, libc, play, refused

MERGEABLE, MEMORY_MERGE = 12, 67
area = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
area.write(b"x" * mmap.PAGESIZE)

refused("advice", lambda: area.madvise(MERGEABLE))
refused("for all memory", lambda: checked(libc().prctl(MEMORY_MERGE, 1, 0, 0, 0)))
play()
