"""Lets a child take too much memory, so that the child is killed and not the bot. Bound: twice what it may have, for one second."""

import os
import time

from hostile import MIB, TARGETS, children, escaped, held, only_in, play

only_in("docker", "bwrap")


def hoard():
    kept = []
    try:
        for _ in range(2 * TARGETS["memory"] // (4 * MIB)):
            kept.append(b"\1" * (4 * MIB))
    except MemoryError:
        os._exit(2)
    time.sleep(1)
    os._exit(1)


def question(number, message):
    if number == 2:
        (child,) = children(1, hoard)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        (escaped if status == 1 else held)(f"the child ended with {status}")


play(question)
