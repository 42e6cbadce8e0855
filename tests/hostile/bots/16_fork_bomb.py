"""Forks until it is stopped. Bound: 200 children, each of which lives three seconds at most."""

import os
import signal
import time

from hostile import children, escaped, held, only_in, play

only_in("docker", "bwrap")
pids = children(200, lambda: time.sleep(3))
(escaped if len(pids) == 200 else held)(f"{len(pids)} children at once")
for pid in pids:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
play()
