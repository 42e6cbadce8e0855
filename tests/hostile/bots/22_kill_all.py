"""Kills all it can reach, and asks for every process number whether it is there. Bound: one signal, 5000 questions.

It does so only where all processes in reach are its own: it is sure of that before it sends anything.
"""

import os
import signal

from hostile import TARGETS, escaped, held, name_of, only_in, only_in_a_world_of_its_own, play

only_in("docker", "bwrap")
only_in_a_world_of_its_own()
try:
    os.kill(-1, signal.SIGKILL)
except OSError as error:
    held(f"kill all: {name_of(error)}")
else:
    held("kill all: whoever was in reach")

alive = []
for pid in {*range(1, 5000), TARGETS["referee"]}:
    try:
        os.kill(pid, 0)
    except OSError:
        continue
    alive.append(pid)
strangers = [pid for pid in alive if pid not in (1, os.getpid(), os.getppid())]
(escaped if strangers else held)(f"in reach besides itself: {strangers}")
play()
