"""Slows its rivals by using all it gets of the processor. No sandbox on a shared machine hides load and caches.

What is promised is a bound: one core for each bot, whatever it starts. Bound: four children for 0.6 seconds.
"""

import os
import time

from hostile import children, escaped, held, play, spin

began = time.monotonic()
for pid in children(4, lambda: spin(0.6)):
    os.waitpid(pid, 0)
wall, times = time.monotonic() - began, os.times()
cores = (times.children_user + times.children_system) / wall
(escaped if cores > 1.35 else held)(f"{cores:.2f} cores, where one is promised")
play()
