"""Looks for its referee: its process id, the name that its cgroups carry, its files. Bound: two processes, six files of each."""

import os
import re
from pathlib import Path

from hostile import TARGETS, escaped, held, play

FILES = ("environ", "cmdline", "cgroup", "mountinfo", "stat", "status")
NAMES = {
    "its process id": re.escape(f"{TARGETS['referee']}"),
    "its name": r"bullring-[1-9]|[1-9][0-9]*-[0-9]+-[0-9]{9,}",
    "its mark": "BULLRING_BOT",
    "its files": re.escape(TARGETS["store"]),
    "a rival's files": re.escape(TARGETS["rival_folder"]),
}
for process in ("1", "self"):
    for file in FILES:
        try:
            told = Path("/proc", process, file).read_bytes().decode("utf-8", "replace").replace("\0", " ")
        except OSError:
            continue
        for what, pattern in NAMES.items():
            # Numbers of mounts, sizes and the like may be anything.
            if what == "its process id" and file not in ("environ", "cmdline", "cgroup"):
                continue
            if found := re.search(rf"(?<![0-9]){pattern}", told):
                escaped(f"{what} in /proc/{process}/{file}: {found[0]}")
for name, value in os.environ.items():
    if str(TARGETS["referee"]) in value:
        escaped(f"${name} is {value}")
held("looked everywhere")
play()
