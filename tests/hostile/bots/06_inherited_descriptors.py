"""Looks for open doors: descriptors that were left open, and the host's files through /proc. Bound: a look at each."""

import os
from pathlib import Path

from hostile import TARGETS, escaped, held, name_of, play, refused

try:
    handed = sorted(os.listdir("/proc/self/fd"), key=int)
except OSError:
    handed = [str(number) for number in range(256) if Path(f"/dev/fd/{number}").exists()]
found = []
for number in map(int, handed):
    try:
        os.fstat(number)  # the listing's own one is closed by now
    except OSError:
        continue
    if number > 2:
        found.append(number)
(escaped if found else held)(f"descriptors beyond the three: {found}")

for pid in (1, os.getppid(), TARGETS["referee"]):
    refused(f"the store through /proc/{pid}/root", Path(f"/proc/{pid}/root{TARGETS['store']}").read_bytes)
    try:
        data = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError as error:
        held(f"the environment of {pid}: {name_of(error)}")
    else:
        (escaped if TARGETS["secret"].encode() in data else held)(f"the environment of {pid}: {len(data)} bytes")
play()
