"""Sleeps through its question. No processor time is used, so only a clock on the wall tells. Bound: five seconds."""

import time

from hostile import play

play(lambda number, message: time.sleep(5))
