"""Stops writing to shared file systems, and trims and defragments them. Bound: one call of each kind."""

import fcntl
import os
import struct
from pathlib import Path

from hostile import HERE, play, refused

CALLS = {
    "freeze": (0xC0045877, bytes(4)),
    "thaw": (0xC0045878, bytes(4)),
    "trim": (0xC0185879, struct.pack("=QQQ", 0, 0, 1 << 62)),
    "set flags": (0x40086602, struct.pack("=Q", 0)),
}
for place in (Path("/usr"), HERE / "bot.py"):
    fd = os.open(place, os.O_RDONLY)
    for name, (number, value) in CALLS.items():
        refused(f"{name} {place.name}", lambda fd=fd, number=number, value=value: fcntl.ioctl(fd, number, value))
play()
