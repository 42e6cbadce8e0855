"""Asks for files that do not exist: the kernel remembers each name. Bound: 50,000 names, or one second."""

import os
import time

from hostile import TARGETS, held, play

until = time.monotonic() + 1
asked = 0
while asked < 50_000 and time.monotonic() < until:
    os.path.exists(f"/usr/{TARGETS['secret']}-{asked:0200}")
    asked += 1
held(f"{asked} names, counted as its memory")
play()
