"""Looks for open doors: descriptors that were left open, and the host's files through /proc. Bound: a look at each."""

import os
from pathlib import Path

from hostile import TARGETS, escaped, held, name_of, play, refused

found = []
for number in range(3, 4096):
    try:
        found.append((number, oct(os.fstat(number).st_mode)))
    except OSError:
        continue
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
