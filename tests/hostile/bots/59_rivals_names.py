"""Looks for its rivals' names wherever a process can read what surrounds it. Bound: one look at each process it can see."""

import os
import socket
import sys
from pathlib import Path

from hostile import TARGETS, escaped, held, play

NEEDLES = [TARGETS["rival_name"].encode(), TARGETS["rival_folder"].encode()]
places = {"its environment": repr(dict(os.environ)), "its arguments": repr(sys.argv), "its folder": os.getcwd()}
places |= {"the hostname": socket.gethostname() + repr(os.uname())}
looked = {name: text.encode() for name, text in places.items()}
files = ["mounts", "mountinfo", "cgroup", "cmdline", "environ", "maps", "status", "keys", "locks"]
for process in Path("/proc").glob("[0-9]*"):
    for name in files:
        try:
            looked[f"{process}/{name}"] = (process / name).read_bytes()
        except OSError:
            continue
found = [name for name, data in looked.items() if any(needle in data for needle in NEEDLES)]
(escaped if found else held)(f"looked at {len(looked)} places, found them in {found}")
play()
