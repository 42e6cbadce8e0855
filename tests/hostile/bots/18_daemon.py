"""Leaves a daemon behind, which has left parent, group, session and streams, and ends. Bound: the daemon ends after 20 seconds."""

import os
import time

from hostile import daemon, play


def live():
    for fd in (0, 1, 2):
        os.close(fd)
    time.sleep(20)


def question(number, message):
    if number == 2:
        daemon(live)
        os._exit(7)


play(question)
