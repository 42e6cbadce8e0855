"""Raises its own limits, and locks memory. Bound: 8 MiB are locked; limits are raised by asking only."""

import ctypes
import mmap
import resource

from hostile import MIB, checked, escaped, held, libc, name_of, play, refused

for name in ("NOFILE", "FSIZE", "CORE"):
    which = getattr(resource, f"RLIMIT_{name}")
    soft, hard = resource.getrlimit(which)
    if hard == resource.RLIM_INFINITY:
        escaped(f"{name} has no limit")
    else:
        refused(f"{name} beyond {hard}", lambda which=which, hard=hard: resource.setrlimit(which, (hard + 1, hard + 1)))

area = mmap.mmap(-1, 8 * MIB)
try:
    checked(libc().mlock(ctypes.byref(ctypes.c_char.from_buffer(area)), ctypes.c_size_t(8 * MIB)))
except OSError as error:
    held(f"mlock: {name_of(error)}")
else:
    held("mlock: within the memory it may have")
play()
