"""Takes 300 MiB, in a child process."""

import os
import time

import polite


def act(number, question):
    if number == 2:
        if not os.fork():
            hoard = bytearray(os.urandom(1 << 20)) * 300
            time.sleep(20)
            os._exit(len(hoard) & 1)
        time.sleep(20)


polite.play(act)
