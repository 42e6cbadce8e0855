"""Counts events of the processor, of which a few show what runs beside it. Bound: one counter of each kind."""

import ctypes
import struct

from hostile import play, refused, syscall

SIZE = 128
for kind, config, name in ((0, 0, "cycles"), (0, 3, "cache misses"), (1, 3, "switches"), (1, 4, "migrations")):
    attributes = ctypes.create_string_buffer(struct.pack("=IIQ", kind, SIZE, config), SIZE)
    for process, core in ((0, -1), (-1, 0)):
        refused(name, lambda a=attributes, p=process, c=core: syscall("perf_event_open", a, p, c, -1, 0))
play()
