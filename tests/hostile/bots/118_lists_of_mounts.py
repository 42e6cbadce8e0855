"""Asks the kernel for handles of files and for all mounts, past the folders it sees. Bound: one call of each kind."""

import ctypes
import struct

from hostile import TIER, play, refused, syscall, tell

AT_FDCWD = -100
handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 136)
mount = ctypes.c_int()
asked = ctypes.create_string_buffer(struct.pack("=IIQQ", 24, 0, 0xFFFFFFFFFFFFFFFF, 0), 24)
found = ctypes.create_string_buffer(4096)

refused("a handle", lambda: syscall("name_to_handle_at", AT_FDCWD, b"/usr", handle, ctypes.byref(mount), 0))
refused("by handle", lambda: syscall("open_by_handle_at", AT_FDCWD, handle, 0))
if TIER == "docker":
    tell("engines do not know the calls that list mounts; /proc/self/mountinfo shows the same there")
else:
    refused("mounts", lambda: syscall("listmount", asked, found, 16, 0))
    refused("a mount", lambda: syscall("statmount", asked, found, 4096, 0))
play()
