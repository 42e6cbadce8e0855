"""Starts a child that leaves group, session and parent behind, holds stdout open and ignores all polite signals."""

import os
import signal
import sys
import time

import polite


def daemonize() -> None:
    if os.fork():
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    with open(sys.argv[1], "w") as file:
        file.write(str(os.getpid()))
    time.sleep(60)
    os._exit(0)


daemonize()
polite.wait_for(sys.argv[1])
polite.play()
