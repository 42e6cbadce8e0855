"""Sets the clock (to the time it shows), its priority, the cores it runs on, and who may run beside it. Bound: a try each."""

import os
import time
from contextlib import suppress

from hostile import checked, escaped, held, libc, play, refused

PR_SCHED_CORE, CREATE = 62, 1

refused("the clock", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))


def standing() -> tuple[object, ...]:
    return sorted(os.sched_getaffinity(0)), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0)


before = standing()
# Allowed to everybody, so that only the filter is in the way; and what nobody may.
for deed in (
    lambda: os.sched_setaffinity(0, range(256)),
    lambda: os.nice(3),
    lambda: os.nice(-5),
    lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
):
    with suppress(OSError):
        deed()
after = standing()
(held if after == before else escaped)(f"cores, priority, class: {after} after {before}")
refused("the other half of its core", lambda: checked(libc().prctl(PR_SCHED_CORE, CREATE, 0, 0, 0)))
play()
