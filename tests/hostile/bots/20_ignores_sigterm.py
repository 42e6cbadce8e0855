"""Ignores every signal it can, its bye and the end of its stdin. Bound: ends after 20 seconds."""

import signal
import time

from hostile import held, play

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, signal.SIG_IGN)
held("ignores all signals but two, and stays after its bye")
play()
time.sleep(20)
