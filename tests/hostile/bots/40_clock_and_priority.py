"""Sets the clock (to the time it shows), its priority, and the cores it runs on. Bound: a try each."""

import os
import time

from hostile import escaped, held, name_of, play, refused

refused("the clock", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
refused("its priority", lambda: os.nice(-5))
refused("a real-time class", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))

before = os.sched_getaffinity(0)
try:
    os.sched_setaffinity(0, range(256))
except OSError as error:
    held(f"cores: {name_of(error)}")
else:
    after = os.sched_getaffinity(0)
    (escaped if after - before else held)(f"cores: {sorted(after)} after {sorted(before)}")
play()
