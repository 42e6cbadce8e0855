"""Lets four children spin, on as many cores as there are, while rivals think. Bound: one second."""

import os
import signal

from hostile import children, held, play, spin

pids = children(4, lambda: spin(1))
held(f"{len(pids)} children spin")


def tidy():
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


play(over=tidy)
