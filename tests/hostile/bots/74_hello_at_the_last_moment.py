"""Says hello just inside its limit, in a new process for each match. Bound: three quarters of the limit."""

import time

from hostile import TARGETS, held, play

time.sleep(0.75 * TARGETS["start"])
held("nobody plays less because of it")
play()
