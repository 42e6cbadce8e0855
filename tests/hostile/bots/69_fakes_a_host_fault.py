"""Wants a match it loses to be void: looks as if the machine had failed. Bound: one end, or one stop, in each match."""

import os
import signal

from hostile import WAY, play, tell


def question(number, message):
    if number != 2:
        return
    tell("docker: Error response from daemon: OOM killed, host error, out of memory")
    if WAY == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif WAY == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    else:
        os._exit(125)


play(question)
