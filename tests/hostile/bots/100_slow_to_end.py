"""Answers at once, but works on after its matches, ignores its bye, and has children who do. Bound: ends after 20 seconds."""

import signal
import time

from hostile import children, held, play, spin

for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
held("nobody waits for it longer than for others")
children(3, lambda: time.sleep(20))
play(over=lambda: spin(2))
time.sleep(20)
