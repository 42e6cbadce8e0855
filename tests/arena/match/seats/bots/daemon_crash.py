"""Leaves a daemon behind and ends at its second question; only the daemon still holds stdout open."""

import os
import sys
import time

import polite

if not os.fork():
    os.setsid()
    if not os.fork():
        with open(sys.argv[1], "w") as file:
            file.write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
polite.wait_for(sys.argv[1])


def act(number, question):
    if number == 2:
        os._exit(7)


polite.play(act)
