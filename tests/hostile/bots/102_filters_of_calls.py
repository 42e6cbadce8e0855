"""Loads filters of its own system calls, which take the memory for compiled filters. Bound: two filters that allow everything."""

import ctypes
import struct

from hostile import checked, libc, play, refused, syscall

ALLOW = ctypes.create_string_buffer(struct.pack("=HBBI", 0x06, 0, 0, 0x7FFF0000))
FILTER = struct.pack("=HxxxxxxQ", 1, ctypes.addressof(ALLOW))

refused("seccomp", lambda: syscall("seccomp", 1, 0, FILTER))
refused("prctl", lambda: checked(libc().prctl(22, 2, FILTER, 0, 0)))
play()
